"""Whole games as one number each: all of every state, mask and features goes into it.

What a GPU played can so be held against the CPU without shipping the games.
"""

from __future__ import annotations

import hashlib

import numpy as np

from byzanz.encoding.features import FEATURES
from byzanz.encoding.numbers import NUMBERS

from .jit import part, private
from .layout import OVER, PHASE, TURN, WORDS, Bytes, Words
from .legal import choose, write_mask
from .observe import write_features
from .parallel import by_rows
from .play import deal, step
from .policies import POLICIES, RANDOM
from .sensible import sensible

_PRIME = 0x100000001B3


@part
def digest_of_game(  # noqa: PLR0913, PLR0917
    game: Words, mask: Bytes, row: Bytes, players: int, seed: int, policy: int
) -> int:
    """Plays the seed's game to its end in ``game`` by a policy.

    The digest is of every state, and of the mask and the features of the seat to act.
    """
    deal(game, players, seed)
    digest = seed
    while True:
        for place in range(WORDS):
            digest = _stirred(digest, game[place])
        if game[PHASE] == OVER:
            return digest
        write_mask(game, mask)
        for place in range(NUMBERS):
            digest = _stirred(digest, mask[place])
        write_features(game, game[TURN], row)
        for place in range(FEATURES):
            digest = _stirred(digest, row[place])
        step(game, choose(game) if policy == RANDOM else sensible(game))


@private
def _stirred(digest: int, word: int) -> int:
    digest = (digest ^ word) * _PRIME
    return digest ^ ((digest >> 29) & 0x7FFFFFFFF)


@by_rows(fewest=1)
def _digest_all(  # noqa: PLR0913, PLR0917
    games: Words, masks: Bytes, rows: Bytes, players: int, digests: Words, policy: int
) -> None:
    """Puts the digest of each seed's game in the seed's place."""
    for game in range(len(games)):
        digests[game] = digest_of_game(
            games[game], masks[game], rows[game], players, digests[game], policy
        )


def digests_on_cpu(players: int, policy: str, games: int) -> Words:
    """The digests of the first games of a policy, computed on this machine's cores."""
    digests = np.arange(games, dtype=np.int64)
    masks, rows = np.zeros((games, NUMBERS), np.uint8), np.zeros((games, FEATURES), np.uint8)
    words = np.zeros((games, WORDS), np.int64)
    _digest_all(words, masks, rows, players, digests, POLICIES[policy])
    return digests


def shortened(digests: Words, games: int = 100) -> list[str]:
    """One short text for each so many digests: what is kept in a file."""
    data = np.ascontiguousarray(digests, dtype="<i8")
    return [
        hashlib.blake2b(data[first : first + games].tobytes(), digest_size=8).hexdigest()
        for first in range(0, len(data), games)
    ]
