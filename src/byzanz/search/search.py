"""Search: comparison of candidate actions in sampled worlds.

In a world, the cards that the seat has not seen are dealt at random. All candidates are tried in
the same worlds, so that the luck of the cards does not favour one of them. As the budget
is used up, candidates that look worse drop out, and the rest are tried in more worlds.

An :class:`Evaluator` proposes the candidates, tries them, and decides when they drop out.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan, sqrt
from time import perf_counter
from typing import NamedTuple, Protocol

import numpy as np

from byzanz.fast.layout import Floats, Ints
from byzanz.rules import Action, Phase, View

from .budget import Budget


@dataclass(frozen=True, slots=True)
class Candidate:
    """An action that the search considered, with its estimated win probability."""

    action: Action
    win_probability: float | None
    """None if the action was the only candidate, because then the search samples no worlds."""
    standard_error: float | None
    """Standard error of the win probability; None if a stage had fewer than two worlds."""
    worlds: int
    """Number of worlds in which the action was tried."""


class Stage(ABC):
    """A way to try candidates in worlds, and a rule for dropping candidates."""

    batch = 1
    """The number of results between two checks of the clock, for all candidates together."""
    end = 1.0
    """Share of the budget at which the stage ends."""
    earlier_weight = 0.0
    """The weight of the earlier stages' estimate, if this stage's estimate has weight 1."""

    @abstractmethod
    def evaluate(self, candidates: Ints, results: Floats) -> int:
        """Write the candidates' win probabilities, a row per world; return the iteration count."""

    @abstractmethod
    def survivors(self, candidates: Ints, results: Floats, used: float) -> Ints:
        """Return the indices of the candidates that stay, best first.

        ``results`` has a row per world of this stage and a column per candidate; ``used`` is the
        used share of the budget. At the :attr:`end` of the last stage, one candidate stays.
        """


class Plan(NamedTuple):
    """The candidates of a decision, and the stages that compare them."""

    actions: Sequence[Action]
    stages: Sequence[Stage]


class Evaluator(Protocol):
    """The interface of objects that propose candidates and evaluate them in sampled worlds."""

    def plan(self, view: View, budget: Budget, chance: int) -> Plan:
        """Return the candidates for the viewer, who is to act, and the stages to compare them.

        ``chance`` seeds the sampled worlds.
        """


def search(view: View, evaluator: Evaluator, budget: Budget, chance: int) -> list[Candidate]:
    """Return the candidates for the viewer: first the chosen one, then the others, best first.

    With a budget in iterations the result depends only on the view and the seed ``chance``.
    Raises ValueError if the viewer is not to act, and in the final sale, which needs no search.
    """
    if view.turn != view.seat or view.phase in (Phase.FINAL_SALE, Phase.OVER):
        raise ValueError("search needs a viewer who is to act before the final sale")
    clock = _Clock(budget)
    plan = evaluator.plan(view, budget, chance)
    left = np.arange(len(plan.actions))
    estimates = _Estimates(len(plan.actions))
    for stage in plan.stages:
        left = _run(stage, left, clock, estimates)
    return estimates.candidates(plan.actions, int(left[0]))


class _Clock:
    """The budget of a decision, and how much of it is used."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._start = perf_counter()
        self.iterations = 0

    def used(self) -> float:
        return self._budget.used(perf_counter() - self._start, self.iterations)


class _Estimates:
    """Each candidate's mean win probability, that mean's variance, and the number of worlds."""

    def __init__(self, candidates: int) -> None:
        self._means = np.zeros(candidates)
        self._variances = np.full(candidates, np.nan)
        self._worlds = np.zeros(candidates, np.int64)

    def add(self, candidates: Ints, results: Floats, earlier_weight: float) -> None:
        """Merge all results that these candidates got in a stage into the estimates."""
        worlds, weight = len(results), 1 / (1 + earlier_weight)
        means = results.sum(axis=0) / worlds
        squares = np.square(results - means).sum(axis=0)
        variances = squares / (worlds * (worlds - 1)) if worlds > 1 else np.nan
        if earlier_weight:
            means = weight * means + (1 - weight) * self._means[candidates]
            variances = weight**2 * variances + (1 - weight) ** 2 * self._variances[candidates]
        self._means[candidates] = means
        self._variances[candidates] = variances
        self._worlds[candidates] += worlds

    def candidates(self, actions: Sequence[Action], chosen: int) -> list[Candidate]:
        """Return the candidates, the chosen one first."""
        columns = self._means.tolist(), self._variances.tolist(), self._worlds.tolist()
        found = [
            Candidate(
                action,
                mean if worlds else None,
                None if isnan(variance) else sqrt(variance),
                worlds,
            )
            for action, mean, variance, worlds in zip(actions, *columns, strict=True)
        ]
        best = found.pop(chosen)
        return [best, *sorted(found, key=lambda each: each.win_probability or 0.0, reverse=True)]


def _run(stage: Stage, candidates: Ints, clock: _Clock, estimates: _Estimates) -> Ints:
    """Try the candidates until the stage ends or one is left; return those left, best first."""
    results = np.zeros((0, len(candidates)))
    used = 0.0
    while len(candidates) > 1 and used < stage.end:
        batch = np.zeros((max(stage.batch // len(candidates), 1), len(candidates)))
        clock.iterations += stage.evaluate(candidates, batch)
        results = np.concatenate((results, batch))
        used = clock.used()
        stay = stage.survivors(candidates, results, used)
        if len(stay) < len(candidates):
            dropped = np.ones(len(candidates), np.bool_)
            dropped[stay] = False
            estimates.add(candidates[dropped], results[:, dropped], stage.earlier_weight)
        candidates, results = candidates[stay], results[:, stay]
    if len(results):
        estimates.add(candidates, results, stage.earlier_weight)
    return candidates
