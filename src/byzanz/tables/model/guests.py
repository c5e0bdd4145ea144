"""Guests: nobody needs an account, an id that only they have is who they are."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from .reasons import Declined, TableReason


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who plays. The id is theirs alone: who has it, is them."""

    id: str
    name: str | None
    language: str
    created: float
    seen: float
    """When they last came, to the day."""


def checked_name(name: str | None, longest: int) -> str | None:
    """The name in its canonical form, None for none; raises Declined if it is not to be shown."""
    if name is None:
        return None
    name = unicodedata.normalize("NFC", " ".join(name.split()))
    if not 0 < len(name) <= longest or not name.isprintable():
        raise Declined(TableReason.BAD_NAME, longest=longest)
    return name
