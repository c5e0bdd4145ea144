"""Guests: people without an account, identified by a secret id."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from .refusals import Declined, TableReason


@dataclass(frozen=True, slots=True)
class Guest:
    """A person who plays. The id is secret: whoever has it acts as this guest."""

    id: str
    name: str | None
    language: str
    created: float
    seen: float
    """The time of the last visit, updated at most once a day."""


def checked_name(name: str | None, longest: int) -> str | None:
    """Return the name in canonical form, or None if there is none.

    Raises Declined if the name is empty, too long or has invisible characters.
    """
    if name is None:
        return None
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 0 < len(name) <= longest or not name.isprintable():
        raise Declined(TableReason.BAD_NAME, longest=longest)
    return name
