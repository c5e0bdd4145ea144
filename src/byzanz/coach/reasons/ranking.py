"""The choice of the reasons that matter most."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean

from byzanz.rules import Action, View

from .finding import reasons
from .reason import Reason

SHOWN = 3
"""How many reasons are shown by default."""

LIGHT = 0.4
"""Reasons with less weight are shown only if there are no others."""


def rank(
    view: View,
    found: Iterable[Reason],
    candidates: Mapping[Action, float] | None = None,
    most: int = SHOWN,
) -> list[Reason]:
    """Return the reasons that matter most, at most one of each topic.

    Without ``candidates``, the reasons' own weights decide. If ``candidates`` is given, each reason
    also has an effect: the mean win probability of the candidates with a reason of this kind, minus
    the mean of the other candidates. For a reason against an action, the sign is reversed. Reasons
    are sorted by weight times effect. Those whose effect is not positive, and those that all
    candidates have, come last, sorted by weight. Reasons with a weight below :data:`LIGHT` are used
    only if all weights are below it.
    """
    effects = _effects(view, candidates or {})

    def merit(reason: Reason) -> tuple[float, float]:
        effect = max(effects.get((reason.code, reason.supports), 0.0), 0.0)
        return reason.weight * effect, reason.weight

    found = list(found)
    heavy = [reason for reason in found if reason.weight >= LIGHT] or found
    chosen: dict[str, Reason] = {}
    for reason in sorted(heavy, key=merit, reverse=True):
        chosen.setdefault(reason.topic, reason)
    return list(chosen.values())[:most]


def _effects(view: View, candidates: Mapping[Action, float]) -> dict[tuple[str, bool], float]:
    """Return the effect of each kind of reason that holds for some candidates but not for all."""
    holds = {
        action: {(reason.code, reason.supports) for reason in reasons(view, action)}
        for action in candidates
    }
    effects = {}
    for kind in set().union(*holds.values()):
        having = [candidates[action] for action in candidates if kind in holds[action]]
        lacking = [candidates[action] for action in candidates if kind not in holds[action]]
        if having and lacking:
            effects[kind] = (fmean(having) - fmean(lacking)) * (1 if kind[1] else -1)
    return effects
