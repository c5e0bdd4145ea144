"""A game as words: where everything stands in the record, and cards packed into bits.

A record is 58 words of 64 bits. Goods cards are packed ten bits a good, from cloth up: three bits
each count the 1s and 2s, two bits each the 3s and 4s, which is all there are (R1.1). Merchants are
counted apart. A packed word is added and subtracted like a number, face by face.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .bits import ones
from .jit import inlined

Words = npt.NDArray[np.int64]
"""A record's words, or rows of them; also any numbers by game."""
Bytes = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

SEATS = 6
GOODS = 6
GOODS_FACES = 24
MERCHANT = 24
CARDS = 112

# --- The record -----------------------------------------------------------------------------------
RECORD = np.dtype(
    [
        ("chance", np.int64),  # the state of the generator
        ("players", np.int64),
        ("phase", np.int64),
        ("turn", np.int64),  # -1 once the game is over
        ("starter", np.int64),
        ("stack", np.int64),  # how many offer cards are left to be won
        ("takers", np.int64),  # seats in order, four bits each, the next lowest; seat + 1, 0 ends
        ("drawn", np.int64),  # where in ``cards`` the deck begins
        ("highest", np.int64),  # what the highest bid is worth
        ("laid", np.int64),  # goods laid so far towards a bid, already out of the hand
        ("offer", np.int64),
        ("market", np.int64),
        ("gone", np.int64),
        ("merchants", np.int64),  # of offer, market and gone: eight bits each
        ("hand", np.int64, SEATS),
        ("hidden", np.int64, SEATS),
        ("bid", np.int64, SEATS),
        ("kept", np.int64, SEATS),
        ("seat", np.int64, SEATS),  # merchants in hand, hidden, kept; bid's worth; standing
        ("cards", np.int64, CARDS // 8),  # the dealt order, a byte a card
    ],
    align=True,
)
"""One game. All fields are words, so that an array of records is an array of words."""

WORDS = RECORD.itemsize // 8


def _at(name: str) -> int:
    fields = RECORD.fields
    if fields is None:
        raise TypeError("a record has fields")
    return int(fields[name][1]) // 8


CHANCE, PLAYERS, PHASE, TURN, STARTER = map(_at, ("chance", "players", "phase", "turn", "starter"))
STACK, TAKERS, DRAWN, HIGHEST, LAID = map(_at, ("stack", "takers", "drawn", "highest", "laid"))
OFFER, MARKET, GONE, MERCHANTS = map(_at, ("offer", "market", "gone", "merchants"))
HAND, HIDDEN, BID, KEPT, SEAT, DECK = map(_at, ("hand", "hidden", "bid", "kept", "seat", "cards"))

# Within ``merchants``: shifts.
OFFER_M, MARKET_M, GONE_M = 0, 8, 16
# Within ``seat``: shifts and flags.
HAND_M, HIDDEN_M, KEPT_M, WORTH, OFFER_CARD = 0, 8, 16, 24, 32
PASSED, DONE = 1 << 40, 1 << 41

AUCTION, GIVE, LIMIT, TAKE, FINAL, OVER = range(6)
"""Phases, in the order of :class:`byzanz.rules.Phase`."""

# --- Packed goods ---------------------------------------------------------------------------------
LANES = sum(1 << 10 * good for good in range(GOODS))
ONES, TWOS, THREES, FOURS = LANES, LANES << 3, LANES << 6, LANES << 8
"""The lowest bit of each count, by the card's value."""
WIDE, NARROW = ONES | TWOS, THREES | FOURS
"""The lowest bits of the three-bit and of the two-bit counts."""
LANE = 1023


@inlined
def shift_of(face: int) -> int:
    """Where the count of a goods face begins in a packed word."""
    value = face & 3
    return 10 * (face >> 2) + 3 * value - (value == 3)


@inlined
def face_at(shift: int) -> int:
    """The goods face whose count begins there."""
    good = shift // 10
    return 4 * good + (shift - 10 * good + 1) // 3


@inlined
def count_of(packed: int, face: int) -> int:
    """How many cards of a goods face a packed word holds."""
    return (packed >> shift_of(face)) & (7 if face & 3 < 2 else 3)


@inlined
def faces_in(packed: int) -> int:
    """A bit where the count of each goods face present begins."""
    some = packed | (packed >> 1)
    return ((some | (packed >> 2)) & WIDE) | (some & NARROW)


@inlined
def worth_of(packed: int) -> int:
    """The sum of the values of packed goods (R3.2)."""
    high = packed >> 1
    top = packed >> 2
    return (
        ones(packed & ONES)
        + 2 * (ones(packed & TWOS) + ones(high & ONES))
        + 3 * (ones(packed & THREES) + 2 * ones(high & THREES))
        + 4 * (ones(packed & FOURS) + 2 * ones(high & FOURS))
        + 4 * (ones(top & ONES) + 2 * ones(top & TWOS) + ones(high & TWOS))
    )


@inlined
def size_of(packed: int) -> int:
    """How many cards a packed word holds."""
    low = WIDE | NARROW
    return ones(packed & low) + 2 * ones((packed >> 1) & low) + 4 * ones((packed >> 2) & WIDE)


@inlined
def byte_at(game: Words, place: int) -> int:
    """The face of the dealt card at this place."""
    return (game[DECK + (place >> 3)] >> (8 * (place & 7))) & 255
