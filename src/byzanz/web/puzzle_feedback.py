"""Feedback on an answer to a puzzle: right or wrong, reasons in words, and the candidates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from gettext import NullTranslations
from typing import NamedTuple

from byzanz.coach.puzzles import Puzzle, load_puzzles
from byzanz.coach.reasons import NAMING_ANOTHER, Reason, compare, rank
from byzanz.messages import Move, move_of, reason_text
from byzanz.notation import parse_action, write_action
from byzanz.rules import Action, Refusal

_SHOWN = 5
"""The maximum number of candidates shown, besides the chosen one."""


class Option(NamedTuple):
    """A candidate as the page shows it."""

    action: str
    move: Move
    percent: int
    """The estimated win probability, in per cent."""
    best: bool
    chosen: bool


class Feedback(NamedTuple):
    """The judgement of an answer."""

    right: bool
    refusal: Refusal | None
    """Why the rules refuse the answer, if they do."""
    reasons: tuple[str, ...]
    behind: float | None
    """How far the answer is behind the best one, in points; None if it was not compared."""


def judge(
    puzzle: Puzzle, action: Action, names: Sequence[str], translations: NullTranslations
) -> Feedback:
    """Judge an answer; ``names`` are the players' names by seat."""
    refusal = puzzle.view().options.refusal(action)
    if refusal is not None:
        return Feedback(right=False, refusal=refusal, reasons=(), behind=None)
    text = write_action(action)
    found = puzzle.candidate(text)
    return Feedback(
        right=text == puzzle.answer,
        refusal=None,
        reasons=tuple(
            reason_text(reason.code, reason.parameters, names, translations)
            for reason in reasons_for(puzzle.id, text)
        ),
        behind=None if found is None else found.behind,
    )


@lru_cache(maxsize=1024)
def reasons_for(name: str, answer: str) -> tuple[Reason, ...]:
    """Return why the best action is right, or what speaks against another one.

    The right answer is compared with the second best one.
    """
    puzzle = load_puzzles()[name]
    view, best, played = puzzle.view(), puzzle.action(), parse_action(answer)
    second = parse_action(puzzle.candidates[1].action or "")
    values = {parse_action(one.action or ""): one.win_probability for one in puzzle.candidates}
    if played == best:
        found = compare(view, best, second)
        return tuple(rank(view, found.for_best or found.against_played, values))
    against = compare(view, best, played).against_played
    return tuple(rank(view, [one for one in against if one.code not in NAMING_ANOTHER], values))


def solution_reasons(
    puzzle: Puzzle, names: Sequence[str], translations: NullTranslations
) -> tuple[str, ...]:
    """Return why the best action is right."""
    return tuple(
        reason_text(reason.code, reason.parameters, names, translations)
        for reason in reasons_for(puzzle.id, puzzle.answer)
    )


def options_of(
    puzzle: Puzzle, chosen: str | None, translations: NullTranslations
) -> tuple[Option, ...]:
    """Return the best candidates, and the chosen one if it was compared."""
    view = puzzle.view()
    shown = [
        one for place, one in enumerate(puzzle.candidates) if place < _SHOWN or one.action == chosen
    ]
    return tuple(
        Option(
            one.action or "",
            move_of(parse_action(one.action or ""), view, translations),
            percent=round(100 * one.win_probability),
            best=one.action == puzzle.answer,
            chosen=one.action == chosen,
        )
        for one in shown
    )
