"""Seeded random numbers: SplitMix64, the same numbers on every machine and in every version.

The n-th number depends only on the seed and on n, so the compiled engine can deal the same cards.
``docs/dealing.md`` specifies the algorithm and gives test vectors.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

_T = TypeVar("_T")

SEEDS = 1 << 64
"""The number of seeds: a seed is a whole number from 0 to ``SEEDS - 1``."""

_MASK = SEEDS - 1
_INCREMENT = 0x9E3779B97F4A7C15
_BRANCH_SALT = 0x6A09E667F3BCC909
"""A constant that makes the seeds of branches differ from the numbers of the stream itself."""


def mixed(word: int) -> int:
    """Return ``word`` with its 64 bits mixed by SplitMix64's finaliser."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB & _MASK
    return word ^ (word >> 31)


def branch(seed: int, number: int) -> int:
    """Return the seed of an independent stream of numbers: branch ``number`` of ``seed``."""
    return mixed((mixed(seed ^ _BRANCH_SALT) + (number + 1) * _INCREMENT) & _MASK)


class Chance:
    """A random number generator whose numbers depend only on its seed."""

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        if not 0 <= seed < SEEDS:
            raise ValueError(f"a seed is a whole number from 0 to {_MASK}, not {seed}")
        self._state = seed

    def word(self) -> int:
        """Return the next 64 bits."""
        self._state = (self._state + _INCREMENT) & _MASK
        return mixed(self._state)

    def below(self, bound: int) -> int:
        """Return a number from 0 to ``bound - 1``; ``bound`` is at most 2**32."""
        return (self.word() >> 32) * bound >> 32

    def choice(self, items: Sequence[_T]) -> _T:
        """Return one of the items, drawn at random."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[_T]) -> None:
        """Shuffle the items in place (Fisher-Yates, from the last item down)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
