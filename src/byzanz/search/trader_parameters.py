"""The trader's parameters, tuned by self-play.

Each tuning step varied many parameters at random. The variant that won most often against the
current trader became the next trader. Some older traders stayed among the opponents, so that old
weaknesses did not come back.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from byzanz.fast.layout import Ints

from . import trader_policy as t
from .hand_value import value_table

_LAST_ROUND = (13, 4, 4, 0, 42, 84)
"""Weights of leftover cards in the last round; see :mod:`byzanz.search.hand_value`."""
_EARLY = (19, 4, 9, 7, 49, 99)
"""Weights with four or more rounds left. With two or three rounds left, they are interpolated."""

_PASS_BONUS = {
    3: (44, 75),
    4: (98, 85, 107),
    5: (139, 55, 78, 105),
    6: (66, 102, 85, 114, 123),
}
"""For each number of players, the points for passing.

The first number is for two offer cards left, the next for three, and so on.
"""

_SCORE_WEIGHTS = (
    (3, 64, 0, 0, 0),
    (31, 33, 5, 28, 6),
    (37, 30, 6, 28, 6),
    (42, 37, 6, 23, 3),
    (50, 47, 5, 15, 2),
)
"""The win probability model's weights for each stage, fitted to thousands of traders' games.

The columns are named in :mod:`byzanz.search.playouts`. Compared with the trader's own valuation,
card values count more and sets less, because high cards buy later lots.
"""


@lru_cache(maxsize=1)
def score_weights() -> Ints:
    """Return the weights of the win probability model, one row per stage."""
    return np.array(_SCORE_WEIGHTS, dtype=np.int64)


@lru_cache(maxsize=1)
def hand_values() -> Ints:
    """Return the trader's table of hand values."""
    steps = [
        np.add(_LAST_ROUND, np.subtract(_EARLY, _LAST_ROUND) * rounds / 3) for rounds in range(4)
    ]
    return value_table(np.rint(steps).astype(np.int64))


@lru_cache(maxsize=4)
def parameters(players: int) -> Ints:
    """Return the trader's parameters for a number of players."""
    found = np.zeros(t.PARAMETERS, dtype=np.int64)
    found[t.EXCESS] = 19
    found[t.SURVIVAL] = 34
    found[t.RIVAL_TAKE] = 14
    found[t.RIVAL_GIVE] = 11
    found[t.ALL_PASS] = 6
    bonus = _PASS_BONUS[players]
    found[t.PASS_BONUS + 2 : t.PASS_BONUS + 2 + len(bonus)] = bonus
    return found
