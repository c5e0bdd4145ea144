"""The grade of a decision in words: its mark, its action, and the reasons."""

from __future__ import annotations

from functools import lru_cache
from gettext import NullTranslations
from typing import NamedTuple

from byzanz.locale import _
from byzanz.messages import Move, move_of
from byzanz.rules import Action

from .reasons import Reason, compare, rank, reasons
from .results import Decision, Evaluation

_EACH = 2
"""The most reasons that are shown for the best action, and the most against the played one."""

MARK_NAMES = {
    "blunder": _("blunder"),
    "mistake": _("mistake"),
    "inaccuracy": _("inaccuracy"),
    "star": _("hard move found"),
}
"""The names of the marks and of the star."""


class Explanation(NamedTuple):
    """The reasons that matter most for the grade of a decision."""

    played: tuple[Reason, ...]
    """The reasons for the played action if it is the best one, otherwise those against it."""
    best: tuple[Reason, ...]
    """The reasons for the best action; empty if it was played or is to wait."""


@lru_cache(512)
def explain_decision(decision: Decision) -> Explanation:
    """Return the reasons for the grade of a decision."""
    evaluation = decision.evaluation
    view, values = evaluation.view(), values_of(evaluation)
    played, best = decision.candidate.parsed(), evaluation.best.parsed()
    if played is None:
        return Explanation((), ())
    if best is None or played == best:
        found = [one for one in reasons(view, played) if one.supports == (played == best)]
        return Explanation(tuple(rank(view, found, values)), ())
    compared = compare(view, best, played)
    return Explanation(
        tuple(rank(view, compared.against_played, values, most=_EACH)),
        tuple(rank(view, compared.for_best, values, most=_EACH)),
    )


def values_of(evaluation: Evaluation) -> dict[Action, float]:
    """Return the win probabilities of the candidate actions, best first; waiting is left out."""
    return {
        action: candidate.win_probability
        for candidate in evaluation.candidates
        if (action := candidate.parsed()) is not None
    }


def mark_name(decision: Decision, translations: NullTranslations) -> str:
    """Return the name of a decision's mark or star."""
    name = MARK_NAMES[decision.mark or "star"]
    return translations.gettext(name)


def played_move(decision: Decision, translations: NullTranslations) -> Move:
    """Return the action that was played, in words."""
    return move_of(decision.candidate.parsed(), decision.evaluation.view(), translations)
