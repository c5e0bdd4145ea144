"""Digests of whole games, over every state, mask and row of features.

Comparing digests shows whether a GPU and the CPU played the same games, without storing the games.
"""

from __future__ import annotations

import hashlib

import numpy as np

from byzanz.encoding.features import FEATURES
from byzanz.encoding.numbers import NUMBERS

from .jit import part, private
from .layout import OVER, PHASE, RECORD_LENGTH, TURN, Bytes, Ints, Record
from .legal import choose, write_mask
from .observe import write_features
from .parallel import by_rows
from .play import deal, step
from .policy_ids import POLICIES, RANDOM
from .sensible import sensible

_PRIME = 0x100000001B3


@part
def digest_of_game(  # noqa: PLR0913, PLR0917
    game: Record, mask: Bytes, row: Bytes, players: int, seed: int, policy: int
) -> int:
    """Play the seed's game to its end with a policy and return its digest.

    The digest covers every state, and the mask and features of the seat to act.
    """
    deal(game, players, seed)
    digest = seed
    while True:
        for place in range(RECORD_LENGTH):
            digest = _mix(digest, game[place])
        if game[PHASE] == OVER:
            return digest
        write_mask(game, mask)
        for place in range(NUMBERS):
            digest = _mix(digest, mask[place])
        write_features(game, game[TURN], row)
        for place in range(FEATURES):
            digest = _mix(digest, row[place])
        step(game, choose(game) if policy == RANDOM else sensible(game))


@private
def _mix(digest: int, value: int) -> int:
    digest = (digest ^ value) * _PRIME
    return digest ^ ((digest >> 29) & 0x7FFFFFFFF)


@by_rows(fewest=1)
def _digest_all(  # noqa: PLR0913, PLR0917
    games: Record, masks: Bytes, rows: Bytes, players: int, digests: Ints, policy: int
) -> None:
    """Replace each seed in ``digests`` by the digest of its game."""
    for game in range(len(games)):
        digests[game] = digest_of_game(
            games[game], masks[game], rows[game], players, digests[game], policy
        )


def digests_on_cpu(players: int, policy: str, games: int) -> Ints:
    """Return the digests of a policy's games with seeds from 0 on, computed on the CPU."""
    digests = np.arange(games, dtype=np.int64)
    masks, rows = np.zeros((games, NUMBERS), np.uint8), np.zeros((games, FEATURES), np.uint8)
    records = np.zeros((games, RECORD_LENGTH), np.int64)
    _digest_all(records, masks, rows, players, digests, POLICIES[policy])
    return digests


def shortened(digests: Ints, games: int = 100) -> list[str]:
    """Return one short hash for every ``games`` digests, as stored in the digest file."""
    data = np.ascontiguousarray(digests, dtype="<i8")
    return [
        hashlib.blake2b(data[first : first + games].tobytes(), digest_size=8).hexdigest()
        for first in range(0, len(data), games)
    ]
