"""Seeded chance: SplitMix64, the same numbers on every machine and in every version.

The n-th number of a seed depends on nothing but the seed and n, which is what lets the compiled
engine deal the very same cards. ``docs/dealing.md`` specifies it and gives test vectors.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

_T = TypeVar("_T")

SEEDS = 1 << 64
"""Seeds are whole numbers from 0 up to, not including, this one."""

_WORD = SEEDS - 1
_STEP = 0x9E3779B97F4A7C15
_ASIDE = 0x6A09E667F3BCC909
"""Sets branches apart from the stream they branch from."""


def mixed(word: int) -> int:
    """The 64 bits of ``word`` stirred: SplitMix64's finaliser."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _WORD
    return word ^ (word >> 31)


def branch(seed: int, number: int) -> int:
    """The seed of branch ``number`` of ``seed``: a stream apart from all the others."""
    return mixed((mixed(seed ^ _ASIDE) + (number + 1) * _STEP) & _WORD)


class Chance:
    """A stream of numbers that its seed alone decides."""

    __slots__ = ("_at",)

    def __init__(self, seed: int) -> None:
        if not 0 <= seed < SEEDS:
            raise ValueError(f"a seed is a whole number from 0 to {_WORD}, not {seed}")
        self._at = seed

    def word(self) -> int:
        """The next 64 bits."""
        self._at = (self._at + _STEP) & _WORD
        return mixed(self._at)

    def below(self, bound: int) -> int:
        """A number from 0 up to, not including, ``bound`` (at most 2**32)."""
        return (self.word() >> 32) * bound >> 32

    def choice(self, items: Sequence[_T]) -> _T:
        """One of the items."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[_T]) -> None:
        """Puts the items in an order of chance: Fisher-Yates from the last item down."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
