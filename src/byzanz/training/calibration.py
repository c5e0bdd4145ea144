"""Calibration of a network's win probabilities: predictions compared with results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import SLOTS
from byzanz.fast import Batch, layout, step
from byzanz.fast.layout import PHASE, TURN, Bytes, Ints, Record
from byzanz.fast.parallel import by_rows
from byzanz.network.forward import choose_number, only_number, win_probabilities
from byzanz.network.layers import Floats, Net, workspace_for
from byzanz.network.network import Network
from byzanz.network.weights import Calibration, Weights

_MOST_DECISIONS = 512
"""An upper bound for the number of decisions in a game."""
_BATCH = 64
"""The number of games played at the same time."""


@dataclass(frozen=True)
class Bin:
    """Decisions with about the same predicted win probability."""

    predicted: float
    """The acting seat's mean predicted probability."""
    observed: float
    """The acting seat's mean share of the win."""
    standard_error: float
    """Standard error of ``error``; it allows for the dependence of decisions within a game."""
    decisions: int
    games: int

    @property
    def error(self) -> float:
        """The observed minus the predicted probability."""
        return self.observed - self.predicted


@dataclass(frozen=True)
class Predictions:
    """The win probabilities predicted at decisions, and the results, for one player count."""

    players: int
    predicted: Floats
    """By decision and slot, the predicted win probability."""
    observed: Floats
    """By decision and slot, the share of the win."""
    games: Ints
    """By decision, the number of the game."""

    def bins(self, count: int = 10) -> list[Bin]:
        """Group the decisions into bins of equal width by the acting seat's prediction."""
        places = np.minimum((self.predicted[:, 0] * count).astype(int), count - 1)
        return [self._bin(places == place) for place in range(count) if (places == place).any()]

    def calibration_error(self, count: int = 10) -> float:
        """Return the expected calibration error: the mean error of the bins, weighted by size."""
        found = self.bins(count)
        decisions = sum(each.decisions for each in found)
        return sum(each.decisions * abs(each.error) for each in found) / decisions

    def brier_score(self) -> float:
        """Return the mean squared error of the probabilities, summed over the seats.

        0 is perfect; predicting a fair share for every seat gives 1 - 1 / players.
        """
        error = self.predicted[:, : self.players] - self.observed[:, : self.players]
        return float((error.astype(float) ** 2).sum(1).mean())

    def _bin(self, chosen: npt.NDArray[np.bool_]) -> Bin:
        predicted = self.predicted[chosen, 0].astype(float)
        observed = self.observed[chosen, 0].astype(float)
        numbers, of_game = np.unique(self.games[chosen], return_inverse=True)
        by_game = np.bincount(of_game, observed - predicted)
        error = np.sqrt((by_game**2).sum()) / len(predicted)
        return Bin(
            float(predicted.mean()), float(observed.mean()), float(error), len(predicted),
            len(numbers),
        )  # fmt: skip

    def fit(self) -> Calibration:
        """Return the calibration parameters with the least log loss, found by Newton's method.

        The predictions must be uncalibrated.
        """
        predicted = self.predicted[:, : self.players].astype(np.float64)
        own = np.zeros_like(predicted)
        own[:, 0] = 1
        terms = np.stack([np.log(np.maximum(predicted, 1e-6)), own, predicted])
        found = np.array(Calibration())
        for _ in range(12):
            scores = np.tensordot(found, terms, 1)
            fitted = np.exp(scores - scores.max(1, keepdims=True))
            fitted /= fitted.sum(1, keepdims=True)
            gradient = ((fitted - self.observed[:, : self.players]) * terms).sum((1, 2))
            centred = terms - (fitted * terms).sum(2, keepdims=True)
            hessian = np.einsum("ds,ids,jds->ij", fitted, centred, centred)
            found -= np.linalg.solve(hessian + 1e-9 * np.eye(len(found)), gradient)
        return Calibration(*found.tolist())


def predict(
    network: Network, players: int, games: int, seed: int, temperature: float = 0.0
) -> Predictions:
    """Return the network's predictions in games against itself.

    There is one prediction for every decision with a choice. For a bid, it is made before the first
    card is laid.
    """
    return joined(collect(network, players, games, seed, temperature))


def joined(parts: Iterable[Predictions]) -> Predictions:
    """Join one or more parts of predictions."""
    every = list(parts)
    return Predictions(
        players=every[0].players,
        predicted=np.concatenate([part.predicted for part in every]),
        observed=np.concatenate([part.observed for part in every]),
        games=np.concatenate([part.games for part in every]),
    )


def collect(
    network: Network, players: int, games: int, seed: int, temperature: float = 0.0
) -> Iterator[Predictions]:
    """Yield the predictions of :func:`predict` in parts; :func:`part_count` says how many."""
    workspace = workspace_for(network.weights.shape)
    for first in range(0, games, _BATCH):
        count = min(_BATCH, games - first)
        batch = Batch(players, np.arange(first, first + count, dtype=np.uint64) + np.uint64(seed))
        predicted = np.zeros((count, _MOST_DECISIONS, SLOTS), np.float32)
        turns = np.zeros((count, _MOST_DECISIONS), np.int64)
        lengths = np.zeros(count, np.int64)
        rows, masks, outputs, scratches, nonzeros = (
            np.zeros((count, *part.shape), part.dtype) for part in workspace
        )
        _play(
            batch.games, predicted, turns, lengths, rows, masks, outputs, scratches, nonzeros,
            temperature, network.arrays,
        )  # fmt: skip
        _, shares = batch.results()
        made = np.arange(_MOST_DECISIONS) < lengths[:, None]
        game, _ = made.nonzero()
        seats = (turns[made][:, None] + np.arange(players)) % players
        observed = np.zeros((len(game), SLOTS), np.float32)
        observed[:, :players] = shares[game[:, None], seats]
        yield Predictions(players, predicted[made], observed, first + game)


def part_count(games: int) -> int:
    """Return the number of parts that :func:`collect` yields."""
    return -(-games // _BATCH)


def calibrated(weights: Weights, found: Mapping[int, Calibration]) -> Weights:
    """Return the weights with calibrations for these player counts, and for no others."""
    rows = [found.get(players, Calibration()) for players in (3, 4, 5, 6)]
    return replace(weights, calibration=np.array(rows, np.float32))


@by_rows(1)
def _play(
    games: Record,
    predicted: Floats,
    turns: Ints,
    lengths: Ints,
    rows: Bytes,
    masks: Bytes,
    outputs: Floats,
    scratches: Floats,
    nonzeros: Ints,
    temperature: float,
    net: Net,
) -> None:
    for place in range(len(games)):
        game, row, output = games[place], rows[place], outputs[place]
        workspace = (row, masks[place], output, scratches[place], nonzeros[place])
        while game[PHASE] != layout.OVER:
            number = choose_number(net, workspace, game, temperature, 0.0)
            if game[layout.LAID] == 0 and only_number(masks[place]) < 0:
                win_probabilities(net, workspace)
                at = lengths[place]
                for slot in range(SLOTS):
                    predicted[place, at, slot] = output[slot]
                turns[place, at] = game[TURN]
                lengths[place] = at + 1
            step(game, number)
