"""Deals that anyone can check: they follow from a server's secret and the players' nonces.

The server publishes the :func:`commitment` to its secret before the players add their nonces. After
the game it reveals the secret, and everybody can deal the same cards again. ``docs/dealing.md``
specifies the algorithm and gives test vectors.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator, Sequence

from .cards import ALL_CARDS
from .deal import Deal

SECRET_DIGITS = 64
"""The number of hexadecimal digits of a secret: 256 bits."""
NONCE_DIGITS = 32
"""The number of hexadecimal digits of a nonce: 128 bits."""

_NAME = "byzanz-deal/1"
_NOBODY = "-"
_WORD_BYTES = 4
_WORDS = 1 << 8 * _WORD_BYTES


def commitment(secret: str) -> str:
    """Return the hash that binds a server to its secret: SHA-256 of the secret's 32 bytes."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def proven_deal(secret: str, nonces: Sequence[str | None]) -> Deal:
    """Return the deal that follows from the secret and the nonces, one for each seat.

    A nonce begins with its origin, ``player:`` or ``server:``, and its digits follow. A bot's seat
    has None.
    """
    words = _words(bytes.fromhex(secret), nonces)
    cards = list(ALL_CARDS)
    for last in range(len(cards) - 1, 0, -1):
        other = _below(words, last + 1)
        cards[last], cards[other] = cards[other], cards[last]
    return Deal.of(cards, len(nonces))


def _words(secret: bytes, nonces: Sequence[str | None]) -> Iterator[int]:
    """Yield the stream of 32-bit words: blocks of HMAC-SHA-512, numbered from 0."""
    lines = [_NAME, *[nonce or _NOBODY for nonce in nonces]]
    block = 0
    while True:
        message = "\n".join([*lines, str(block)]).encode()
        digest = hmac.digest(secret, message, "sha512")
        for at in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[at : at + _WORD_BYTES], "big")
        block += 1


def _below(words: Iterator[int], bound: int) -> int:
    """Return a number from 0 to ``bound - 1``; all are equally likely."""
    end = _WORDS - _WORDS % bound
    return next(word for word in words if word < end) % bound
