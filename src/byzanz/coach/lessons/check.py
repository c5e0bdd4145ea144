"""Check a lesson: its positions can be reached, and its accepted answers are the best.

The check of a step has four parts:

- its deal and its actions are legal and lead to its position;
- every accepted answer and every answer with a reply is legal;
- the search prefers every accepted answer to every other action by at least the step's margin, in
  2,000 sampled worlds; actions that the network never chooses count as worse;
- every text is translated into every language.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from typing import NamedTuple

import numpy as np

from byzanz.fast.layout import Floats, Ints
from byzanz.locale import LANGUAGES, load_translations
from byzanz.network import Network
from byzanz.notation import Malformed, parse_action, write_action, write_view
from byzanz.rules import Action, Phase, Sell, View, best_sales, kept, profit
from byzanz.search.budget import Budget
from byzanz.search.network_evaluator import NetworkEvaluator
from byzanz.search.search import Candidate, Plan, Stage, search

from .lesson import BadLesson, Lesson
from .positions import Position, positions

WORLDS = 2000
"""The number of worlds in which each candidate is tried."""
MIN_MARGIN = 1.0
"""The smallest margin that a step may state, in points of win probability."""
_SEED = 2000
_FIRST_WORLDS = 200
"""The number of worlds before a candidate may drop out."""
_FAR_BEHIND, _SURE_ERRORS = 0.05, 4.0
"""A candidate drops out if it is more than five points behind by four standard errors."""
_TEXT_LENGTH = 330
"""The most characters of a text that fits on a phone."""


class Proof(NamedTuple):
    """The result of the search for one step."""

    preferred: bool
    """Whether the accepted answers lead by the stated margin."""
    lead: float
    """The measured lead, in points of win probability, or of profit in the final sale."""
    candidates: tuple[tuple[str, float], ...]
    """The considered actions, best first, with their win probabilities or profits in points."""


def faults(lesson: Lesson) -> Iterator[str]:
    """Yield what is wrong with a lesson, apart from what only the search can tell."""
    try:
        found = positions(lesson)
    except BadLesson as error:
        yield str(error)
        return
    for number, position in enumerate(found, start=1):
        for fault in _step_faults(position):
            yield f"{lesson.name}, step {number}: {fault}"
    for fault in _text_faults(lesson):
        yield f"{lesson.name}: {fault}"


def prove(position: Position, worlds: int = WORLDS, tolerance: float = 0.0) -> Proof:
    """Compare the accepted answers with all others; ``tolerance`` lowers the margin."""
    view, accepted = position.view, set(position.step.accept)
    if view.phase is Phase.FINAL_SALE:
        values = tuple((write_action(action), _earned(view, action)) for action in view.options)
    else:
        found = search_all(view, worlds)
        values = tuple((write_action(one.action), _points(one)) for one in found)
    ordered = tuple(sorted(values, key=lambda value: -value[1]))
    right = [value for action, value in values if action in accepted]
    wrong = [value for action, value in values if action not in accepted]
    considered = len(right) == len(accepted) and bool(wrong)
    lead = min(right) - max(wrong) if considered else 0.0
    margin = 1.0 if view.phase is Phase.FINAL_SALE else position.step.margin - tolerance
    return Proof(considered and lead >= margin, lead, ordered)


def search_all(view: View, worlds: int) -> list[Candidate]:
    """Search, and try each candidate that is not clearly worse in this number of worlds."""
    evaluator = _Thorough(worlds)
    count = len(evaluator.plan(view, Budget(iterations=1), _SEED).actions)
    return search(view, evaluator, Budget(iterations=worlds * count), _SEED)


class _Thorough:
    """An evaluator that uses the network in a fixed number of worlds."""

    def __init__(self, worlds: int) -> None:
        self._evaluator = NetworkEvaluator(Network.load())
        self._worlds = worlds

    def plan(self, view: View, budget: Budget, chance: int) -> Plan:
        plan = self._evaluator.plan(view, budget, chance)
        return Plan(plan.actions, [_FixedWorlds(stage, self._worlds) for stage in plan.stages])


class _FixedWorlds(Stage):
    """A stage that drops only candidates that are certainly far behind."""

    batch = 64

    def __init__(self, stage: Stage, worlds: int) -> None:
        self._stage = stage
        self._worlds = worlds

    def evaluate(self, candidates: Ints, results: Floats) -> int:
        return self._stage.evaluate(candidates, results)

    def survivors(self, candidates: Ints, results: Floats, used: float) -> Ints:  # noqa: ARG002
        worlds = len(results)
        order: Ints = np.argsort(-results.mean(0), kind="stable")
        if worlds >= self._worlds:
            return order[:1]
        if worlds < _FIRST_WORLDS:
            return order
        behind = results[:, order[0], None] - results
        least = behind.mean(0) - _SURE_ERRORS * behind.std(0) / sqrt(worlds)
        near: Ints = order[(least <= _FAR_BEHIND)[order]]
        return near


def _points(candidate: Candidate) -> float:
    return 100 * (candidate.win_probability or 0.0)


def _earned(view: View, action: Action) -> float:
    """Return the profit of the final sale if this action comes next."""
    if not isinstance(action, Sell):
        return 0.0
    hand = list(view.hand)
    for card in action.cards:
        hand.remove(card)
    rest = best_sales(tuple(hand), last=True)
    return float(profit([kept(action.cards)]) + sum(profit([kept(sale.cards)]) for sale in rest))


def _step_faults(position: Position) -> Iterator[str]:
    step, view = position.step, position.view
    if write_view(view) != step.position:
        yield f"the actions lead to another position: {write_view(view)}"
    if not step.accept:
        yield "expected at least one accepted answer"
    for answer in step.accept:
        yield from _answer_faults(view, answer)
    for answer in step.replies:
        if " " in answer:
            yield from _answer_faults(view, answer)
        if answer in step.accept:
            yield f"an accepted answer has a reply for wrong answers: {answer}"
    if view.phase is not Phase.FINAL_SALE and step.margin < MIN_MARGIN:
        yield f"expected a margin of at least {MIN_MARGIN} points, not {step.margin}"


def _answer_faults(view: View, answer: str) -> Iterator[str]:
    try:
        action = parse_action(answer)
    except Malformed as error:
        yield str(error)
        return
    refusal = view.options.refusal(action)
    if refusal is not None:
        yield f"'{answer}' is not legal: {refusal.reason.value}"
    if write_action(action) != answer:
        yield f"expected '{write_action(action)}' for '{answer}'"


def _text_faults(lesson: Lesson) -> Iterator[str]:
    for text in lesson.texts():
        for code in LANGUAGES:
            translated = load_translations(code).gettext(text)
            if code != "en" and translated == text:
                yield f"no {LANGUAGES[code]} for: {text}"
            if len(translated) > _TEXT_LENGTH:
                yield f"more than {_TEXT_LENGTH} characters ({code}): {translated}"
