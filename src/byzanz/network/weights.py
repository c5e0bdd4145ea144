"""The weights of a network, and the file they lie in."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import GOODS

from .layout import GOODS_BYTES, GOODS_NUMBERS, TABLE_BYTES, TABLE_NUMBERS

Floats = npt.NDArray[np.float32]

SHIPPED = Path(__file__).with_name("weights.npz")
"""Where the weights lie that come with the package."""

FORMAT = 2

_COUNTS = 4
"""Numbers of players: 3, 4, 5 and 6."""


class Layer(NamedTuple):
    """Matrices from inputs, their rows, to outputs, and vectors to add; it ends in max(0, x).

    First the table looks at itself and at the goods' average, then each good at itself and at the
    table. All goods are looked at with the same matrices. What is added to them may differ, since
    bids are laid in the goods' order.
    """

    table: Floats
    average: Floats
    table_vector: Floats
    good: Floats
    told: Floats
    """From what this layer made of the table to each good."""
    good_vectors: Floats


@dataclass(frozen=True)
class Weights:
    """Layers, and two heads that score what the last of them made.

    What belongs to a good and what to the table stands in :mod:`byzanz.network.layout`; inputs are
    plain bytes. ``good_head`` makes a score for each of a good's numbers, and ``table_head`` one
    for each of the other numbers and then for each slot's win. A number's or a slot's share is the
    softmax of the scores, of legal numbers and of slots that somebody has.
    """

    layers: tuple[Layer, ...]
    good_head: tuple[Floats, Floats]
    table_head: tuple[Floats, Floats]
    sharpness: Floats = field(default_factory=lambda: np.ones(_COUNTS, np.float32))
    """What the scores of the chances are multiplied by, for 3, 4, 5 and 6 players."""
    lean: Floats = field(default_factory=lambda: np.zeros(_COUNTS, np.float32))
    """What is then added to the score of the seat to act, likewise."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """How the network came to be: decisions seen, settings, seed."""

    def __post_init__(self) -> None:
        if not self.layers:
            raise ValueError("weights need a layer")
        _, goods, tables = self.shape
        good, table = GOODS_BYTES.shape[1], len(TABLE_BYTES)
        for layer in self.layers:
            seen_by_table = (table, tables), (good, tables), (tables,)
            seen_by_goods = (good, goods), (tables, goods), (len(GOODS), goods)
            _fit(layer, seen_by_table + seen_by_goods)
            good, table = goods, tables
        for head, inputs, outputs in (
            (self.good_head, goods, GOODS_NUMBERS.shape[1]),
            (self.table_head, tables, len(TABLE_NUMBERS) + SLOTS),
        ):
            _fit(head, ((inputs, outputs), (outputs,)))
        _fit((self.sharpness, self.lean), ((_COUNTS,), (_COUNTS,)))

    @property
    def shape(self) -> tuple[int, int, int]:
        """How many layers there are, and how wide they are for each good and for the table."""
        first = self.layers[0]
        return len(self.layers), first.good.shape[1], first.table.shape[1]

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> Weights:
        """The weights in a file; raises ValueError if it holds none, OSError if it is not there."""
        try:
            with np.load(path, allow_pickle=False) as file:
                card = json.loads(str(file["card"]))
                if card.pop("format") != FORMAT:
                    raise ValueError("its format is another")
                arrays = {name: _read(file[name]) for name in file.files if name != "card"}
            depth = sum(name.startswith("table_vector") for name in arrays)
            return cls(
                tuple(
                    Layer(*[arrays[f"{name}_{place}"] for name in Layer._fields])
                    for place in range(depth)
                ),
                (arrays["good_head"], arrays["good_head_vector"]),
                (arrays["table_head"], arrays["table_head_vector"]),
                arrays["sharpness"],
                arrays["lean"],
                card,
            )
        except (KeyError, ValueError) as error:
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
        ):  # fmt: skip
            arrays |= {name: _half(matrix), f"{name}_vector": _half(vector)}
        arrays |= {
            "card": np.array(json.dumps({"format": FORMAT, **self.card})),
            "sharpness": self.sharpness, "lean": self.lean,
        }  # fmt: skip
        written = io.BytesIO()
        np.savez_compressed(written, allow_pickle=False, **arrays)
        whole = Path(path)
        part = whole.with_name(f"{whole.name}.part")
        part.write_bytes(written.getvalue())
        os.replace(part, whole)  # noqa: PTH105


def _fit(arrays: Sequence[Floats], shapes: Sequence[tuple[int, ...]]) -> None:
    for array, shape in zip(arrays, shapes, strict=True):
        if array.shape != shape:
            raise ValueError(f"a part is {array.shape}, not {shape}")


def _read(array: npt.NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float32)


def _half(array: Floats) -> npt.NDArray[np.float16]:
    with np.errstate(over="ignore"):
        half = array.astype(np.float16)
    if not np.all(np.isfinite(half)):
        raise ValueError("weights are too large for half floats")
    return half
