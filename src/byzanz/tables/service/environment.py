"""Where clock, names of things and chance come from; tests put their own in."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from byzanz.rules import SEEDS, Deal


def _id() -> str:
    """128 bits of the system's chance, to be written in an address."""
    return secrets.token_urlsafe(16)


def _key() -> str:
    """256 bits of the system's chance."""
    return secrets.token_urlsafe(32)


def _seed() -> int:
    """Any seed, by the system's chance."""
    return secrets.randbelow(SEEDS)


@dataclass(frozen=True)
class Sources:
    """All that a house does not decide itself."""

    clock: Callable[[], float] = time.time
    """Seconds since 1970."""
    ids: Callable[[], str] = _id
    """A name for a table or a guest that nobody guesses."""
    keys: Callable[[], str] = _key
    """A secret: a pass, or what cookies are signed with."""
    seeds: Callable[[], int] = _seed
    """What decides the chance of a table's bots."""
    deal: Callable[[int], Deal] = Deal.from_system
    """The deal for this many players."""


SYSTEM = Sources()
"""The machine's clock and chance."""
