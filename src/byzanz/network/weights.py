"""The weights of a network and their file format."""

from __future__ import annotations

import io
import json
import os
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile, is_zipfile

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import GOODS

from .feature_groups import (
    GOODS_BYTES,
    GOODS_NUMBERS,
    HOLDINGS_BYTES,
    PLAYERS_BYTES,
    TABLE_BYTES,
    TABLE_NUMBERS,
)

Floats = npt.NDArray[np.float32]

SHIPPED = Path(__file__).with_name("weights.npz")
"""The file with the weights that come with the package."""

FORMAT = 4

_PLAYER_COUNTS = 4
"""The number of player counts, which are 3, 4, 5 and 6."""

POOLINGS = 3
"""How many vectors pooling joins: the viewer's, the others' mean and the others' maximum."""


class Calibration(NamedTuple):
    """Calibration parameters for the predicted win probabilities with one number of players.

    The calibrated probabilities are the softmax over the seats of
    ``slope * log(p) + linear * p``, plus ``own_bias`` for the seat to act. The defaults change
    nothing.
    """

    slope: float = 1.0
    """Factor of the log-probability."""
    own_bias: float = 0.0
    """Constant added for the seat to act."""
    linear: float = 0.0
    """Factor of the probability itself."""


class Widths(NamedTuple):
    """Vector widths for each good, each player, each holding and the table."""

    good: int
    player: int
    holding: int
    table: int


INPUT_WIDTHS = Widths(
    GOODS_BYTES.shape[-1], PLAYERS_BYTES.shape[-1], HOLDINGS_BYTES.shape[-1], len(TABLE_BYTES)
)
"""Widths of the first layer's inputs."""


class Layer(NamedTuple):
    """One layer: matrices of shape (inputs, outputs), bias vectors, and a ReLU after each sum.

    A layer computes, in this order:

    1. each holding, from its own inputs and those of its good and its player;
    2. each player, from its own inputs, the table's inputs and the mean of its holdings;
    3. the table, from its own inputs, the mean of the goods' inputs and the pooled players;
    4. each good, from its own inputs, its pooled holdings and the table.

    Pooling concatenates the viewer's vector, the mean of the others' vectors and their maximum. The
    bias vectors differ by good and by slot, because bids are laid in the order of the goods and
    turns go round the table.
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
    def shapes(inputs: Widths, outputs: Widths) -> tuple[tuple[int, ...], ...]:
        """Return the shapes of a layer's arrays, in the order of its fields."""
        return (
            (inputs.holding, outputs.holding), (inputs.good, outputs.holding),
            (inputs.player, outputs.holding), (outputs.holding,),
            (inputs.player, outputs.player), (outputs.holding, outputs.player),
            (inputs.table, outputs.player), (SLOTS, outputs.player),
            (inputs.table, outputs.table), (inputs.good, outputs.table),
            (POOLINGS * outputs.player, outputs.table), (outputs.table,),
            (inputs.good, outputs.good), (POOLINGS * outputs.holding, outputs.good),
            (outputs.table, outputs.good), (len(GOODS), outputs.good),
        )  # fmt: skip


Head = tuple[Floats, Floats]
"""A matrix of shape (inputs, outputs) and a bias vector."""


