"""Networks for tests: small, and made by hand or by chance."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from byzanz.encoding import FEATURES, NUMBERS, PIECES
from byzanz.network import Weights


def by_chance(widths: tuple[int, ...] = (48, 32), seed: int = 1) -> Weights:
    """Weights without sense, but with a clear will."""
    chance = np.random.default_rng(seed)

    def layer(inputs: int, outputs: int) -> tuple[np.ndarray, np.ndarray]:
        matrix = chance.normal(0, (2 / inputs) ** 0.5, (inputs, outputs))
        return matrix.astype(np.float32), chance.normal(0, 0.1, outputs).astype(np.float32)

    sizes = (FEATURES, *widths)
    return Weights(
        tuple(layer(*pair) for pair in pairwise(sizes)),
        layer(widths[-1], NUMBERS),
        layer(widths[-1], 6),
    )


def by_profit(sharp: float = 0.5) -> Weights:
    """Weights that play anything, and believe that who has more profit will win."""
    first = np.zeros((FEATURES, 6), np.float32)
    first[PIECES["profit"].start + np.arange(6), np.arange(6)] = sharp
    same = np.eye(6, dtype=np.float32), np.zeros(6, np.float32)
    nothing = np.zeros((6, NUMBERS), np.float32), np.zeros(NUMBERS, np.float32)
    return Weights(((first, np.zeros(6, np.float32)), same), nothing, same)
