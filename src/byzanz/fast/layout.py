"""The layout of a game's record, and cards packed into integers.

A record is 58 integers of 64 bits. Goods cards are packed into one integer with ten bits per good,
from cloth up. Of these, three bits each count the 1s and the 2s, and two bits each count the 3s and
the 4s; this is enough for all cards of the game (R1.1). Merchants are counted separately. Packed
integers can be added and subtracted, which adds and subtracts the counts of all faces.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .bits import ones
from .jit import inlined

Record = npt.NDArray[np.int64]
"""A game's record as a row of integers; with a leading dimension, one row per game."""
Ints = npt.NDArray[np.int64]
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
        ("chance", np.int64),  # the state of the random generator
        ("players", np.int64),
        ("phase", np.int64),
        ("turn", np.int64),  # -1 once the game is over
        ("starter", np.int64),
        ("stack", np.int64),  # the number of offer cards still to be won
        ("takers", np.int64),  # seat + 1 in taking order, four bits each, lowest first; 0 ends
        ("drawn", np.int64),  # the index in ``cards`` of the next card of the deck
        ("highest", np.int64),  # the worth of the highest bid
        ("laid", np.int64),  # cards laid towards a bid so far, no longer in ``hand``
        ("offer", np.int64),
        ("market", np.int64),
        ("gone", np.int64),
        ("merchants", np.int64),  # merchants in offer, market and gone, eight bits each
        ("hand", np.int64, SEATS),
        ("hidden", np.int64, SEATS),
        ("bid", np.int64, SEATS),
        ("kept", np.int64, SEATS),
        ("seat", np.int64, SEATS),  # merchants in hand, hidden, kept; worth of the bid; flags
        ("cards", np.int64, CARDS // 8),  # the shuffled deck, one byte per card
    ],
    align=True,
)
"""The dtype of a game. All its fields are int64, so a record can be viewed as an int64 array."""

RECORD_LENGTH = RECORD.itemsize // 8
"""The number of int64 values in a record."""


def _at(name: str) -> int:
    fields = RECORD.fields
    if fields is None:
        raise TypeError("the record's dtype has no fields")
    return int(fields[name][1]) // 8


CHANCE, PLAYERS, PHASE, TURN, STARTER = map(_at, ("chance", "players", "phase", "turn", "starter"))
STACK, TAKERS, DRAWN, HIGHEST, LAID = map(_at, ("stack", "takers", "drawn", "highest", "laid"))
OFFER, MARKET, GONE, MERCHANTS = map(_at, ("offer", "market", "gone", "merchants"))
HAND, HIDDEN, BID, KEPT, SEAT, DECK = map(_at, ("hand", "hidden", "bid", "kept", "seat", "cards"))

# Bit shifts within ``merchants``.
OFFER_M, MARKET_M, GONE_M = 0, 8, 16
# Bit shifts and flags within ``seat``.
HAND_M, HIDDEN_M, KEPT_M, WORTH, OFFER_CARD = 0, 8, 16, 24, 32
PASSED, DONE = 1 << 40, 1 << 41

AUCTION, GIVE, LIMIT, TAKE, FINAL, OVER = range(6)
"""The phases, in the order of :class:`byzanz.rules.Phase`."""

# --- Packed goods ---------------------------------------------------------------------------------
LANES = sum(1 << 10 * good for good in range(GOODS))
ONES, TWOS, THREES, FOURS = LANES, LANES << 3, LANES << 6, LANES << 8
"""The lowest bit of each count, by card value."""
WIDE, NARROW = ONES | TWOS, THREES | FOURS
"""The lowest bits of the three-bit counts and of the two-bit counts."""
LANE = 1023


@inlined
def shift_of(face: int) -> int:
    """Return the bit shift of a goods face's count in a packed integer."""
    value = face & 3
    return 10 * (face >> 2) + 3 * value - (value == 3)


@inlined
def face_at(shift: int) -> int:
    """Return the goods face whose count has this bit shift."""
    good = shift // 10
    return 4 * good + (shift - 10 * good + 1) // 3


@inlined
def count_of(packed: int, face: int) -> int:
    """Return the count of a goods face in a packed integer."""
    return (packed >> shift_of(face)) & (7 if face & 3 < 2 else 3)


@inlined
def faces_in(packed: int) -> int:
    """Return the lowest count bit of each goods face that the packed integer contains."""
    some = packed | (packed >> 1)
    return ((some | (packed >> 2)) & WIDE) | (some & NARROW)


@inlined
def worth_of(packed: int) -> int:
    """Return the sum of the values of packed goods (R3.2)."""
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
    """Return the number of cards in a packed integer."""
    low = WIDE | NARROW
    return ones(packed & low) + 2 * ones((packed >> 1) & low) + 4 * ones((packed >> 2) & WIDE)


@inlined
def byte_at(game: Record, place: int) -> int:
    """Return the face of the card at this index of the shuffled deck."""
    return (game[DECK + (place >> 3)] >> (8 * (place & 7))) & 255
