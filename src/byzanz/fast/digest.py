"""Whole games as one number each: every word of every state goes into it.

What a GPU played can so be held against the CPU without shipping the games.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numba import njit, prange

from . import words as w
from .legal import choose
from .play import deal, step
from .sensible import sensible
from .words import (
    OVER,
    PHASE,
    WORDS,
    Words,
)

RANDOM, SENSIBLE = 0, 1
POLICIES = {"random": RANDOM, "sensible": SENSIBLE}

_PRIME = 0x100000001B3


@njit(_nrt=False)
def digest_of_game(game: Words, players: int, seed: int, policy: int) -> int:
    """Plays the seed's game to its end in ``game`` by a policy; the digest of all its states."""
    deal(game, players, seed)
    digest = seed
    while True:
        for place in range(WORDS):
            digest = (digest ^ game[place]) * _PRIME
            digest ^= (digest >> 29) & 0x7FFFFFFFF
        if game[PHASE] == OVER:
            return digest
        step(game, choose(game) if policy == RANDOM else sensible(game))


@njit(cache=True, parallel=True)
def digest_all(games: Words, players: int, policy: int, digests: Words) -> None:
    """The digests of the games of seeds 0, 1, 2 and so on."""
    for seed in prange(len(games)):
        digests[seed] = digest_of_game(games[seed], players, np.int64(seed), policy)


def digests_on_cpu(players: int, policy: str, games: int) -> Words:
    """The digests of the first games of a policy, computed on this machine's cores."""
    digests = np.zeros(games, dtype=np.int64)
    digest_all(np.zeros((games, w.WORDS), np.int64), players, POLICIES[policy], digests)
    return digests


def shortened(digests: Words, games: int = 100) -> list[str]:
    """One short text for each so many digests: what is kept in a file."""
    data = np.ascontiguousarray(digests, dtype="<i8")
    return [
        hashlib.blake2b(data[first : first + games].tobytes(), digest_size=8).hexdigest()
        for first in range(0, len(data), games)
    ]
