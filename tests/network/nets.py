"""Networks for tests: small, and made by hand or by chance."""

from __future__ import annotations

import numpy as np

from byzanz.encoding import PIECES
from byzanz.network import Layer, Weights
from byzanz.network.layout import GOODS_BYTES, GOODS_NUMBERS, TABLE_BYTES, TABLE_NUMBERS

GIVEN = GOODS_BYTES.shape[1], len(TABLE_BYTES)
SCORED = GOODS_NUMBERS.shape[1], len(TABLE_NUMBERS) + 6


def by_chance(shape: tuple[int, int, int] = (3, 24, 40), seed: int = 1) -> Weights:
    """Weights without sense, but with a clear will."""
    chance = np.random.default_rng(seed)
    depth, goods, tables = shape

    def matrix(inputs: int, outputs: int) -> np.ndarray:
        return chance.normal(0, inputs**-0.5, (inputs, outputs)).astype(np.float32)

    def vector(*shape: int) -> np.ndarray:
        return chance.normal(0, 0.1, shape).astype(np.float32)

    def layer(good: int, table: int) -> Layer:
        return Layer(
            matrix(table, tables), matrix(good, tables), vector(tables),
            matrix(good, goods), matrix(tables, goods), vector(6, goods),
        )  # fmt: skip

    return Weights(
        (layer(*GIVEN), *(layer(goods, tables) for _ in range(depth - 1))),
        (matrix(goods, SCORED[0]), vector(SCORED[0])),
        (matrix(tables, SCORED[1]), vector(SCORED[1])),
    )


def by_profit(sharp: float = 0.5) -> Weights:
    """Weights that play anything, and believe that who has more profit will win."""
    weights = by_chance((1, 1, 6))
    for array in (*weights.layers[0], *weights.good_head, *weights.table_head):
        array[:] = 0
    first = np.searchsorted(TABLE_BYTES, PIECES["profit"].start)
    weights.layers[0].table[first + np.arange(6), np.arange(6)] = sharp
    weights.table_head[0][:, len(TABLE_NUMBERS) :] = np.eye(6)
    return weights
