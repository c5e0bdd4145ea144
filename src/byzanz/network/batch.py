"""The compiled forward pass for many rows of features at once.

All rows are multiplied by one matrix before the next matrix is loaded, so it stays in the core's
cache; :mod:`byzanz.network.forward` is for one row. Only inputs other than 0 are multiplied. The
result of a row is bit for bit the same whatever the other rows are, so it does not matter how work
is divided into batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from byzanz.encoding.features import FEATURES, SLOTS
from byzanz.encoding.numbers import NUMBERS
from byzanz.fast.jit import nogil_entry, part
from byzanz.fast.layout import GOODS, Bytes, Ints

from .feature_groups import GOODS_BYTES, HOLDINGS_BYTES, PLAYERS_BYTES, TABLE_BYTES
from .forward import HEAD_OUTPUT, SOURCE_ROW, calibrate
from .layers import TABLE, Floats, count_of, score
from .weights import INPUT_WIDTHS, POOLINGS, Weights

_fastmath = njit(
    fastmath={"contract", "nnan", "nsz"}, _nrt=False, no_cfunc_wrapper=True, error_model="numpy"
)
"""Compiles without reordering sums, so that a row's result does not depend on the other rows."""

_TILE = 8192
"""The number of weights that stay in the core's first-level cache while all rows use them."""
_SIXTH = np.float32(1 / GOODS)

Lengths = tuple[int, int, int, int]
"""The widths of a layer's inputs for goods, players, holdings and the table."""


class BatchArrays(NamedTuple):
    """A network's arrays for the compiled functions of this module."""

    layers: tuple[Floats, ...]
    """The fields of :class:`byzanz.network.weights.Layer`, each stacked over the layers."""
    good_head: Floats
    good_bias: Floats
    table_head: Floats
    table_bias: Floats
    player_head: Floats
    player_bias: Floats
    calibration: Floats


class BatchWorkspace(NamedTuple):
    """Room for a batch's features, masks and activations; only one call at a time may use it."""

    rows: Bytes
    masks: Bytes
    goods: Floats
    players: Floats
    holdings: Floats
    table: Floats
    sums: Floats
    """Intermediate sums, with a row for each row of the batch."""
    more: Floats
    """Further intermediate sums."""
    nonzero: Ints


def batch_arrays(weights: Weights) -> BatchArrays:
    """Return the weights as arrays; the heads' matrices are transposed."""
    heads = weights.good_head, weights.table_head, weights.player_head
    columns = [array for matrix, vector in heads for array in (_transposed(matrix), vector)]
    layers = tuple(_stacked(each) for each in zip(*weights.layers, strict=True))
    return BatchArrays._make((layers, *columns, weights.calibration))


def batch_workspace(weights: Weights, size: int) -> BatchWorkspace:
    """Return a workspace for batches of at most ``size`` rows."""
    widths = weights.widths
    good, player, holding, table = map(max, zip(INPUT_WIDTHS, widths, strict=True))
    widest = max(good, POOLINGS * player, POOLINGS * holding, table)
    return BatchWorkspace(
        np.zeros((size, FEATURES), np.uint8),
        np.zeros((size, NUMBERS), np.uint8),
        np.zeros((2, GOODS, size, good), np.float32),
        np.zeros((2, SLOTS, size, player), np.float32),
        np.zeros((2, GOODS * SLOTS, size, holding), np.float32),
        np.zeros((2, size, table), np.float32),
        np.zeros((size, widest), np.float32),
        np.zeros((GOODS + SLOTS, size, holding), np.float32),
        np.zeros(widest, np.int64),
    )


def _transposed(matrix: Floats) -> Floats:
    return np.ascontiguousarray(matrix.T)


def _stacked(arrays: Sequence[Floats]) -> Floats:
    """Stack all layers' arrays, padded with zeros where a layer has fewer inputs than another."""
    most = max(len(array) for array in arrays)
    rows = [((0, most - len(array)), *[(0, 0)] * (array.ndim - 1)) for array in arrays]
    return np.stack([np.pad(array, more) for array, more in zip(arrays, rows, strict=True)])


@_fastmath
def _add(
    inputs: Floats, matrix: Floats, outputs: Floats, count: int, length: int, nonzero: Ints
) -> None:
    """Add the products of ``count`` input rows and a matrix to the output rows.

    ``length`` is the number of inputs of a row. No input may be negative.
    """
    width = matrix.shape[1]
    tile = _TILE // width
    for start in range(0, length, tile):
        end = min(start + tile, length)
        for row in range(count):
            source, target = inputs[row], outputs[row]
            used = 0
            for place in range(start, end):
                nonzero[used] = place  # always written: a branch would often be mispredicted
                used += source[place] > 0
            for at in range(0, used - 3, 4):
                one, two = nonzero[at], nonzero[at + 1]
                three, four = nonzero[at + 2], nonzero[at + 3]
                by_one, by_two = source[one], source[two]
                by_three, by_four = source[three], source[four]
                for out in range(width):
                    target[out] = (
                        ((target[out] + by_one * matrix[one, out]) + by_two * matrix[two, out])
                        + by_three * matrix[three, out]
                    ) + by_four * matrix[four, out]
            for at in range(used - used % 4, used):
                one = nonzero[at]
                by_one = source[one]
                for out in range(width):
                    target[out] += by_one * matrix[one, out]


