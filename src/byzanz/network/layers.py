"""The compiled layers: from one row of features to the activations of the last layer.

Feature rows are sparse, and so are ReLU activations: only inputs other than 0 are multiplied. The
matrices are quantised (:func:`byzanz.network.network.quantise`), because the weights do not fit in
a core's cache and loading them takes longer than multiplying.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from byzanz.encoding.features import FEATURES, SLOTS
from byzanz.encoding.numbers import NUMBERS
from byzanz.fast.jit import part
from byzanz.fast.layout import Bytes, Ints

from .feature_groups import GOODS_BYTES, HOLDINGS_BYTES, PLAYERS_BYTES, TABLE_BYTES
from .weights import INPUT_WIDTHS, POOLINGS

_fastmath = njit(fastmath=True, _nrt=False, no_cfunc_wrapper=True, error_model="numpy")

Net = Any
"""The arrays of a network, as in :attr:`byzanz.network.Network.arrays`."""
Workspace = Any
"""Arrays made by :func:`workspace_for`: features, mask, output and two scratch arrays."""
Floats = npt.NDArray[np.float32]

_GOODS = 6
TABLE, PLAYERS, _HOLDINGS = _GOODS, _GOODS + 1, _GOODS + 1 + SLOTS
_ROWS = _HOLDINGS + _GOODS * SLOTS
"""The rows of a layer's activations: goods, the table, players, and holdings by good and slot."""


def workspace_for(shape: tuple[int, int, int, int, int]) -> Workspace:
    """Return a workspace for a network of this shape; only one call at a time may use it."""
    _, good, player, holding, table = shape
    widest = max(*INPUT_WIDTHS, good, POOLINGS * player, POOLINGS * holding, table)
    return (
        np.zeros(FEATURES, np.uint8),
        np.zeros(NUMBERS, np.uint8),
        np.zeros(NUMBERS, np.float32),
        np.zeros((2 * _ROWS, widest), np.float32),
        np.zeros(widest, np.int64),
    )


@_fastmath
def _add(inputs: Floats, kind: Any, depth: int, outputs: Floats, nonzero: Ints) -> None:
    """Add a matrix-vector product to ``outputs``; no input may be negative."""
    matrix, scales = kind[0][depth], kind[1][depth]
    count = 0
    length, width = matrix.shape
    for place in range(length):
        nonzero[count] = place  # always written: a branch would often be mispredicted
        count += inputs[place] > 0
    whole = count - count % 4
    for start in range(0, whole, 4):
        one, two = nonzero[start], nonzero[start + 1]
        three, four = nonzero[start + 2], nonzero[start + 3]
        times_one, times_two = inputs[one] * scales[one], inputs[two] * scales[two]
        times_three, times_four = inputs[three] * scales[three], inputs[four] * scales[four]
        for out in range(width):
            outputs[out] += (times_one * matrix[one, out] + times_two * matrix[two, out]) + (
                times_three * matrix[three, out] + times_four * matrix[four, out]
            )
    for place in range(whole, count):
        one = nonzero[place]
        times_one = inputs[one] * scales[one]
        for out in range(width):
            outputs[out] += times_one * matrix[one, out]


@_fastmath
def _input_count(kind: Any) -> int:
    """Return how many inputs a layer's matrix has."""
    count: int = kind[0].shape[1]
    return count


@_fastmath
def _set(outputs: Floats, inputs: Floats, width: int) -> None:
    for out in range(width):
        outputs[out] = inputs[out]


@_fastmath
def _accumulate(outputs: Floats, inputs: Floats, width: int) -> None:
    for out in range(width):
        outputs[out] += inputs[out]


@_fastmath
def _clear(outputs: Floats, width: int) -> None:
    for out in range(width):
        outputs[out] = 0


@_fastmath
def _average(outputs: Floats, rows: Floats, count: int, stride: int, by: int, width: int) -> None:
    """Set ``outputs`` to the sum of ``count`` rows, ``stride`` apart, divided by ``by``."""
    _clear(outputs, width)
    for row in range(count):
        _accumulate(outputs, rows[row * stride], width)
    for out in range(width):
        outputs[out] /= np.float32(by)


@_fastmath
def _pool(outputs: Floats, slots: Floats, players: int, width: int) -> None:
    """Set ``outputs`` to the viewer's vector, the others' mean and the others' maximum.

    The mean is over all other slots; empty slots count as 0.
    """
    _set(outputs, slots[0], width)
    _average(outputs[width:], slots[1:], players - 1, 1, SLOTS - 1, width)
    for out in range(width):
        most = np.float32(0)
        for slot in range(1, players):
            most = max(most, slots[slot, out])
        outputs[2 * width + out] = most


@_fastmath
def _holdings(
    layers: Any, depth: int, players: int, inputs: Floats, outputs: Floats, nonzero: Ints
) -> None:
    """Compute the holdings; the output rows of goods and players hold intermediate sums."""
    to_holding, from_good = layers[0], layers[1]
    from_player, vector = layers[2], layers[3][depth]
    width = len(vector)
    for good in range(_GOODS):
        _set(outputs[good], vector, width)
        _add(inputs[good], from_good, depth, outputs[good], nonzero)
    for slot in range(players):
        row = outputs[PLAYERS + slot]
        _clear(row, width)
        _add(inputs[PLAYERS + slot], from_player, depth, row, nonzero)
    for good in range(_GOODS):
        for slot in range(players):
            at = _HOLDINGS + good * SLOTS + slot
            _set(outputs[at], outputs[good], width)
            _accumulate(outputs[at], outputs[PLAYERS + slot], width)
            _add(inputs[at], to_holding, depth, outputs[at], nonzero)
            _relu(outputs[at], width)


