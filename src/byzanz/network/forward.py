"""The forward pass, compiled: one row of bytes to scores and chances, and whole decisions.

Rows are mostly zeros, and so is what max(0, x) leaves: only inputs that are not 0 are looked at.
"""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from byzanz.encoding.features import FEATURES, SLOTS
from byzanz.encoding.numbers import CONFIRM, DONE, NUMBERS, SELL
from byzanz.fast import step, write_features, write_mask
from byzanz.fast.chance import draw
from byzanz.fast.compiled import part
from byzanz.fast.words import FINAL, LIMIT, PHASE, TURN, Bytes, Words

from .layout import GOODS_BYTES, GOODS_NUMBERS, TABLE_BYTES, TABLE_NUMBERS

_entry = njit(cache=True, nogil=True, _nrt=False, no_cfunc_wrapper=True)
_swift = njit(fastmath=True, _nrt=False, no_cfunc_wrapper=True, error_model="numpy")

Net = Any
"""What :meth:`byzanz.network.Network.parts` gives: tuples of arrays that the compiler knows."""
Room = Any
"""What :func:`room_for` gives: a row, a mask, shares, and two arrays to work in."""
Floats = npt.NDArray[np.float32]

_SEEN, _TABLE = 7, 6
"""What a layer sees in rows: the six goods and, last, the table."""
_SEEN_AT = np.full(NUMBERS, _TABLE)
"""By number, the row that its score is of, and its place in that one's head."""
_PLACE_IN_HEAD = np.zeros(NUMBERS, np.int64)
for _good, _numbers in enumerate(GOODS_NUMBERS):
    _SEEN_AT[_numbers] = _good
    _PLACE_IN_HEAD[_numbers] = np.arange(len(_numbers))
_PLACE_IN_HEAD[TABLE_NUMBERS] = np.arange(len(TABLE_NUMBERS))

MOST_NUMBERS = 8
"""No decision takes more numbers: seven cards of a hand (R6.1), and the confirmation."""


def room_for(shape: tuple[int, int, int]) -> Room:
    """Arrays to work in for a network of this shape; one call at a time."""
    depth, *widths = shape
    widest = max(GOODS_BYTES.shape[1], len(TABLE_BYTES), *widths)
    return (
        np.zeros(FEATURES, np.uint8),
        np.zeros(NUMBERS, np.uint8),
        np.zeros(NUMBERS, np.float32),
        np.zeros(((depth + 1) * _SEEN, widest), np.float32),
        np.zeros(widest, np.int64),
    )


@_swift
def _add(given: Floats, matrix: Floats, made: Floats, present: Words) -> None:
    """Adds to ``made`` what a matrix makes of what is given, nothing of which is below 0."""
    count = 0
    inputs, width = matrix.shape
    for place in range(inputs):
        if given[place] > 0:
            present[count] = place
            count += 1
    whole = count - count % 4
    for start in range(0, whole, 4):
        one, two = present[start], present[start + 1]
        three, four = present[start + 2], present[start + 3]
        by_one, by_two, by_three, by_four = given[one], given[two], given[three], given[four]
        for out in range(width):
            made[out] += (by_one * matrix[one, out] + by_two * matrix[two, out]) + (
                by_three * matrix[three, out] + by_four * matrix[four, out]
            )
    for place in range(whole, count):
        one = present[place]
        by_one = given[one]
        for out in range(width):
            made[out] += by_one * matrix[one, out]


@_swift
def _layer(layer: Any, given: Floats, made: Floats, present: Words) -> None:
    """Sets what a layer makes of the goods and the table, whose rows are ``given``."""
    table, average, table_vector, good, told, good_vectors = layer
    wide, tables = len(good_vectors[0]), len(table_vector)
    # The goods' average, where the first good's outputs will be.
    pooled, last = made[0], made[_TABLE]
    for place in range(len(average)):
        total = np.float32(0)
        for each in range(_TABLE):
            total += given[each, place]
        pooled[place] = total / np.float32(_TABLE)
    for out in range(tables):
        last[out] = table_vector[out]
    _add(given[_TABLE], table, last, present)
    _add(pooled, average, last, present)
    _keep_positive(last, tables)
    for out in range(wide):
        made[0, out] = 0
    _add(last, told, made[0], present)
    for each in range(_TABLE - 1, -1, -1):
        for out in range(wide):
            made[each, out] = made[0, out] + good_vectors[each, out]
        _add(given[each], good, made[each], present)
        _keep_positive(made[each], wide)


@_swift
def _keep_positive(made: Floats, width: int) -> None:
    for out in range(width):
        made[out] = max(made[out], np.float32(0))