@dataclass(frozen=True)
class Weights:
    """The weights of a network: layers, and three heads on the last layer's activations.

    The inputs are unscaled feature bytes; :mod:`byzanz.network.feature_groups` assigns them to
    goods, players, holdings and the table. ``good_head`` outputs a logit for each action number of
    a good, ``table_head`` one for each other action number, and ``player_head`` one for the win of
    a slot. The policy is the softmax over the legal numbers; the win probabilities are the softmax
    over the occupied slots.
    """

    layers: tuple[Layer, ...]
    good_head: Head
    table_head: Head
    player_head: Head
    calibration: Floats = field(
        default_factory=lambda: np.array([Calibration()] * _PLAYER_COUNTS, np.float32)
    )
    """One :class:`Calibration` each for 3, 4, 5 and 6 players."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """How the network was trained: number of decisions, settings, seed."""

    def __post_init__(self) -> None:
        if not self.layers:
            raise ValueError("weights need at least one layer")
        inputs, widths = INPUT_WIDTHS, self.widths
        for layer in self.layers:
            _check(layer, Layer.shapes(inputs, widths))
            inputs = widths
        for head, width, outputs in (
            (self.good_head, widths.good, GOODS_NUMBERS.shape[1]),
            (self.table_head, widths.table, len(TABLE_NUMBERS)),
            (self.player_head, widths.player, 1),
        ):
            _check(head, ((width, outputs), (outputs,)))
        _check((self.calibration,), ((_PLAYER_COUNTS, len(Calibration._fields)),))

    @property
    def widths(self) -> Widths:
        """Widths of the layers' outputs."""
        first = self.layers[0]
        vectors = first.good_vectors, first.player_vectors, first.holding_vector, first.table_vector
        return Widths(*[vector.shape[-1] for vector in vectors])

    @property
    def shape(self) -> tuple[int, int, int, int, int]:
        """Number of layers, and their widths for goods, players, holdings and the table."""
        return len(self.layers), *self.widths

    @cached_property
    def checksum(self) -> str:
        """A short checksum of all arrays, which tells networks apart."""
        found = sha256()
        heads = (*self.good_head, *self.table_head, *self.player_head)
        for array in (*(each for layer in self.layers for each in layer), *heads, self.calibration):
            found.update(np.ascontiguousarray(array).tobytes())
        return found.hexdigest()[:12]

    def deeper(self, depth: int) -> Weights:
        """Return an equivalent network with ``depth`` layers, by appending identity layers.

        Raises ValueError if this network already has more layers.
        """
        more = depth - len(self.layers)
        if more < 0:
            raise ValueError(f"a network of {len(self.layers)} layers cannot be reduced to {depth}")
        return replace(self, layers=(*self.layers, *[_identity(self.widths)] * more))

    def interpolate(self, other: Weights, fraction: float) -> Weights:
        """Interpolate linearly: fraction 0 is this network, 0.5 the average, 1 the other network.

        The result is not calibrated, because the calibration of the two networks need not fit it.
        Raises ValueError if the layers have different widths.
        """
        if self.widths != other.widths:
            raise ValueError("only networks with layers of the same widths can be interpolated")
        depth = max(len(self.layers), len(other.layers))
        one, two = self.deeper(depth), other.deeper(depth)

        def between(first: Floats, second: Floats) -> Floats:
            return ((1 - fraction) * first + fraction * second).astype(np.float32)

        def head(first: Head, second: Head) -> Head:
            return between(first[0], second[0]), between(first[1], second[1])

        return Weights(
            tuple(Layer(*map(between, *pair)) for pair in zip(one.layers, two.layers, strict=True)),
            head(one.good_head, two.good_head),
            head(one.table_head, two.table_head),
            head(one.player_head, two.player_head),
            card={"from": self.card, "towards": other.card, "part": fraction},
        )

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> Weights:
        """Read weights from a file.

        Raises ValueError if the file is not a valid weights file, OSError if it cannot be read.
        """
        try:
            arrays = _arrays(path)
            card = json.loads(str(arrays.pop("card")))
            if not isinstance(card, dict) or card.pop("format", None) != FORMAT:
                raise ValueError("unknown format")
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
                floats["corrections"],  # the name in the file
                card,
            )
        except KeyError as error:
            raise ValueError(f"'{path}' is not a weights file: {error} is missing") from None
        except ValueError as error:
            raise ValueError(f"'{path}' is not a weights file: {error}") from None

    def save(self, path: Path | str) -> None:
        """Write the weights to a file atomically, in half precision.

        Raises ValueError if a weight is too large for half precision.
        """
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
            "corrections": self.calibration,
        }  # fmt: skip
        written = io.BytesIO()
        np.savez_compressed(written, allow_pickle=False, **arrays)
        whole = Path(path)
        part = whole.with_name(f"{whole.name}.part")
        part.write_bytes(written.getvalue())
        os.replace(part, whole)  # noqa: PTH105


def _identity(widths: Widths) -> Layer:
    """Return a layer that leaves inputs unchanged, as long as they are not negative."""
    shapes = dict(zip(Layer._fields, Layer.shapes(widths, widths), strict=True))
    arrays = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    for kind in Widths._fields:
        np.fill_diagonal(arrays[f"{kind}_to_{kind}"], 1.0)
    return Layer(**arrays)


def _arrays(path: Path | str) -> dict[str, npt.NDArray[Any]]:
    """Return all arrays in a file, by name."""
    with Path(path).open("rb") as file:
        if not is_zipfile(file):
            raise ValueError("it is not an .npz file, or is truncated")
        try:
            with np.load(file, allow_pickle=False) as kept:
                return dict(kept)
        except (BadZipFile, EOFError, OSError, RuntimeError, ValueError, zlib.error):
            raise ValueError("it is damaged") from None


def _check(arrays: Sequence[Floats], shapes: Sequence[tuple[int, ...]]) -> None:
    for array, shape in zip(arrays, shapes, strict=True):
        if array.shape != shape:
            raise ValueError(f"an array has shape {array.shape}, not {shape}")
        if not np.isfinite(array).all():
            raise ValueError("an array has values that are not finite")


def _read(array: npt.NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float32)


def _half(array: Floats) -> npt.NDArray[np.float16]:
    with np.errstate(over="ignore"):
        half = array.astype(np.float16)
    if not np.all(np.isfinite(half)):
        raise ValueError("weights are too large for half precision")
    return half
