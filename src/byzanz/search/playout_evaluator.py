"""Evaluation of candidates by playouts with the trader's policy."""

from __future__ import annotations

from math import ceil, log2, sqrt

import numpy as np

from byzanz.fast import RECORD_LENGTH
from byzanz.fast.convert import record_of
from byzanz.fast.layout import Floats, Ints, Record
from byzanz.rules import View

from .budget import Budget
from .move_conversion import action_for
from .playouts import MAX_CANDIDATES, evaluate_worlds, write_candidates
from .search import Plan, Stage
from .trader_parameters import hand_values, parameters, score_weights

_BATCH = 32
"""The number of playouts between two checks of the clock; they take a few milliseconds."""
_MAX_PLAIN = Budget(seconds=0.2), Budget(iterations=8000)
"""The most that the plain stage may use; more worlds would not change its ranking."""
_MIN_PLAIN = Budget(seconds=0.005), Budget(iterations=200)
"""The least that the plain stage gets; with fewer worlds, the finalists would be arbitrary."""
_PLAIN_SHARE = 0.4
"""The plain stage's share of the budget, within these limits."""
_FINALISTS = 3
"""The number of candidates that enter the nested stage."""
_PLAIN_WEIGHT = 0.5
"""The weight of the plain stage's estimate relative to the nested stage's."""
_CLEAR_LEAD, _CLEAR_SPREAD = 0.05, 0.5
"""A candidate is clearly worse if its win probability is more than a margin below the best one.

The margin is the first number plus the second divided by the square root of the number of worlds.
"""
_MIN_NESTED_WORLDS = 16
"""The number of worlds after which the nested stage may end early."""
_CLEAR_ERRORS, _NEGLIGIBLE = 4.0, 0.003
"""The nested stage ends early if the choice is clear.

It is clear if the best candidate's lead over each other one either exceeds the first number of
standard errors, or is below the second number even with two standard errors added.
"""


class PlayoutEvaluator:
    """The evaluator of the bot ``strategist``, which plays each round to its end.

    In the *plain* stage, all seats play by the trader's policy, and sequential halving drops the
    worse half of the candidates in every step. Only the best candidates enter the *nested* stage,
    in which every seat searches too. That takes about a hundred times as long per world.
    """

    def plan(self, view: View, budget: Budget, chance: int) -> Plan:
        """Return the candidates and both stages; with a small budget only the plain stage runs."""
        root = record_of(view, chance)
        moves = np.zeros(MAX_CANDIDATES, dtype=np.int64)
        count = write_candidates(root, hand_values(), parameters(len(view.players)), moves)
        sampler = _Sampler(root, moves[:count].copy(), len(view.players))
        share = _plain_share(budget)
        plain = _PlainStage(sampler, share, finalists=1 if share == 1 else _FINALISTS)
        actions = [action_for(int(move)) for move in moves[:count]]
        return Plan(actions, [plain, _NestedStage(sampler, plain)])


def _plain_share(budget: Budget) -> float:
    """Return the share of the budget that the plain stage takes."""
    least, most = (
        max(budget.used(limit.seconds or 0, limit.iterations or 0) for limit in limits)
        for limits in (_MIN_PLAIN, _MAX_PLAIN)
    )
    return min(max(_PLAIN_SHARE, least), most, 1.0)


class _Sampler:
    """Samples worlds for one position, and plays out candidates in them."""

    def __init__(self, root: Record, moves: Ints, players: int) -> None:
        self.moves = moves
        self._root = root
        self._trader = hand_values(), parameters(players), score_weights()
        self._scratch = np.zeros((5, RECORD_LENGTH), dtype=np.int64), np.zeros(MAX_CANDIDATES)

    def evaluate(self, candidates: Ints, results: Floats, *, nested: bool) -> int:
        """Write the candidates' win probabilities, a row per world; return the playout count."""
        moves = self.moves[candidates]
        return int(
            evaluate_worlds(self._root, *self._trader, moves, results, *self._scratch, nested)
        )


class _PlainStage(Stage):
    """A stage of sequential halving, which also drops clearly worse candidates."""

    batch = _BATCH

    def __init__(self, sampler: _Sampler, share: float, finalists: int) -> None:
        self._sampler = sampler
        self._finalists = finalists
        count = len(sampler.moves)
        steps = ceil(log2(count))
        self._step_ends = [share * step / steps for step in range(1, steps + 1)]
        self.end = self._step_ends[-1] if self._step_ends else share
        self._totals, self._worlds = np.zeros(count), 0
        self.means = np.zeros(count)
        """Each candidate's mean win probability after the last step that it took part in."""

    def evaluate(self, candidates: Ints, results: Floats) -> int:
        playouts = self._sampler.evaluate(candidates, results, nested=False)
        self._totals[candidates] += results.sum(axis=0)
        self._worlds += len(results)
        return playouts

    def survivors(self, candidates: Ints, results: Floats, used: float) -> Ints:  # noqa: ARG002
        stay: Ints = np.arange(len(candidates))
        while self._step_ends and used >= self._step_ends[0]:
            del self._step_ends[0]
            stay = stay[self._better_half(candidates[stay])]
        return stay

    def _better_half(self, candidates: Ints) -> Ints:
        """Return the indices of the candidates that stay after a step, best first."""
        means = self._totals[candidates] / self._worlds
        best = np.argsort(-means, kind="stable")[: max((len(means) + 1) // 2, self._finalists)]
        clear = _CLEAR_LEAD + _CLEAR_SPREAD / sqrt(self._worlds)
        self.means[candidates] = means
        # Rounding decides near ties, so the next step continues from the rounded means.
        self._totals[candidates] = means * self._worlds
        return best[means[best] >= means[best[0]] - clear]


class _NestedStage(Stage):
    """A stage that tries all finalists in one world at a time, until the choice is clear."""

    earlier_weight = _PLAIN_WEIGHT

    def __init__(self, sampler: _Sampler, plain: _PlainStage) -> None:
        self._sampler = sampler
        self._plain = plain

    def evaluate(self, candidates: Ints, results: Floats) -> int:
        return self._sampler.evaluate(candidates, results, nested=True)

    def survivors(self, candidates: Ints, results: Floats, used: float) -> Ints:
        scores = results + _PLAIN_WEIGHT * self._plain.means[candidates]
        if used >= self.end or (len(results) >= _MIN_NESTED_WORLDS and is_settled(scores)):
            return np.argsort(-scores.mean(axis=0), kind="stable")[:1]
        return np.arange(len(candidates))


def is_settled(scores: Floats) -> bool:
    """Return whether the best column's lead over every other column is significant or negligible.

    ``scores`` has a row per world. Leads are compared world by world.
    """
    best = int(scores.mean(axis=0).argmax())
    leads = np.delete(scores[:, [best]] - scores, best, axis=1)
    means, errors = leads.mean(axis=0), leads.std(axis=0) / sqrt(len(leads))
    return bool(np.all((means > _CLEAR_ERRORS * errors) | (means + 2 * errors < _NEGLIGIBLE)))
