"""Advice: a hint together with the reasons for the suggested action."""

from __future__ import annotations

from dataclasses import dataclass

from byzanz.rules import Action, View

from .explanation import values_of
from .hints import suggest
from .reasons import Comparison, Reason, compare, rank, reasons
from .results import Hint


@dataclass(frozen=True)
class Advice:
    """A hint, and the reasons for its suggestion that matter most."""

    hint: Hint
    reasons: tuple[Reason, ...]
    """The reasons for the suggested action; if possible, only those that set it apart."""
    against: tuple[Reason, ...] = ()
    """The reasons against the second best action that do not hold against the suggested one."""

    @property
    def action(self) -> Action:
        """The suggested action."""
        found = self.hint.evaluation.best.parsed()
        if found is None:
            raise ValueError("a hint always suggests an action")
        return found


def advise(view: View, *, worlds: int) -> Advice:
    """Suggest an action to the viewer and say why; the same view always gets the same advice.

    Each candidate is tried in at most ``worlds`` worlds. Raises ValueError if the viewer has
    nothing to decide.
    """
    return explain_hint(suggest(view, worlds=worlds))


def explain_hint(hint: Hint) -> Advice:
    """Return a hint with its reasons."""
    view, values = hint.evaluation.view(), values_of(hint.evaluation)
    best, *others = values
    compared = compare(view, best, others[0]) if others else Comparison([], [])
    supporting = [reason for reason in reasons(view, best) if reason.supports]
    return Advice(
        hint,
        tuple(rank(view, compared.for_best or supporting, values)),
        tuple(rank(view, compared.against_played, values)),
    )
