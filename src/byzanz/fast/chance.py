"""SplitMix64 with its state in the record; it draws the numbers of :mod:`byzanz.rules.chance`."""

from __future__ import annotations

from .jit import inlined
from .layout import CHANCE, Record

STEP = 0x9E3779B97F4A7C15 - (1 << 64)
_FIRST = 0xBF58476D1CE4E5B9 - (1 << 64)
_SECOND = 0x94D049BB133111EB - (1 << 64)


@inlined
def next_seed(game: Record) -> int:
    """Return the next 64 random bits, and advance the record's random generator."""
    value = game[CHANCE] + STEP
    game[CHANCE] = value
    # Masking makes the right shift of a signed value act like that of an unsigned one.
    value = (value ^ ((value >> 30) & 0x3FFFFFFFF)) * _FIRST
    value = (value ^ ((value >> 27) & 0x1FFFFFFFFF)) * _SECOND
    return value ^ ((value >> 31) & 0x1FFFFFFFF)


@inlined
def draw(game: Record, bound: int) -> int:
    """Draw a number from 0 to ``bound`` - 1 and advance the record's random generator."""
    return (((next_seed(game) >> 32) & 0xFFFFFFFF) * bound) >> 32
