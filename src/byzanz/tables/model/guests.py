"""Guests: people without an account, identified by a secret id."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from .look_alikes import is_visible
from .refusals import Declined, TableReason

AVATARS = 12
"""The number of portraits that a guest can choose from."""


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who plays. The id is secret: anyone who has it can act as this guest."""

    id: str
    name: str | None
    language: str
    created: float
    seen: float
    """The time of the last visit, updated at most once a day."""
    avatar: int | None = None
    """The number of the chosen portrait, from 0; None for a different one at each table."""


def checked_name(name: str | None, longest: int) -> str | None:
    """Return the name in canonical form, or None if there is none.

    Raises Declined if the name is empty or too long, or contains invisible characters.
    """
    if name is None:
        return None
    name = " ".join(unicodedata.normalize("NFKC", name).split())
    if not 0 < len(name) <= longest or not is_visible(name):
        raise Declined(TableReason.BAD_NAME, longest=longest)
    return name


def checked_avatar(avatar: int | None) -> int | None:
    """Return the number of the portrait; raises Declined if there is no such portrait."""
    if avatar is not None and not 0 <= avatar < AVATARS:
        raise Declined(TableReason.BAD_AVATAR, last=AVATARS - 1)
    return avatar
