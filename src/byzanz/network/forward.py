"""The forward pass, compiled: one row of bytes to scores and chances, and whole decisions."""

from __future__ import annotations

from math import exp, log

import numpy as np
from numba import njit

from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import CONFIRM, DONE, NUMBERS, SELL
from byzanz.fast import step, write_features, write_mask
from byzanz.fast.chance import draw
from byzanz.fast.jit import CACHED, part, unlocked
from byzanz.fast.layout import FINAL, LIMIT, PHASE, TURN, Bytes, Words

from .layers import PLAYERS, TABLE, Floats, Net, Room, count_of, fill, score
from .layout import GOODS_NUMBERS, TABLE_NUMBERS

_written_out = njit(inline="always", cache=CACHED, nogil=True, _nrt=False, no_cfunc_wrapper=True)
"""Put in place of its call before anything is compiled: all that a function calls is compiled again
with it, and the layers take long."""

_SEEN_AT = np.full(NUMBERS, TABLE)
"""By number, the row that its score is of, and its place in that one's head."""
_PLACE_IN_HEAD = np.zeros(NUMBERS, np.int64)
for _good, _numbers in enumerate(GOODS_NUMBERS):
    _SEEN_AT[_numbers] = _good
    _PLACE_IN_HEAD[_numbers] = np.arange(len(_numbers))
_PLACE_IN_HEAD[TABLE_NUMBERS] = np.arange(len(TABLE_NUMBERS))

_NO_CHANCE = np.float32(1e-30)
"""No chance is less, for each has a logarithm."""

MOST_NUMBERS = 8
"""No decision takes more numbers: seven cards of a hand (R6.1), and the confirmation."""


@_written_out
def policy(net: Net, room: Room) -> None:
    """Sets how likely the network plays each number, by the room's row and mask."""
    _, mask, shares, scratch, _ = room
    last = scratch[fill(net, room) :]
    top = np.float32(-3e38)
    for number in range(NUMBERS):
        if mask[number]:
            seen, place = _SEEN_AT[number], _PLACE_IN_HEAD[number]
            if seen == TABLE:
                shares[number] = score(last[seen], net[3], net[4], place)
            else:
                shares[number] = score(last[seen], net[1], net[2], place)
            top = max(top, shares[number])
    total = 0.0
    for number in range(NUMBERS):
        shares[number] = exp(shares[number] - top) if mask[number] else 0
        total += shares[number]
    for number in range(NUMBERS):
        shares[number] /= total


@unlocked
def chances(net: Net, room: Room) -> None:
    """Sets the first shares to each slot's chance to win, by the room's row."""
    row, _, shares, scratch, _ = room
    last = scratch[fill(net, room) :]
    players = count_of(row)
    for slot in range(SLOTS):
        shares[slot] = score(last[PLAYERS + slot], net[5], net[6], 0) if slot < players else 0
    _soften(shares, players)
    correction = net[7][players - 3]
    sharpness, lean, favour = correction[0], correction[1], correction[2]
    for slot in range(players):
        own = lean if slot == 0 else np.float32(0)
        shares[slot] = sharpness * log(max(shares[slot], _NO_CHANCE)) + favour * shares[slot] + own
    _soften(shares, players)


@part
def _soften(shares: Floats, count: int) -> None:
    """The first scores become shares of 1, by the softmax."""
    top = np.float32(-3e38)
    for place in range(count):
        top = max(top, shares[place])
    total = 0.0
    for place in range(count):
        shares[place] = exp(shares[place] - top)
        total += shares[place]
    for place in range(count):
        shares[place] /= total


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


@_written_out
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


@unlocked
def decide(net: Net, room: Room, game: Words, heat: float, numbers: Words) -> int:
    """Plays one whole decision of the seat on turn; its numbers are written, and counted."""
    for count in range(MOST_NUMBERS):
        number = number_for(net, room, game, heat)
        numbers[count] = number
        step(game, number)
        if number >= CONFIRM:
            return count + 1
    return 0
