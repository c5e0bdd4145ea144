"""A network that can be asked what it would play, and who will win."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import action_of
from byzanz.encoding.numbers import ADD, CONFIRM
from byzanz.fast import write_features
from byzanz.fast.convert import words_for
from byzanz.fast.layout import TURN, Words
from byzanz.rules import Action, Bid, Card, View

from .forward import MOST_NUMBERS, chances, decide, policy, write_choices
from .layers import room_for
from .weights import SHIPPED, Floats, Layer, Weights


class Network:
    """Weights, and room to work in. One call at a time."""

    def __init__(self, weights: Weights, parts: tuple[Any, ...] | None = None) -> None:
        """A network of these weights; ``parts`` are theirs if another network has them already."""
        self.weights = weights
        self.parts = parts or _parts(weights)
        self.room = room_for(weights.shape)
        self._row, self._mask, self._shares, *_ = self.room
        self._numbers = np.zeros(MOST_NUMBERS, np.int64)

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> Network:
        """The network in a file, read when it is new; all networks of it share its arrays."""
        return cls(*_read(str(path), Path(path).stat().st_mtime_ns))

    def choose(self, view: View, heat: float = 0.0, chance: int = 0) -> Action:
        """What the network plays for the viewer, who is to act.

        Without heat it is the likeliest; heat 1 leaves it to chance by the network's own shares.
        """
        count = decide(self.parts, self.room, words_for(view, chance), heat, self._numbers)
        return action_for(self._numbers[:count].tolist())

    def chances(self, view: View) -> tuple[float, ...]:
        """Each seat's chance to win, by seat, as the viewer sees it, who is to act."""
        if view.turn is None or view.turn != view.seat:
            raise ValueError("the network judges a position for the seat that is to act")
        write_features(words_for(view), view.turn, self._row)
        chances(self.parts, self.room)
        players = len(view.players)
        return tuple(float(self._shares[(seat - view.turn) % players]) for seat in range(players))

    def shares(self, game: Words) -> Floats:
        """How likely the network plays each number for the seat on turn of a record."""
        write_choices(game, self._mask)
        write_features(game, int(game[TURN]), self._row)
        policy(self.parts, self.room)
        return self._shares.copy()


def action_for(numbers: list[int]) -> Action:
    """The action that some numbers are: one of them, or a bid's cards and the confirmation."""
    laid = tuple([Card(number - ADD) for number in numbers if number < CONFIRM])
    return action_of(numbers[-1]) or Bid(laid)


@lru_cache(maxsize=4)
def _read(path: str, changed: int) -> tuple[Weights, tuple[Any, ...]]:  # noqa: ARG001
    weights = Weights.load(path)
    return weights, _parts(weights)


def _parts(weights: Weights) -> tuple[Any, ...]:
    """The arrays as the compiled functions take them; heads lie by outputs."""
    heads = weights.good_head, weights.table_head, weights.player_head
    by_output = [(np.ascontiguousarray(matrix.T), vector) for matrix, vector in heads]
    kinds = zip(Layer._fields, zip(*weights.layers, strict=True), strict=True)
    return (
        tuple(in_steps(each) if "_to_" in name else _stacked(each) for name, each in kinds),
        *[array for head in by_output for array in head],
        weights.corrections,
    )


def in_steps(matrices: Sequence[Floats]) -> tuple[npt.NDArray[np.int16], Floats]:
    """All layers' matrices in half of the bytes: how many steps, and each input's step."""
    whole = _stacked(matrices)
    steps = np.abs(whole).max(axis=2) / np.float32(np.iinfo(np.int16).max)
    steps[steps == 0] = 1
    return np.rint(whole / steps[:, :, None]).astype(np.int16), steps


def _stacked(arrays: Sequence[Floats]) -> Floats:
    """One array of all layers' arrays; the first layer's are given less, and get rows of zeros."""
    most = max(len(array) for array in arrays)
    rows = [((0, most - len(array)), *[(0, 0)] * (array.ndim - 1)) for array in arrays]
    return np.stack([np.pad(array, more) for array, more in zip(arrays, rows, strict=True)])
