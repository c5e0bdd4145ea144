"""The layers, compiled: from one row of bytes to what the last layer sees.

Rows are mostly zeros, and so is what max(0, x) leaves: only inputs that are not 0 are looked at.
Matrices lie as :func:`byzanz.network.network.in_steps` makes them, for a network's weights are more
than a core has at hand, and fetching them takes longer than multiplying.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from byzanz.encoding.features import FEATURES, SLOTS
from byzanz.encoding.numbers import NUMBERS
from byzanz.fast.jit import part
from byzanz.fast.layout import Bytes, Words

from .layout import GOODS_BYTES, HOLDINGS_BYTES, PLAYERS_BYTES, TABLE_BYTES
from .weights import GIVEN, VIEWS

_swift = njit(fastmath=True, _nrt=False, no_cfunc_wrapper=True, error_model="numpy")

Net = Any
"""What :meth:`byzanz.network.Network.parts` gives: tuples of arrays that the compiler knows."""
Room = Any
"""What :func:`room_for` gives: a row, a mask, shares, and two arrays to work in."""
Floats = npt.NDArray[np.float32]

_GOODS = 6
TABLE, PLAYERS, _HOLDINGS = _GOODS, _GOODS + 1, _GOODS + 1 + SLOTS
_SEEN = _HOLDINGS + _GOODS * SLOTS
"""What a layer sees in rows: the goods, the table, the players, and the holdings by good."""


def room_for(shape: tuple[int, int, int, int, int]) -> Room:
    """Arrays to work in for a network of this shape; one call at a time."""
    _, good, player, holding, table = shape
    widest = max(*GIVEN, good, VIEWS * player, VIEWS * holding, table)
    return (
        np.zeros(FEATURES, np.uint8),
        np.zeros(NUMBERS, np.uint8),
        np.zeros(NUMBERS, np.float32),
        np.zeros((2 * _SEEN, widest), np.float32),
        np.zeros(widest, np.int64),
    )


@_swift
def _add(given: Floats, kind: Any, depth: int, made: Floats, present: Words) -> None:
    """Adds to ``made`` what a layer's matrix makes of what is given, none of which is below 0."""
    matrix, steps = kind[0][depth], kind[1][depth]
    count = 0
    inputs, width = matrix.shape
    for place in range(inputs):
        present[count] = place  # in any case: a branch would be guessed wrong half of the time
        count += given[place] > 0
    whole = count - count % 4
    for start in range(0, whole, 4):
        one, two = present[start], present[start + 1]
        three, four = present[start + 2], present[start + 3]
        by_one, by_two = given[one] * steps[one], given[two] * steps[two]
        by_three, by_four = given[three] * steps[three], given[four] * steps[four]
        for out in range(width):
            made[out] += (by_one * matrix[one, out] + by_two * matrix[two, out]) + (
                by_three * matrix[three, out] + by_four * matrix[four, out]
            )
    for place in range(whole, count):
        one = present[place]
        by_one = given[one] * steps[one]
        for out in range(width):
            made[out] += by_one * matrix[one, out]


@_swift
def _inputs(kind: Any) -> int:
    """How many inputs a layer's matrix has."""
    inputs: int = kind[0].shape[1]
    return inputs


@_swift
def _set(made: Floats, given: Floats, width: int) -> None:
    for out in range(width):
        made[out] = given[out]


@_swift
def _more(made: Floats, given: Floats, width: int) -> None:
    for out in range(width):
        made[out] += given[out]


@_swift
def _clear(made: Floats, width: int) -> None:
    for out in range(width):
        made[out] = 0


@_swift
def _average(made: Floats, rows: Floats, count: int, apart: int, by: int, width: int) -> None:
    """Sets the sum of so many rows, each so far from the next, divided."""
    _clear(made, width)
    for row in range(count):
        _more(made, rows[row * apart], width)
    for out in range(width):
        made[out] /= np.float32(by)


@_swift
def _view(made: Floats, slots: Floats, players: int, width: int) -> None:
    """Sets the viewer's row, the others' average and the most of any other, side by side."""
    _set(made, slots[0], width)
    _average(made[width:], slots[1:], players - 1, 1, SLOTS - 1, width)
    for out in range(width):
        most = np.float32(0)
        for slot in range(1, players):
            most = max(most, slots[slot, out])
        made[2 * width + out] = most


@_swift
def _holdings(
    layers: Any, depth: int, players: int, given: Floats, made: Floats, present: Words
) -> None:
    """Sets the holdings; what their goods and players add lies where those will be."""
    to_holding, from_good = layers[0], layers[1]
    from_player, vector = layers[2], layers[3][depth]
    width = len(vector)
    for good in range(_GOODS):
        _set(made[good], vector, width)
        _add(given[good], from_good, depth, made[good], present)
    for slot in range(players):
        row = made[PLAYERS + slot]
        _clear(row, width)
        _add(given[PLAYERS + slot], from_player, depth, row, present)
    for good in range(_GOODS):
        for slot in range(players):
            at = _HOLDINGS + good * SLOTS + slot
            _set(made[at], made[good], width)
            _more(made[at], made[PLAYERS + slot], width)
            _add(given[at], to_holding, depth, made[at], present)
            _keep_positive(made[at], width)