@_fastmath
def _fill(outputs: Floats, vector: Floats, count: int) -> None:
    """Set each of ``count`` rows to the vector."""
    for row in range(count):
        target = outputs[row]
        for out in range(len(vector)):
            target[out] = vector[out]


@_fastmath
def _clear(outputs: Floats, count: int, width: int) -> None:
    for row in range(count):
        target = outputs[row]
        for out in range(width):
            target[out] = 0


@_fastmath
def _accumulate(outputs: Floats, inputs: Floats, count: int, width: int) -> None:
    for row in range(count):
        source, target = inputs[row], outputs[row]
        for out in range(width):
            target[out] += source[out]


@_fastmath
def _relu(outputs: Floats, count: int, width: int) -> None:
    for row in range(count):
        target = outputs[row]
        for out in range(width):
            target[out] = max(target[out], np.float32(0))


@_fastmath
def _scale(outputs: Floats, factor: float, count: int, width: int) -> None:
    for row in range(count):
        target = outputs[row]
        for out in range(width):
            target[out] *= factor


@_fastmath
def _pool(outputs: Floats, slots: Floats, players: int, count: int, width: int) -> None:
    """Set each row of ``outputs`` to the viewer's vector, the others' mean and the others' maximum.

    The mean is over all other slots; empty slots count as 0.
    """
    share = np.float32(1) / np.float32(SLOTS - 1)
    for row in range(count):
        target = outputs[row]
        own = slots[0, row]
        for out in range(width):
            target[out] = own[out]
            target[width + out] = 0
            target[2 * width + out] = 0
        for slot in range(1, players):
            source = slots[slot, row]
            for out in range(width):
                target[width + out] += source[out]
            for out in range(width):
                target[2 * width + out] = max(target[2 * width + out], source[out])
        for out in range(width):
            target[width + out] *= share


@part
def _holdings(
    layers: Any, depth: int, players: int, count: int, lengths: Lengths, work: Any, source: int
) -> None:
    """Compute each holding's outputs from its own inputs and those of its good and its player."""
    goods, tops, holdings, more, nonzero = work[2], work[3], work[4], work[7], work[8]
    width = layers[3].shape[1]
    for good in range(GOODS):
        _fill(more[good], layers[3][depth], count)
        _add(goods[source, good], layers[1][depth], more[good], count, lengths[0], nonzero)
    for slot in range(players):
        sums = more[GOODS + slot]
        _clear(sums, count, width)
        _add(tops[source, slot], layers[2][depth], sums, count, lengths[1], nonzero)
    for good in range(GOODS):
        for slot in range(players):
            at = good * SLOTS + slot
            outputs = holdings[1 - source, at]
            _clear(outputs, count, width)
            _accumulate(outputs, more[good], count, width)
            _accumulate(outputs, more[GOODS + slot], count, width)
            _add(holdings[source, at], layers[0][depth], outputs, count, lengths[2], nonzero)
            _relu(outputs, count, width)


@part
def _players(
    layers: Any, depth: int, players: int, count: int, lengths: Lengths, work: Any, source: int
) -> None:
    """Compute each player's outputs.

    They depend on its own inputs, the table's inputs and the mean of its holdings' outputs.
    """
    tops, holdings, tables, nonzero = work[3], work[4], work[5], work[8]
    sums, mean = work[6], work[7][0]
    width, of_holding = layers[7].shape[2], layers[3].shape[1]
    _clear(sums, count, width)
    _add(tables[source], layers[6][depth], sums, count, lengths[3], nonzero)
    for slot in range(players):
        outputs = tops[1 - source, slot]
        _fill(outputs, layers[7][depth, slot], count)
        _accumulate(outputs, sums, count, width)
        _add(tops[source, slot], layers[4][depth], outputs, count, lengths[1], nonzero)
        _clear(mean, count, of_holding)
        for good in range(GOODS):
            _accumulate(mean, holdings[1 - source, good * SLOTS + slot], count, of_holding)
        _scale(mean, _SIXTH, count, of_holding)
        _add(mean, layers[5][depth], outputs, count, of_holding, nonzero)
        _relu(outputs, count, width)


