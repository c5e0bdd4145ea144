"""Hints: a suggested action for the player to move, and how certain the suggestion is."""

from __future__ import annotations

from byzanz.network import Network
from byzanz.rules import View

from .evaluation import evaluate, network_name
from .results import VERSION, Evaluation, Hint, Sureness

_MOST_WORLDS = 512
"""The most worlds in which a candidate is tried within the time of a hint."""
_SURE_POINTS, _SURE_ERRORS = 1.0, 3.0


def suggest(
    view: View,
    *,
    seconds: float = 1.0,
    worlds: int | None = None,
    network: Network | None = None,
) -> Hint:
    """Suggest an action to the viewer; see :func:`byzanz.coach.hint`."""
    if view.seat is None or not view.options.on_turn:
        raise ValueError("expected the view of the seat that is to act")
    evaluation = evaluate(
        view,
        worlds=worlds or _MOST_WORLDS,
        seconds=None if worlds else seconds,
        network=network,
    )
    return Hint(VERSION, network_name(network), evaluation, _how_sure(evaluation))


def _how_sure(evaluation: Evaluation) -> Sureness:
    others = evaluation.candidates[1:]
    if all(one.behind >= max(_SURE_POINTS, _SURE_ERRORS * one.standard_error) for one in others):
        return "sure"
    return "likely" if all(one.behind > one.standard_error for one in others) else "close"
