"""SplitMix64 in the record: the numbers of :mod:`byzanz.rules.chance`, in signed words."""

from __future__ import annotations

from .jit import inlined
from .layout import (
    CHANCE,
    Words,
)

STEP = 0x9E3779B97F4A7C15 - (1 << 64)
_FIRST = 0xBF58476D1CE4E5B9 - (1 << 64)
_SECOND = 0x94D049BB133111EB - (1 << 64)


@inlined
def draw(game: Words, bound: int) -> int:
    """A number from 0 up to, not including, ``bound``; the generator in the record moves on."""
    word = game[CHANCE] + STEP
    game[CHANCE] = word
    # A signed word's right shift is masked to act like an unsigned one's.
    word = (word ^ ((word >> 30) & 0x3FFFFFFFF)) * _FIRST
    word = (word ^ ((word >> 27) & 0x1FFFFFFFFF)) * _SECOND
    word ^= (word >> 31) & 0x1FFFFFFFF
    return (((word >> 32) & 0xFFFFFFFF) * bound) >> 32