@_fastmath
def _players(
    layers: Any, depth: int, players: int, inputs: Floats, outputs: Floats, nonzero: Ints
) -> None:
    """Compute the players; the output rows of two goods hold intermediate sums."""
    to_player, from_holding = layers[4], layers[5]
    from_table, vectors = layers[6], layers[7][depth]
    width = vectors.shape[1]
    shared, pooled = outputs[0], outputs[1]
    _clear(shared, width)
    _add(inputs[TABLE], from_table, depth, shared, nonzero)
    for slot in range(players):
        row = outputs[PLAYERS + slot]
        _set(row, vectors[slot], width)
        _accumulate(row, shared, width)
        _average(
            pooled, outputs[_HOLDINGS + slot :], _GOODS, SLOTS, _GOODS, _input_count(from_holding)
        )
        _add(inputs[PLAYERS + slot], to_player, depth, row, nonzero)
        _add(pooled, from_holding, depth, row, nonzero)
        _relu(row, width)


@_fastmath
def _table(
    layers: Any, depth: int, players: int, inputs: Floats, outputs: Floats, nonzero: Ints
) -> None:
    """Compute the row of the table; the first two output rows are scratch space for the pools."""
    to_table, from_good = layers[8], layers[9]
    from_player, vector = layers[10], layers[11][depth]
    _average(outputs[0], inputs, _GOODS, 1, _GOODS, _input_count(from_good))
    _pool(outputs[1], outputs[PLAYERS:], players, _input_count(from_player) // POOLINGS)
    _set(outputs[TABLE], vector, len(vector))
    _add(inputs[TABLE], to_table, depth, outputs[TABLE], nonzero)
    _add(outputs[0], from_good, depth, outputs[TABLE], nonzero)
    _add(outputs[1], from_player, depth, outputs[TABLE], nonzero)
    _relu(outputs[TABLE], len(vector))


@_fastmath
def _goods(
    layers: Any, depth: int, players: int, inputs: Floats, outputs: Floats, nonzero: Ints
) -> None:
    """Compute the goods; two input rows that are no longer needed hold intermediate sums."""
    to_good, from_holding = layers[12], layers[13]
    from_table, vectors = layers[14], layers[15][depth]
    width = vectors.shape[1]
    shared, pooled = inputs[TABLE], inputs[PLAYERS]
    _clear(shared, width)
    _add(outputs[TABLE], from_table, depth, shared, nonzero)
    for good in range(_GOODS):
        first = _HOLDINGS + good * SLOTS
        _pool(
            pooled, outputs[first : first + SLOTS], players, _input_count(from_holding) // POOLINGS
        )
        _set(outputs[good], vectors[good], width)
        _accumulate(outputs[good], shared, width)
        _add(inputs[good], to_good, depth, outputs[good], nonzero)
        _add(pooled, from_holding, depth, outputs[good], nonzero)
        _relu(outputs[good], width)


@_fastmath
def _relu(outputs: Floats, width: int) -> None:
    for out in range(width):
        outputs[out] = max(outputs[out], np.float32(0))


@part
def count_of(row: Bytes) -> int:
    """Return the number of players, given a row of features."""
    return 3 + row[1] + 2 * row[2] + 3 * row[3]


@part
def forward(net: Net, workspace: Workspace) -> int:
    """Run all layers on the workspace's features; return the first row of the last activations."""
    row, _, _, scratch, nonzero = workspace
    layers, players = net[0], count_of(row)
    depths = len(layers[3])  # one bias vector for holdings per layer
    inputs, outputs = scratch[:_ROWS], scratch[_ROWS:]
    for each in range(_ROWS):
        _clear(inputs[each], inputs.shape[1])
    for good in range(_GOODS):
        for place in range(GOODS_BYTES.shape[1]):
            inputs[good, place] = row[GOODS_BYTES[good, place]]
        for slot in range(players):
            for place in range(HOLDINGS_BYTES.shape[2]):
                at = _HOLDINGS + good * SLOTS + slot
                inputs[at, place] = row[HOLDINGS_BYTES[good, slot, place]]
    for slot in range(players):
        for place in range(PLAYERS_BYTES.shape[1]):
            inputs[PLAYERS + slot, place] = row[PLAYERS_BYTES[slot, place]]
    for place in range(len(TABLE_BYTES)):
        inputs[TABLE, place] = row[TABLE_BYTES[place]]
    for depth in range(depths):
        _holdings(layers, depth, players, inputs, outputs, nonzero)
        _players(layers, depth, players, inputs, outputs, nonzero)
        _table(layers, depth, players, inputs, outputs, nonzero)
        _goods(layers, depth, players, inputs, outputs, nonzero)
        inputs, outputs = outputs, inputs
    return depths % 2 * _ROWS


@_fastmath
def score(inputs: Floats, columns: Floats, vector: Floats, place: int) -> float:
    """Return one output of a head, whose matrix is transposed."""
    total = vector[place]
    column = columns[place]
    for one in range(len(column)):
        total += inputs[one] * column[one]
    return total
