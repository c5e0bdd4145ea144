"""The weights of a network, and the file they lie in."""

from __future__ import annotations

import io
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, is_zipfile

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import GOODS

from .layout import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    HOLDINGS_BYTES,
    PLAYERS_BYTES,
    TABLE_BYTES,
    TABLE_NUMBERS,
)

Floats = npt.NDArray[np.float32]

SHIPPED = Path(__file__).with_name("weights.npz")
"""Where the weights lie that come with the package."""

FORMAT = 4

_COUNTS = 4
"""Numbers of players: 3, 4, 5 and 6."""

VIEWS = 3
"""Of several players is seen the viewer, the others' average, and the most that any other has."""


class Correction(NamedTuple):
    """What makes the chances say what comes: each becomes the softmax of its logarithm, corrected.

    Without one they are the softmax of the scores.
    """

    sharpness: float = 1.0
    """What the logarithm is multiplied by."""
    lean: float = 0.0
    """What is added for the seat to act."""
    favour: float = 0.0
    """What is added for a chance of 1, and for smaller ones as much less."""


class Widths(NamedTuple):
    """How many figures there are for each good, each player, each holding, and the table."""

    good: int
    player: int
    holding: int
    table: int


GIVEN = Widths(
    GOODS_BYTES.shape[-1], PLAYERS_BYTES.shape[-1], HOLDINGS_BYTES.shape[-1], len(TABLE_BYTES)
)
"""What the first layer is given."""


class Layer(NamedTuple):
    """Matrices from inputs, their rows, to outputs, and vectors to add; each sum ends in max(0, x).

    In this order are made: the holdings, from what was given of themselves, their good and their
    player; the players, from what was given of themselves and of the table, and their holdings'
    average; the table, from what was given of itself and of the goods' average, and the players;
    the goods, from what was given of themselves, their holdings and the table. Of the players and
    of a good's holdings are seen the viewer's, the others' average, and the most of any other.
    Vectors may differ by good and by slot, since bids are laid in the goods' order and turns go
    round.
    """

    holding_to_holding: Floats
    good_to_holding: Floats
    player_to_holding: Floats
    holding_vector: Floats
    player_to_player: Floats
    holding_to_player: Floats
    table_to_player: Floats
    player_vectors: Floats
    table_to_table: Floats
    good_to_table: Floats
    player_to_table: Floats
    table_vector: Floats
    good_to_good: Floats
    holding_to_good: Floats
    table_to_good: Floats
    good_vectors: Floats

    @staticmethod
    def shapes(given: Widths, made: Widths) -> tuple[tuple[int, ...], ...]:
        """The shapes of a layer's arrays."""
        return (
            (given.holding, made.holding), (given.good, made.holding),
            (given.player, made.holding), (made.holding,),
            (given.player, made.player), (made.holding, made.player),
            (given.table, made.player), (SLOTS, made.player),
            (given.table, made.table), (given.good, made.table),
            (VIEWS * made.player, made.table), (made.table,),
            (given.good, made.good), (VIEWS * made.holding, made.good),
            (made.table, made.good), (len(GOODS), made.good),
        )  # fmt: skip


Head = tuple[Floats, Floats]
"""A matrix from inputs, its rows, to outputs, and a vector to add."""


