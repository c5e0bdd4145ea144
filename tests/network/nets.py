"""Networks for tests: small, and made by hand or by chance."""

from __future__ import annotations

import numpy as np

from byzanz.encoding import PIECES
from byzanz.network import Layer, Weights
from byzanz.network.layout import GOODS_NUMBERS, PLAYERS_BYTES, TABLE_NUMBERS
from byzanz.network.network import in_steps
from byzanz.network.weights import GIVEN, Widths

SHAPE = 3, 24, 16, 8, 40


def by_chance(shape: tuple[int, int, int, int, int] = SHAPE, seed: int = 1) -> Weights:
    """Weights without sense, but with a clear will."""
    chance = np.random.default_rng(seed)
    depth, *wide = shape
    made = Widths(*wide)

    def matrix(inputs: int, outputs: int) -> np.ndarray:
        return chance.normal(0, inputs**-0.5, (inputs, outputs)).astype(np.float32)

    def vector(*shape: int) -> np.ndarray:
        return chance.normal(0, 0.1, shape).astype(np.float32)

    def layer(given: Widths) -> Layer:
        shapes = zip(Layer._fields, Layer.shapes(given, made), strict=True)
        return Layer(*[vector(*s) if "vector" in name else matrix(*s) for name, s in shapes])

    outputs = GOODS_NUMBERS.shape[1], len(TABLE_NUMBERS), 1
    return Weights(
        (layer(GIVEN), *(layer(made) for _ in range(depth - 1))),
        *[
            (matrix(inputs, count), vector(count))
            for inputs, count in zip((made.good, made.table, made.player), outputs, strict=True)
        ],
    )


def from_steps(counts: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """The matrices that lie in steps."""
    return np.asarray(counts * steps[:, :, None], np.float32)


def in_whole_steps(weights: Weights) -> Weights:
    """The weights, with matrices of which nothing is lost in steps."""
    for layer in weights.layers:
        for name, array in layer._asdict().items():
            if "_to_" in name:
                array[:] = from_steps(*in_steps([array]))[0]
    return weights


def by_profit(sharp: float = 0.5) -> Weights:
    """Weights that play anything, and believe that who has more profit will win."""
    weights = by_chance((1, 1, 1, 1, 1))
    heads = weights.good_head, weights.table_head, weights.player_head
    for array in (*weights.layers[0], *(array for head in heads for array in head)):
        array[:] = 0
    first = PLAYERS_BYTES[0].tolist().index(PIECES["profit"].start)
    weights.layers[0].player_to_player[first] = sharp
    weights.player_head[0][:] = 1
    return weights