@_swift
def _players(
    layers: Any, depth: int, players: int, given: Floats, made: Floats, present: Words
) -> None:
    """Sets the players; what the table adds, and their holdings' average, lie where goods will."""
    to_player, from_holding = layers[4], layers[5]
    from_table, vectors = layers[6], layers[7][depth]
    width = vectors.shape[1]
    shared, pooled = made[0], made[1]
    _clear(shared, width)
    _add(given[TABLE], from_table, depth, shared, present)
    for slot in range(players):
        row = made[PLAYERS + slot]
        _set(row, vectors[slot], width)
        _more(row, shared, width)
        _average(pooled, made[_HOLDINGS + slot :], _GOODS, SLOTS, _GOODS, _inputs(from_holding))
        _add(given[PLAYERS + slot], to_player, depth, row, present)
        _add(pooled, from_holding, depth, row, present)
        _keep_positive(row, width)


@_swift
def _table(
    layers: Any, depth: int, players: int, given: Floats, made: Floats, present: Words
) -> None:
    """Sets the table; the goods' average and the players as they are seen lie where goods will."""
    to_table, from_good = layers[8], layers[9]
    from_player, vector = layers[10], layers[11][depth]
    _average(made[0], given, _GOODS, 1, _GOODS, _inputs(from_good))
    _view(made[1], made[PLAYERS:], players, _inputs(from_player) // VIEWS)
    _set(made[TABLE], vector, len(vector))
    _add(given[TABLE], to_table, depth, made[TABLE], present)
    _add(made[0], from_good, depth, made[TABLE], present)
    _add(made[1], from_player, depth, made[TABLE], present)
    _keep_positive(made[TABLE], len(vector))


@_swift
def _goods(
    layers: Any, depth: int, players: int, given: Floats, made: Floats, present: Words
) -> None:
    """Sets the goods; what the table adds, and holdings as they are seen, lie over what is used."""
    to_good, from_holding = layers[12], layers[13]
    from_table, vectors = layers[14], layers[15][depth]
    width = vectors.shape[1]
    shared, viewed = given[TABLE], given[PLAYERS]
    _clear(shared, width)
    _add(made[TABLE], from_table, depth, shared, present)
    for good in range(_GOODS):
        first = _HOLDINGS + good * SLOTS
        _view(viewed, made[first : first + SLOTS], players, _inputs(from_holding) // VIEWS)
        _set(made[good], vectors[good], width)
        _more(made[good], shared, width)
        _add(given[good], to_good, depth, made[good], present)
        _add(viewed, from_holding, depth, made[good], present)
        _keep_positive(made[good], width)


@_swift
def _keep_positive(made: Floats, width: int) -> None:
    for out in range(width):
        made[out] = max(made[out], np.float32(0))


@part
def count_of(row: Bytes) -> int:
    """How many play, by a row."""
    return 3 + row[1] + 2 * row[2] + 3 * row[3]


@part
def fill(net: Net, room: Room) -> int:
    """By the room's row, from where on the scratch holds what the last layer sees."""
    row, _, _, scratch, present = room
    layers, players = net[0], count_of(row)
    depths = len(layers[3])  # each layer has its vector for holdings
    given, made = scratch[:_SEEN], scratch[_SEEN:]
    for seen in range(_SEEN):
        _clear(given[seen], given.shape[1])
    for good in range(_GOODS):
        for place in range(GOODS_BYTES.shape[1]):
            given[good, place] = row[GOODS_BYTES[good, place]]
        for slot in range(players):
            for place in range(HOLDINGS_BYTES.shape[2]):
                at = _HOLDINGS + good * SLOTS + slot
                given[at, place] = row[HOLDINGS_BYTES[good, slot, place]]
    for slot in range(players):
        for place in range(PLAYERS_BYTES.shape[1]):
            given[PLAYERS + slot, place] = row[PLAYERS_BYTES[slot, place]]
    for place in range(len(TABLE_BYTES)):
        given[TABLE, place] = row[TABLE_BYTES[place]]
    for depth in range(depths):
        _holdings(layers, depth, players, given, made, present)
        _players(layers, depth, players, given, made, present)
        _table(layers, depth, players, given, made, present)
        _goods(layers, depth, players, given, made, present)
        given, made = made, given
    return depths % 2 * _SEEN


@_swift
def score(given: Floats, columns: Floats, vector: Floats, place: int) -> float:
    """One output of a head whose matrix lies by outputs."""
    total = vector[place]
    column = columns[place]
    for one in range(len(column)):
        total += given[one] * column[one]
    return total
