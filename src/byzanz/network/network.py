"""A network that chooses actions and estimates win probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import action_of
from byzanz.encoding.numbers import ADD, CONFIRM
from byzanz.fast import write_features
from byzanz.fast.convert import record_of
from byzanz.fast.layout import TURN, Bytes, Record
from byzanz.rules import Action, Bid, Card, View

from .batch import BatchArrays, batch_arrays
from .forward import MOST_NUMBERS, decide, policy, win_probabilities, write_choice_mask
from .layers import workspace_for
from .weights import SHIPPED, Floats, Layer, Weights


class Network:
    """A network: its weights, and a workspace for the forward pass. It is not thread-safe."""

    def __init__(self, weights: Weights, arrays: tuple[Any, ...] | None = None) -> None:
        """Create a network from weights; ``arrays`` is their prepared form, if there is one."""
        self.weights = weights
        self.arrays = arrays or _arrays(weights)
        self.workspace = workspace_for(weights.shape)
        self._row, self._mask, self._output, *_ = self.workspace
        self._numbers = np.zeros(MOST_NUMBERS, np.int64)

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> Network:
        """Return the network in a file; networks of the same file share their arrays."""
        return cls(*_read(str(path), Path(path).stat().st_mtime_ns))

    @cached_property
    def batch_arrays(self) -> BatchArrays:
        """The weights for :mod:`byzanz.network.batch`."""
        return batch_arrays(self.weights)

    def choose(
        self, view: View, temperature: float = 0.0, chance: int = 0, floor: float = 0.0
    ) -> Action:
        """Return the network's action for the viewer, who is to act.

        Temperature 0 takes the most probable action; temperature 1 samples from the policy.
        ``chance`` is the random state for sampling. An action number is never sampled if its
        probability is below ``floor`` times the highest probability.
        """
        record = record_of(view, chance)
        count = decide(self.arrays, self.workspace, record, temperature, floor, self._numbers)
        return action_for(self._numbers[:count].tolist())

    def win_probabilities(self, view: View) -> tuple[float, ...]:
        """Return each seat's win probability, by seat, as estimated from the viewer's view.

        Raises ValueError unless the viewer is to act.
        """
        if view.turn is None or view.turn != view.seat:
            raise ValueError("the network evaluates a position only for the seat to act")
        return self.estimate(view)

    def estimate(self, view: View) -> tuple[float, ...]:
        """Return each seat's win probability, even if the viewer is not to act.

        The network was trained on views of the seat to act, so it is less accurate on others.
        Raises ValueError for a spectator's view.
        """
        if view.seat is None:
            raise ValueError("the network evaluates a position only for a seat")
        write_features(record_of(view), view.seat, self._row)
        win_probabilities(self.arrays, self.workspace)
        players = len(view.players)
        return tuple(float(self._output[(seat - view.seat) % players]) for seat in range(players))

    def evaluate(self, rows: Bytes, masks: Bytes) -> tuple[Floats, Floats]:
        """Return the policies and win probabilities of many positions.

        See :func:`byzanz.network.batch_evaluation.evaluate`.
        """
        from .batch_evaluation import evaluate  # noqa: PLC0415 - it imports this module

        return evaluate(self, rows, masks)

    def policy(self, game: Record) -> Floats:
        """Return each action number's probability for the player to move in an engine record."""
        write_choice_mask(game, self._mask)
        write_features(game, int(game[TURN]), self._row)
        policy(self.arrays, self.workspace)
        return self._output.copy()


def action_for(numbers: list[int]) -> Action:
    """Return the action with these action numbers.

    A bid has a number for each card and then CONFIRM; any other action has a single number.
    """
    laid = tuple([Card(number - ADD) for number in numbers if number < CONFIRM])
    return action_of(numbers[-1]) or Bid(laid)


@lru_cache(maxsize=4)
def _read(path: str, changed: int) -> tuple[Weights, tuple[Any, ...]]:  # noqa: ARG001
    weights = Weights.load(path)
    return weights, _arrays(weights)


def _arrays(weights: Weights) -> tuple[Any, ...]:
    """Return the arrays that the compiled functions use; the heads' matrices are transposed."""
    heads = weights.good_head, weights.table_head, weights.player_head
    by_output = [(np.ascontiguousarray(matrix.T), vector) for matrix, vector in heads]
    kinds = zip(Layer._fields, zip(*weights.layers, strict=True), strict=True)
    return (
        tuple(quantise(each) if "_to_" in name else _stacked(each) for name, each in kinds),
        *[array for head in by_output for array in head],
        weights.calibration,
    )


def quantise(matrices: Sequence[Floats]) -> tuple[npt.NDArray[np.int16], Floats]:
    """Quantise all layers' matrices to 16 bits; return the integers and the scale of each input."""
    stacked = _stacked(matrices)
    scales = np.abs(stacked).max(axis=2) / np.float32(np.iinfo(np.int16).max)
    scales[scales == 0] = 1
    return np.rint(stacked / scales[:, :, None]).astype(np.int16), scales


def _stacked(arrays: Sequence[Floats]) -> Floats:
    """Stack all layers' arrays, padded with zeros where a layer has fewer inputs than another."""
    most = max(len(array) for array in arrays)
    rows = [((0, most - len(array)), *[(0, 0)] * (array.ndim - 1)) for array in arrays]
    return np.stack([np.pad(array, more) for array, more in zip(arrays, rows, strict=True)])
