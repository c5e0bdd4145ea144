"""Evaluation of candidates with the network."""

from __future__ import annotations

from heapq import heappop, heappush
from math import ceil, log2, sqrt

import numpy as np

from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import RECORD_LENGTH, layout, step, write_features, write_shares
from byzanz.fast.convert import record_of
from byzanz.fast.jit import nogil_entry, part
from byzanz.fast.layout import PHASE, TURN, Floats, Ints, Record
from byzanz.fast.worlds import copy_game
from byzanz.network import Network
from byzanz.network.forward import (
    MOST_NUMBERS,
    choose_number,
    only_number,
    win_probabilities,
    write_choice_mask,
)
from byzanz.network.layers import Net, Workspace
from byzanz.network.network import action_for
from byzanz.rules import View

from .budget import Budget
from .search import Plan, Stage
from .worlds import sample_world

MAX_CANDIDATES = 8
"""The maximum number of candidates."""
_MIN_PROBABILITY = 0.0005
"""The search ignores action numbers to which the policy gives a lower probability."""
_PRIOR_WEIGHT = 0.02
"""Weight of the log prior, relative to the result of one world."""
_BATCH = 8
"""The number of results between two checks of the clock."""
_MIN_WORLDS = 8
"""The number of worlds after which a significantly worse candidate may drop out."""
_CLEAR_ERRORS = 3.0
"""A candidate drops out if it is worse than the best by more than this many standard errors."""
_PRIOR_VARIANCE = 0.01
"""A variance that is added to the measured one, so that a few equal results do not look certain."""


class NetworkEvaluator:
    """The evaluator of the bot ``emperor``, which tries the network's most probable actions.

    In each world, all seats play as the network suggests until a new offer has been turned up and
    the searching player has a choice. There the network estimates this player's win probability.
    """

    def __init__(self, network: Network) -> None:
        self._network = network

    def plan(self, view: View, budget: Budget, chance: int) -> Plan:  # noqa: ARG002
        """Return the most probable actions and the one stage that compares them."""
        root = record_of(view, chance)
        sequences, prior = most_probable(self._network, root)
        return Plan(
            [action_for(numbers) for numbers in sequences],
            [_Stage(self._network, root, sequences, prior)],
        )


class _Stage(Stage):
    """A stage that halves the candidates as the budget is used up.

    Significantly worse candidates drop out sooner.
    """

    batch = _BATCH

    def __init__(
        self, network: Network, root: Record, sequences: list[list[int]], prior: list[float]
    ) -> None:
        self._network = network
        self._root = root
        self._numbers = np.full((len(sequences), MOST_NUMBERS), -1, np.int64)
        for place, numbers in enumerate(sequences):
            self._numbers[place, : len(numbers)] = numbers
        self._log_prior = np.log(np.array(prior))
        self._scratch = np.zeros((2, RECORD_LENGTH), np.int64), np.zeros(SLOTS)

    def evaluate(self, candidates: Ints, results: Floats) -> int:
        network = self._network
        numbers = self._numbers[candidates]
        evaluate_worlds(
            network.arrays, network.workspace, self._root, numbers, results, *self._scratch
        )
        return results.size

    def survivors(self, candidates: Ints, results: Floats, used: float) -> Ints:
        total = len(self._numbers)
        most = ceil(total / 2 ** int(ceil(log2(total)) * min(used, 1)))
        return contenders(results, self._log_prior[candidates])[:most]


def contenders(results: Floats, log_prior: Floats) -> Ints:
    """Return the columns that are not significantly worse than the best one, best first.

    ``results`` has a row per world. Columns are ranked by mean result plus a bonus for the prior.
    """
    worlds = len(results)
    scores = results.mean(0) + _PRIOR_WEIGHT * log_prior / sqrt(worlds)
    order: Ints = np.argsort(-scores, kind="stable")
    if worlds < _MIN_WORLDS:
        return order
    best = order[0]
    variance = (results[:, best, None] - results).var(0) + _PRIOR_VARIANCE / worlds
    return order[(scores[best] - scores <= _CLEAR_ERRORS * np.sqrt(variance / worlds))[order]]


def most_probable(network: Network, root: Record) -> tuple[list[list[int]], list[float]]:
    """Return the policy's most probable actions, as action numbers, and their probabilities.

    A best-first search builds each bid card by card.
    """
    sequences: list[list[int]] = []
    prior: list[float] = []
    queue: list[tuple[float, list[int], Record]] = [(-1.0, [], root)]
    while queue and len(sequences) < MAX_CANDIDATES:
        negative, numbers, game = heappop(queue)
        if numbers and numbers[-1] >= CONFIRM:
            sequences.append(numbers)
            prior.append(-negative)
            continue
        policy = network.policy(game)
        least = min(_MIN_PROBABILITY, float(policy.max()))
        for number in np.flatnonzero(policy >= least).tolist():
            after = game
            if number < CONFIRM:
                after = game.copy()
                step(after, number)
            # The numbers of two entries always differ, so the heap never compares records.
            heappush(queue, (negative * float(policy[number]), [*numbers, number], after))
    return sequences, prior


@nogil_entry
def evaluate_worlds(
    net: Net, workspace: Workspace, root: Record, numbers: Ints, results: Floats, games: Record,
    shares: Floats,
) -> None:  # fmt: skip
    """Sample a world for each row of ``results`` and write each candidate's win probability in it.

    ``numbers`` has a row of action numbers per candidate, padded with -1. Advances the root's
    random state; ``games`` has room for two engine records.
    """
    seat = root[TURN]
    world, game = games[0], games[1]
    for row in range(len(results)):
        sample_world(root, seat, world)
        for place in range(len(numbers)):
            copy_game(world, game)
            for number in numbers[place]:
                if number >= 0:
                    step(game, number)
            results[row, place] = _play_out(net, workspace, game, seat, root[layout.DRAWN], shares)


@part
def _play_out(
    net: Net, workspace: Workspace, game: Record, seat: int, drawn: int, shares: Floats
) -> float:
    """Return the seat's win probability, estimated where it has a choice at a new offer.

    All seats play as the network suggests until a new offer has been turned up and the seat has a
    choice. If the game ends before that, its result counts.

    The estimate is made from the seat's own view. In another seat's view, the seat's hidden
    cards would look like average cards, so the search would prefer to keep the worst cards hidden.
    """
    row, mask, output, _, _ = workspace
    while game[PHASE] != layout.OVER:
        if game[TURN] == seat and game[layout.DRAWN] > drawn and game[layout.LAID] == 0:
            write_choice_mask(game, mask)
            if only_number(mask) < 0:
                write_features(game, seat, row)
                win_probabilities(net, workspace)
                return output[0]
        step(game, choose_number(net, workspace, game, 0.0, 0.0))
    write_shares(game, shares)
    return shares[seat]
