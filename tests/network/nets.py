"""Small networks for tests, with random or hand-made weights."""

from __future__ import annotations

import numpy as np

from byzanz.encoding import PIECES
from byzanz.network import Layer, Weights
from byzanz.network.feature_groups import GOODS_NUMBERS, PLAYERS_BYTES, TABLE_NUMBERS
from byzanz.network.network import quantise
from byzanz.network.weights import INPUT_WIDTHS, Widths

SHAPE = 3, 24, 16, 8, 40


def random_weights(shape: tuple[int, int, int, int, int] = SHAPE, seed: int = 1) -> Weights:
    """Return random weights that are large enough for a clear preference."""
    rng = np.random.default_rng(seed)
    depth, *rest = shape
    widths = Widths(*rest)

    def matrix(inputs: int, outputs: int) -> np.ndarray:
        return rng.normal(0, inputs**-0.5, (inputs, outputs)).astype(np.float32)

    def vector(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.1, shape).astype(np.float32)

    def layer(inputs: Widths) -> Layer:
        shapes = zip(Layer._fields, Layer.shapes(inputs, widths), strict=True)
        return Layer(*[vector(*s) if "vector" in name else matrix(*s) for name, s in shapes])

    outputs = GOODS_NUMBERS.shape[1], len(TABLE_NUMBERS), 1
    return Weights(
        (layer(INPUT_WIDTHS), *(layer(widths) for _ in range(depth - 1))),
        *[
            (matrix(inputs, count), vector(count))
            for inputs, count in zip(
                (widths.good, widths.table, widths.player), outputs, strict=True
            )
        ],
    )


def dequantised(integers: np.ndarray, scales: np.ndarray) -> np.ndarray:
    """Return quantised matrices as floats."""
    return np.asarray(integers * scales[:, :, None], np.float32)


def quantised_weights(weights: Weights) -> Weights:
    """Round the matrices in place, so that quantising them loses nothing."""
    for layer in weights.layers:
        for name, array in layer._asdict().items():
            if "_to_" in name:
                array[:] = dequantised(*quantise([array]))[0]
    return weights


def profit_weights(slope: float = 0.5) -> Weights:
    """Return weights with a uniform policy and win probabilities that depend only on the profit."""
    weights = random_weights((1, 1, 1, 1, 1))
    heads = weights.good_head, weights.table_head, weights.player_head
    for array in (*weights.layers[0], *(array for head in heads for array in head)):
        array[:] = 0
    first = PLAYERS_BYTES[0].tolist().index(PIECES["profit"].start)
    weights.layers[0].player_to_player[first] = slope
    weights.player_head[0][:] = 1
    return weights
