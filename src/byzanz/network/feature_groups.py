"""The assignment of features and action numbers to goods, players, holdings and the table.

A holding is the cards of one good that one player has. Features and action numbers that belong to
no good, player or holding belong to the table. The network shares its weights among the six goods,
among the players and among the holdings.
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

Indices = npt.NDArray[np.int64]

_VALUES = 4
_MERCHANT = FACES - 1
_PLAYER_PIECES = (
    "turn", "starter", "takers", "known", "unknown", "bid", "worth", "passed", "done",
    "offer_card", "kept", "profit",
)  # fmt: skip
"""The pieces of the features that have a part for each slot."""


def _faces(good: int) -> range:
    return range(_VALUES * good, _VALUES * (good + 1))


def _of_good(good: int) -> list[int]:
    """Return the indices of the features that count cards of a good, but not by slot."""
    pieces = [piece for piece in PIECES.values() if piece.shape == (FACES,)]
    return [piece.start + face for piece in pieces for face in _faces(good)]


def _of_holding(good: int, slot: int) -> list[int]:
    """Return the indices of the features that count a slot's cards of a good."""
    pieces = [piece for piece in PIECES.values() if piece.shape == (SLOTS, FACES)]
    return [piece.start + slot * FACES + face for piece in pieces for face in _faces(good)]


def _of_player(slot: int) -> list[int]:
    """Return the indices of the features that describe a slot, but not its cards of a good."""
    indices: list[int] = []
    for name in _PLAYER_PIECES:
        piece = PIECES[name]
        size = piece.size // SLOTS
        of_no_good = [_MERCHANT] if size == FACES else range(size)
        indices += [piece.start + slot * size + each for each in of_no_good]
    return indices


def _numbers(good: int) -> list[int]:
    sets = range(SELL + SETS_A_GOOD * good, SELL + SETS_A_GOOD * (good + 1))
    laid, given, discarded = (
        [first + face for face in _faces(good)] for first in (ADD, GIVE, DISCARD)
    )
    return [*laid, *given, TAKE + good, *discarded, *sets]


GOODS_BYTES: Indices = np.array([_of_good(good) for good in GOODS])
"""For each good, the indices of its card counts that are not by slot, such as the market's."""
HOLDINGS_BYTES: Indices = np.array(
    [[_of_holding(good, slot) for slot in range(SLOTS)] for good in GOODS]
)
"""For each good and slot, the indices of its card counts: known in hand, bid, and kept."""
PLAYERS_BYTES: Indices = np.array([_of_player(slot) for slot in range(SLOTS)])
"""For each slot, the indices of its other features."""
TABLE_BYTES: Indices = np.setdiff1d(
    np.arange(FEATURES),
    np.concatenate([GOODS_BYTES.flatten(), HOLDINGS_BYTES.flatten(), PLAYERS_BYTES.flatten()]),
)
"""The indices of all other features."""
GOODS_NUMBERS: Indices = np.array([_numbers(good) for good in GOODS])
"""For each good, the action numbers that lay, give, take, discard and sell its cards."""
TABLE_NUMBERS: Indices = np.array(
    [CONFIRM, PASS, GIVE + _MERCHANT, TAKE + len(GOODS), DISCARD + _MERCHANT, DONE, NUMBERS - 1]
)
"""All other action numbers."""