@dataclass(frozen=True)
class Weights:
    """Layers, and three heads that score what the last of them made.

    What belongs to a good, a player, a holding and the table stands in
    :mod:`byzanz.network.layout`; inputs are plain bytes. ``good_head`` makes a score for each of a
    good's numbers, ``table_head`` one for each of the other numbers, and ``player_head`` one for a
    slot's win. A number's or a slot's share is the softmax of the scores, of legal numbers and of
    slots that somebody has.
    """

    layers: tuple[Layer, ...]
    good_head: Head
    table_head: Head
    player_head: Head
    corrections: Floats = field(
        default_factory=lambda: np.array([Correction()] * _COUNTS, np.float32)
    )
    """A :class:`Correction` of the chances for 3, 4, 5 and 6 players each."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """How the network came to be: decisions seen, settings, seed."""

    def __post_init__(self) -> None:
        if not self.layers:
            raise ValueError("weights need a layer")
        given, made = GIVEN, self.widths
        for layer in self.layers:
            _fit(layer, Layer.shapes(given, made))
            given = made
        for head, inputs, outputs in (
            (self.good_head, made.good, GOODS_NUMBERS.shape[1]),
            (self.table_head, made.table, len(TABLE_NUMBERS)),
            (self.player_head, made.player, 1),
        ):
            _fit(head, ((inputs, outputs), (outputs,)))
        _fit((self.corrections,), ((_COUNTS, len(Correction._fields)),))

    @property
    def widths(self) -> Widths:
        """How wide the layers are."""
        first = self.layers[0]
        vectors = first.good_vectors, first.player_vectors, first.holding_vector, first.table_vector
        return Widths(*[vector.shape[-1] for vector in vectors])

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """How many layers there are, and how wide they are for goods, players, holdings, table."""
        return len(self.layers), *self.widths

    def deeper(self, depth: int) -> Weights:
        """The same network with so many layers: those behind its own hand on what they are given.

        Raises ValueError if it has more already.
        """
        more = depth - len(self.layers)
        if more < 0:
            raise ValueError(f"a network of {len(self.layers)} layers cannot have {depth}")
        return replace(self, layers=(*self.layers, *[_handing_on(self.widths)] * more))

    def towards(self, other: Weights, part: float) -> Weights:
        """Weights on the line to others, this part of the way: half-way is their average.

        Chances are as they were learnt, for what corrected those of the ends need not fit here.
        Raises ValueError if layers are not as wide.
        """
        if self.widths != other.widths:
            raise ValueError("there is nothing between networks whose layers are not as wide")
        depth = max(len(self.layers), len(other.layers))
        one, two = self.deeper(depth), other.deeper(depth)

        def between(first: Floats, second: Floats) -> Floats:
            return ((1 - part) * first + part * second).astype(np.float32)

        def head(first: Head, second: Head) -> Head:
            return between(first[0], second[0]), between(first[1], second[1])

        return Weights(
            tuple(Layer(*map(between, *pair)) for pair in zip(one.layers, two.layers, strict=True)),
            head(one.good_head, two.good_head),
            head(one.table_head, two.table_head),
            head(one.player_head, two.player_head),
            card={"from": self.card, "towards": other.card, "part": part},
        )

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> Weights:
        """The weights in a file; raises ValueError if it holds none, OSError if it is not there."""
        try:
            arrays = _arrays(path)
            card = json.loads(str(arrays.pop("card")))
            if not isinstance(card, dict) or card.pop("format", None) != FORMAT:
                raise ValueError("its format is another")
            floats = {name: _read(array) for name, array in arrays.items()}
            depth = sum(name.startswith("table_vector") for name in floats)
            return cls(
                tuple(
                    Layer(*[floats[f"{name}_{place}"] for name in Layer._fields])
                    for place in range(depth)
                ),
                (floats["good_head"], floats["good_head_vector"]),
                (floats["table_head"], floats["table_head_vector"]),
                (floats["player_head"], floats["player_head_vector"]),
                floats["corrections"],
                card,
            )
        except KeyError as error:
            raise ValueError(f"'{path}' holds no weights of a network: no {error}") from None
        except ValueError as error:
            raise ValueError(f"'{path}' holds no weights of a network: {error}") from None

    def save(self, path: Path | str) -> None:
        """The weights lie in the file, whole or not at all; halves of floats are kept."""
        arrays: dict[str, npt.NDArray[Any]] = {
            f"{name}_{place}": _half(array)
            for place, layer in enumerate(self.layers)
            for name, array in layer._asdict().items()
        }
        for name, (matrix, vector) in (
            ("good_head", self.good_head), ("table_head", self.table_head),
            ("player_head", self.player_head),
        ):  # fmt: skip
            arrays |= {name: _half(matrix), f"{name}_vector": _half(vector)}
        arrays |= {
            "card": np.array(json.dumps({"format": FORMAT, **self.card})),
            "corrections": self.corrections,
        }  # fmt: skip
        written = io.BytesIO()
        np.savez_compressed(written, allow_pickle=False, **arrays)
        whole = Path(path)
        part = whole.with_name(f"{whole.name}.part")
        part.write_bytes(written.getvalue())
        os.replace(part, whole)  # noqa: PTH105


def _handing_on(widths: Widths) -> Layer:
    """A layer that makes what it is given, as long as that is not below 0."""
    shapes = dict(zip(Layer._fields, Layer.shapes(widths, widths), strict=True))
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    for kind in Widths._fields:
        np.fill_diagonal(arrays[f"{kind}_to_{kind}"], 1.0)
    return Layer(**arrays)


def _arrays(path: Path | str) -> dict[str, npt.NDArray[Any]]:
    """All arrays in a file, by name."""
    with Path(path).open("rb") as file:
        if not is_zipfile(file):
            raise ValueError("it is no .npz file, or was cut off")
        try:
            with np.load(file, allow_pickle=False) as kept:
                return dict(kept)
        except (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error):
            raise ValueError("it is damaged") from None


def _fit(arrays: Sequence[Floats], shapes: Sequence[tuple[int, ...]]) -> None:
    for array, shape in zip(arrays, shapes, strict=True):
        if array.shape != shape:
            raise ValueError(f"a part is {array.shape}, not {shape}")
        if not np.isfinite(array).all():
            raise ValueError("a part is not made of numbers")


def _read(array: npt.NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float32)


def _half(array: Floats) -> npt.NDArray[np.float16]:
    with np.errstate(over="ignore"):
        half = array.astype(np.float16)
    if not np.all(np.isfinite(half)):
        raise ValueError("weights are too large for half floats")
    return half