@part
def _table(
    layers: Any, depth: int, players: int, count: int, lengths: Lengths, work: Any, source: int
) -> None:
    """Compute the table's outputs.

    They depend on its own inputs, the mean of the goods' inputs and the pooled outputs of the
    players.
    """
    goods, tops, tables, sums, nonzero = work[2], work[3], work[5], work[6], work[8]
    of_player = layers[7].shape[2]
    outputs = tables[1 - source]
    _fill(outputs, layers[11][depth], count)
    _add(tables[source], layers[8][depth], outputs, count, lengths[3], nonzero)
    _clear(sums, count, lengths[0])
    for good in range(GOODS):
        _accumulate(sums, goods[source, good], count, lengths[0])
    _scale(sums, _SIXTH, count, lengths[0])
    _add(sums, layers[9][depth], outputs, count, lengths[0], nonzero)
    _pool(sums, tops[1 - source], players, count, of_player)
    _add(sums, layers[10][depth], outputs, count, POOLINGS * of_player, nonzero)
    _relu(outputs, count, layers[11].shape[1])


@part
def _goods(
    layers: Any, depth: int, players: int, count: int, lengths: Lengths, work: Any, source: int
) -> None:
    """Compute each good's outputs.

    They depend on its own inputs, the pooled outputs of its holdings and the outputs of the table.
    """
    goods, holdings, tables, sums, nonzero = work[2], work[4], work[5], work[6], work[8]
    width, of_holding, of_table = layers[15].shape[2], layers[3].shape[1], layers[11].shape[1]
    _clear(sums, count, width)
    _add(tables[1 - source], layers[14][depth], sums, count, of_table, nonzero)
    for good in range(GOODS):
        outputs = goods[1 - source, good]
        _fill(outputs, layers[15][depth, good], count)
        _accumulate(outputs, sums, count, width)
        _add(goods[source, good], layers[12][depth], outputs, count, lengths[0], nonzero)
    for good in range(GOODS):
        outputs, first = goods[1 - source, good], good * SLOTS
        _pool(sums, holdings[1 - source, first : first + SLOTS], players, count, of_holding)
        _add(sums, layers[13][depth], outputs, count, POOLINGS * of_holding, nonzero)
        _relu(outputs, count, width)


@part
def _spread(row: Bytes, work: Any, place: int, players: int) -> None:
    """Write a row of features to the inputs of the first layer."""
    goods, tops, holdings, tables = work[2], work[3], work[4], work[5]
    for good in range(GOODS):
        for at in range(GOODS_BYTES.shape[1]):
            goods[0, good, place, at] = row[GOODS_BYTES[good, at]]
        for slot in range(players):
            for at in range(HOLDINGS_BYTES.shape[2]):
                value = row[HOLDINGS_BYTES[good, slot, at]]
                holdings[0, good * SLOTS + slot, place, at] = value
    for slot in range(players):
        for at in range(PLAYERS_BYTES.shape[1]):
            tops[0, slot, place, at] = row[PLAYERS_BYTES[slot, at]]
    for at in range(len(TABLE_BYTES)):
        tables[0, place, at] = row[TABLE_BYTES[at]]


@nogil_entry
def forward_batch(net: Any, work: Any, count: int) -> int:
    """Run all layers on the first ``count`` rows; return which half holds the last activations.

    The rows must come from games with the same number of players.
    """
    rows, layers = work[0], net[0]
    players = count_of(rows[0])
    for place in range(count):
        _spread(rows[place], work, place, players)
    lengths = (
        GOODS_BYTES.shape[1], PLAYERS_BYTES.shape[1], HOLDINGS_BYTES.shape[2], len(TABLE_BYTES)
    )  # fmt: skip
    source = 0
    for depth in range(len(layers[3])):
        _holdings(layers, depth, players, count, lengths, work, source)
        _players(layers, depth, players, count, lengths, work, source)
        _table(layers, depth, players, count, lengths, work, source)
        _goods(layers, depth, players, count, lengths, work, source)
        lengths = (
            layers[15].shape[2], layers[7].shape[2], layers[3].shape[1], layers[11].shape[1]
        )  # fmt: skip
        source = 1 - source
    return source


@part
def best_number(net: Any, work: Any, half: int, place: int) -> int:
    """Return the legal action number with the highest score for a row of the batch."""
    mask, best, top = work[1][place], -1, np.float32(0)
    for number in range(NUMBERS):
        if mask[number]:
            source, at = SOURCE_ROW[number], HEAD_OUTPUT[number]
            if source == TABLE:
                value = score(work[5][half, place], net[3], net[4], at)
            else:
                value = score(work[2][half, source, place], net[1], net[2], at)
            if best < 0 or value > top:
                best, top = number, value
    return best


@part
def write_win_probabilities(net: Any, work: Any, half: int, place: int, output: Floats) -> None:
    """Write each slot's win probability for a row of the batch."""
    players = count_of(work[0][place])
    for slot in range(SLOTS):
        output[slot] = 0
    for slot in range(players):
        output[slot] = score(work[3][half, slot, place], net[5], net[6], 0)
    calibrate(output, players, net[7])


@nogil_entry
def win_probabilities_batch(net: Any, work: Any, count: int, outputs: Floats) -> None:
    """Write the win probabilities by slot for the first ``count`` rows of features."""
    half = forward_batch(net, work, count)
    for place in range(count):
        write_win_probabilities(net, work, half, place, outputs[place])
