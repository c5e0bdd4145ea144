"""What a table service gets from outside: the clock, ids and randomness."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from byzanz.rules import SEEDS, Deal
from byzanz.rules.proven_deal import NONCE_DIGITS, SECRET_DIGITS
from byzanz.tables.model.commands import Creation
from byzanz.tables.model.proof import checked_nonce


def _id() -> str:
    """Return about 128 random bits as text for a URL.

    The text does not begin with ``-``, so that a command does not take it for an option.
    """
    while (text := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return text


def _key() -> str:
    """Return 256 random bits as text."""
    return secrets.token_urlsafe(32)


def _seed() -> int:
    """Return a random seed."""
    return secrets.randbelow(SEEDS)


def _deal_secret() -> str:
    """Return a random secret for a deal, in hexadecimal digits."""
    return secrets.token_hex(SECRET_DIGITS // 2)


def _nonce() -> str:
    """Return a random nonce, in hexadecimal digits."""
    return secrets.token_hex(NONCE_DIGITS // 2)


@dataclass(frozen=True)
class Environment:
    """The clock, ids and randomness of a table service. Tests use fixed ones."""

    clock: Callable[[], float] = time.time
    """Returns the time in seconds since 1970."""
    monotonic: Callable[[], float] = time.monotonic
    """Returns the seconds since an arbitrary moment; nobody can set this clock."""
    ids: Callable[[], str] = _id
    """Returns a new id for a table or a guest, which nobody can guess."""
    keys: Callable[[], str] = _key
    """Returns a new secret, such as a token or a signing key."""
    seeds: Callable[[], int] = _seed
    """Returns a random seed for the bots of a table."""
    deal: Callable[[int], Deal] = Deal.from_system
    """Returns a deal for this many players."""
    deal_secrets: Callable[[], str] | None = None
    """Returns the secret of a deal that anyone can check; None if all deals come from ``deal``."""
    nonces: Callable[[], str] = _nonce
    """Returns a nonce for a player who sends none."""

    def creation(self, nonce: str | None) -> Creation:
        """Return what is needed to create a table; ``nonce`` is the host's, if they sent one."""
        return Creation(
            self.ids(),
            self.deal,
            self.seeds(),
            self.clock(),
            deal_secret=None if self.deal_secrets is None else self.deal_secrets(),
            nonce=checked_nonce(nonce, self.nonces()),
        )


SYSTEM = Environment(deal_secrets=_deal_secret)
"""The clock and the randomness of the operating system."""
