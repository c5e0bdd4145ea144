"""Which bytes of a row and which numbers belong to which good, and which to the table.

The six goods are alike: what a network learns of one holds for all. So it looks at each good with
the same weights, and at all else, merchants too, as the table.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import FACES, FEATURES, PIECES
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
_FIRST_FACES = [
    start
    for piece in PIECES.values()
    if piece.shape[-1] == FACES
    for start in range(piece.start, piece.start + piece.size, FACES)
]
"""Where in a row counts by face begin."""


def _of_good(good: int) -> tuple[list[int], list[int]]:
    """The bytes and the numbers of a good."""
    faces = range(_VALUES * good, _VALUES * (good + 1))
    sets = range(SELL + SETS_A_GOOD * good, SELL + SETS_A_GOOD * (good + 1))
    seen = [start + face for start in _FIRST_FACES for face in faces]
    laid, given, discarded = ([first + face for face in faces] for first in (ADD, GIVE, DISCARD))
    return seen, [*laid, *given, TAKE + good, *discarded, *sets]


GOODS_BYTES: Places = np.array([_of_good(good)[0] for good in GOODS])
"""By good, the places in a row of its cards' counts."""
TABLE_BYTES: Places = np.setdiff1d(np.arange(FEATURES), GOODS_BYTES)
"""The other places in a row."""
GOODS_NUMBERS: Places = np.array([_of_good(good)[1] for good in GOODS])
"""By good, the numbers that lay, give, take, discard and sell its cards."""
TABLE_NUMBERS: Places = np.array(
    [CONFIRM, PASS, GIVE + _MERCHANT, TAKE + len(GOODS), DISCARD + _MERCHANT, DONE, NUMBERS - 1]
)
"""The other numbers."""
