"""The weights of a network, and the file they lie in."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.encoding.features import SLOTS

Floats = npt.NDArray[np.float32]

SHIPPED = Path(__file__).with_name("weights.npz")
"""Where the weights lie that come with the package, if any do."""

FORMAT = 1

_COUNTS = 4
"""Numbers of players: 3, 4, 5 and 6."""


@dataclass(frozen=True)
class Weights:
    """Layers, each a matrix from inputs (its rows) to outputs and a vector to add.

    Hidden layers end in max(0, x). From the last of them ``policy`` makes a score for each of the
    289 numbers, and ``chances`` one for each slot's win. A number's or a slot's share is the
    softmax of the scores, of legal numbers and of slots that somebody has. Inputs are plain bytes.
    """

    hidden: tuple[tuple[Floats, Floats], ...]
    policy: tuple[Floats, Floats]
    chances: tuple[Floats, Floats]
    sharpness: Floats = field(default_factory=lambda: np.ones(_COUNTS, np.float32))
    """What the scores of the chances are multiplied by, for 3, 4, 5 and 6 players."""
    lean: Floats = field(default_factory=lambda: np.zeros(_COUNTS, np.float32))
    """What is then added to the score of the seat to act, likewise."""
    card: Mapping[str, Any] = field(default_factory=dict)
    """How the network came to be: decisions seen, settings, seed."""

    def __post_init__(self) -> None:
        inputs = FEATURES
        for matrix, vector in self.hidden:
            _fits(matrix, vector, inputs, len(vector))
            inputs = len(vector)
        _fits(*self.policy, inputs, NUMBERS)
        _fits(*self.chances, inputs, SLOTS)
        if not self.hidden or not self.sharpness.shape == self.lean.shape == (_COUNTS,):
            raise ValueError("weights need a hidden layer, and corrections for 3 to 6 players")

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> Weights:
        """The weights in a file; raises ValueError if it holds none, OSError if it is not there."""
        try:
            with np.load(path, allow_pickle=False) as file:
                card = json.loads(str(file["card"]))
                if card.pop("format") != FORMAT:
                    raise ValueError("its format is another")
                depth = sum(name.startswith("hidden") for name in file.files) // 2
                layers = [
                    (_read(file[f"{name}_matrix"]), _read(file[f"{name}_vector"]))
                    for name in (*(f"hidden{place}" for place in range(depth)), *_HEADS)
                ]
                corrections = _read(file["sharpness"]), _read(file["lean"])
        except (KeyError, ValueError) as error:
            raise ValueError(f"'{path}' holds no weights of a network: {error}") from None
        return cls(tuple(layers[:-2]), layers[-2], layers[-1], *corrections, card)

    def save(self, path: Path | str) -> None:
        """The weights lie in the file, whole or not at all; halves of floats are kept."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "card": np.array(json.dumps({"format": FORMAT, **self.card})),
            "sharpness": self.sharpness,
            "lean": self.lean,
        }
        names = (*(f"hidden{place}" for place in range(len(self.hidden))), *_HEADS)
        for name, layer in zip(names, (*self.hidden, self.policy, self.chances), strict=True):
            arrays[f"{name}_matrix"], arrays[f"{name}_vector"] = _half(layer[0]), _half(layer[1])
        written = io.BytesIO()
        np.savez_compressed(written, allow_pickle=False, **arrays)
        whole = Path(path)
        part = whole.with_name(f"{whole.name}.part")
        part.write_bytes(written.getvalue())
        os.replace(part, whole)  # noqa: PTH105


_HEADS = ("policy", "chances")


def _fits(matrix: Floats, vector: Floats, inputs: int, outputs: int) -> None:
    if matrix.shape != (inputs, outputs) or vector.shape != (outputs,):
        raise ValueError(f"a layer is {matrix.shape}, {vector.shape}, not {inputs} to {outputs}")


def _read(array: npt.NDArray[Any]) -> Floats:
    return np.ascontiguousarray(array, dtype=np.float32)


def _half(array: Floats) -> npt.NDArray[np.float16]:
    with np.errstate(over="ignore"):
        half = array.astype(np.float16)
    if not np.all(np.isfinite(half)):
        raise ValueError("weights are too large for half floats")
    return half