@part
def _fill(net: Net, room: Room) -> None:
    """Fills the layers by the room's row."""
    row, _, _, scratch, present = room
    layers = net[0]
    for good in range(_TABLE):
        for place in range(len(GOODS_BYTES[0])):
            scratch[good, place] = row[GOODS_BYTES[good, place]]
    for place in range(len(TABLE_BYTES)):
        scratch[_TABLE, place] = row[TABLE_BYTES[place]]
    for depth in range(len(layers)):
        start = depth * _SEEN
        middle = start + _SEEN
        _layer(layers[depth], scratch[start:middle], scratch[middle : middle + _SEEN], present)


@_swift
def _score(given: Floats, columns: Floats, vector: Floats, place: int) -> float:
    """One output of a head whose matrix lies by outputs."""
    total = vector[place]
    column = columns[place]
    for one in range(len(column)):
        total += given[one] * column[one]
    return total


@_entry
def policy(net: Net, room: Room) -> None:
    """Sets how likely the network plays each number, by the room's row and mask."""
    _, mask, shares, scratch, _ = room
    _fill(net, room)
    last = scratch[len(net[0]) * _SEEN :]
    top = np.float32(-3e38)
    for number in range(NUMBERS):
        if mask[number]:
            seen, place = _SEEN_AT[number], _PLACE_IN_HEAD[number]
            if seen == _TABLE:
                shares[number] = _score(last[seen], net[3], net[4], place)
            else:
                shares[number] = _score(last[seen], net[1], net[2], place)
            top = max(top, shares[number])
    total = 0.0
    for number in range(NUMBERS):
        shares[number] = exp(shares[number] - top) if mask[number] else 0
        total += shares[number]
    for number in range(NUMBERS):
        shares[number] /= total


@_entry
def chances(net: Net, room: Room) -> None:
    """Sets the first shares to each slot's chance to win, by the room's row."""
    row, _, shares, scratch, _ = room
    _fill(net, room)
    last = scratch[len(net[0]) * _SEEN + _TABLE]
    players = 3 + row[1] + 2 * row[2] + 3 * row[3]
    sharp = net[5][players - 3]
    top = np.float32(-3e38)
    for slot in range(players):
        shares[slot] = sharp * _score(last, net[3], net[4], len(TABLE_NUMBERS) + slot)
        if slot == 0:
            shares[slot] += net[6][players - 3]
        top = max(top, shares[slot])
    total = 0.0
    for slot in range(players):
        shares[slot] = exp(shares[slot] - top)
        total += shares[slot]
    for slot in range(SLOTS):
        shares[slot] = shares[slot] / total if slot < players else 0


@part
def picked(game: Words, shares: Floats, heat: float) -> int:
    """A number by its share: the likeliest without heat, by chance of the record with heat 1."""
    best = 0
    for number in range(NUMBERS):
        if shares[number] > shares[best]:
            best = number
    if heat <= 0:
        return best
    total = 0.0
    for number in range(NUMBERS):
        if shares[number] > 0:
            total += (shares[number] / shares[best]) ** (1 / heat)
    left = total * draw(game, 1 << 30) / (1 << 30)
    for number in range(NUMBERS):
        if shares[number] > 0:
            left -= (shares[number] / shares[best]) ** (1 / heat)
            if left < 0:
                return number
    return best


@part
def only_number(mask: Bytes) -> int:
    """The one legal number, or -1 if there are several."""
    found = -1
    for number in range(NUMBERS):
        if mask[number]:
            if found >= 0:
                return -1
            found = number
    return found


@part
def write_choices(game: Words, mask: Bytes) -> None:
    """Sets which legal numbers the network weighs for the seat on turn.

    Sets are sold when cards must go and at the end (R6.1, R7.1), not before: cards in hand are
    bids. And at the end nobody is done who could still sell.
    """
    write_mask(game, mask)
    if game[PHASE] == FINAL:
        for number in range(SELL, NUMBERS):
            if mask[number]:
                mask[DONE] = 0
    elif game[PHASE] != LIMIT:
        for number in range(SELL, NUMBERS):
            mask[number] = 0


@part
def number_for(net: Net, room: Room, game: Words, heat: float) -> int:
    """The number that the network plays for the seat on turn; nothing is asked without a choice."""
    row, mask, shares, _, _ = room
    write_choices(game, mask)
    number = only_number(mask)
    if number >= 0:
        return number
    write_features(game, game[TURN], row)
    policy(net, room)
    return picked(game, shares, heat)


@_entry
def decide(net: Net, room: Room, game: Words, heat: float, numbers: Words) -> int:
    """Plays one whole decision of the seat on turn; its numbers are written, and counted."""
    for count in range(MOST_NUMBERS):
        number = number_for(net, room, game, heat)
        numbers[count] = number
        step(game, number)
        if number >= CONFIRM:
            return count + 1
    return 0
