"""Which bytes of a row and which numbers belong to a good, a player, a holding, or the table.

The six goods are alike, and so are the players: what a network learns of one holds for all. So it
looks at each good with the same weights, at each player, and at each holding, which is what one
player has of one good. All else is the table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import FACES, FEATURES, PIECES, SLOTS
from byzanz.encoding.numbers import (
    ADD,
    CONFIRM,
    DISCARD,
    DONE,
    GIVE,
    GOODS,
    NUMBERS,
    PASS,
    SELL,
    SETS_A_GOOD,
    TAKE,
)

Places = npt.NDArray[np.int64]

_VALUES = 4
_MERCHANT = FACES - 1
_OF_PLAYERS = (
    "turn", "starter", "takers", "known", "unknown", "bid", "worth", "passed", "done",
    "offer_card", "kept", "profit",
)  # fmt: skip
"""The pieces that have a part for each slot."""


def _faces(good: int) -> range:
    return range(_VALUES * good, _VALUES * (good + 1))


def _of_good(good: int) -> list[int]:
    """The bytes of a good that are of no player."""
    pieces = [piece for piece in PIECES.values() if piece.shape == (FACES,)]
    return [piece.start + face for piece in pieces for face in _faces(good)]


def _of_holding(good: int, slot: int) -> list[int]:
    """The bytes of what a slot has of a good."""
    pieces = [piece for piece in PIECES.values() if piece.shape == (SLOTS, FACES)]
    return [piece.start + slot * FACES + face for piece in pieces for face in _faces(good)]


def _of_player(slot: int) -> list[int]:
    """The bytes of a slot that are of no good."""
    places: list[int] = []
    for name in _OF_PLAYERS:
        piece = PIECES[name]
        size = piece.size // SLOTS
        of_no_good = [_MERCHANT] if size == FACES else range(size)
        places += [piece.start + slot * size + each for each in of_no_good]
    return places


def _numbers(good: int) -> list[int]:
    sets = range(SELL + SETS_A_GOOD * good, SELL + SETS_A_GOOD * (good + 1))
    laid, given, discarded = (
        [first + face for face in _faces(good)] for first in (ADD, GIVE, DISCARD)
    )
    return [*laid, *given, TAKE + good, *discarded, *sets]


GOODS_BYTES: Places = np.array([_of_good(good) for good in GOODS])
"""By good, the places in a row of its cards' counts, wherever they lie but with a player."""
HOLDINGS_BYTES: Places = np.array(
    [[_of_holding(good, slot) for slot in range(SLOTS)] for good in GOODS]
)
"""By good and slot, the places of its cards' counts in the slot's hand, bid and profit."""
PLAYERS_BYTES: Places = np.array([_of_player(slot) for slot in range(SLOTS)])
"""By slot, the places of what else is told of it."""
TABLE_BYTES: Places = np.setdiff1d(
    np.arange(FEATURES),
    np.concatenate([GOODS_BYTES.flatten(), HOLDINGS_BYTES.flatten(), PLAYERS_BYTES.flatten()]),
)
"""The other places in a row."""
GOODS_NUMBERS: Places = np.array([_numbers(good) for good in GOODS])
"""By good, the numbers that lay, give, take, discard and sell its cards."""
TABLE_NUMBERS: Places = np.array(
    [CONFIRM, PASS, GIVE + _MERCHANT, TAKE + len(GOODS), DISCARD + _MERCHANT, DONE, NUMBERS - 1]
)
"""The other numbers."""
