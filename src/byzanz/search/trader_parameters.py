"""The figures of a trader's character, found by letting traders play each other.

Each was varied at random, many at once; what won most against the trader of the day became the next
one, and some of the older traders stayed as opponents, so that an old weakness did not come back.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from byzanz.fast.layout import Words

from . import trader_policy as t
from .hand_value import values_of

_LAST = (13, 4, 4, 0, 42, 84)
"""What rests of a hand are worth in the last round; see :mod:`byzanz.search.hand_value`."""
_EARLY = (19, 4, 9, 7, 49, 99)
"""And with four rounds or more to come; between them it changes evenly."""

_WAIT = {
    3: (44, 75),
    4: (98, 85, 107),
    5: (139, 55, 78, 105),
    6: (66, 102, 85, 114, 123),
}
"""Points for waiting, by players: with two offer cards left, with three and so on."""


_OUTLOOKS = (
    (3, 64, 0, 0, 0),
    (31, 33, 5, 28, 6),
    (37, 30, 6, 28, 6),
    (42, 37, 6, 23, 3),
    (50, 47, 5, 15, 2),
)
"""By stage, how what each seat has tells who will win; fitted to thousands of traders' games.

The spread, then 64ths of a hand's value, then points for its worth, its merchants and its cards:
see :mod:`byzanz.search.playouts`. Here worth counts for more and sets for less than to who
decides what to do with a hand, for worth buys what is needed later.
"""


@lru_cache(maxsize=1)
def outlooks() -> Words:
    """How a game stands, by stage."""
    return np.array(_OUTLOOKS, dtype=np.int64)


@lru_cache(maxsize=1)
def values() -> Words:
    """What hands are worth to a trader."""
    steps = [np.add(_LAST, np.subtract(_EARLY, _LAST) * rounds / 3) for rounds in range(4)]
    return values_of(np.rint(steps).astype(np.int64))


@lru_cache(maxsize=4)
def habits(players: int) -> Words:
    """What a trader is like at a table of so many."""
    habits = np.zeros(t.HABITS, dtype=np.int64)
    habits[t.EXCESS] = 19
    habits[t.HOLD] = 34
    habits[t.DENY_TAKE] = 14
    habits[t.DENY_GIVE] = 11
    habits[t.ALL_PASS] = 6
    waits = _WAIT[players]
    habits[t.WAIT + 2 : t.WAIT + 2 + len(waits)] = waits
    return habits
