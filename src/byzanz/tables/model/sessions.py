"""Sessions: the devices on which a guest is signed in, and the tokens of their programs."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum

from .guests import checked_name
from .refusals import Declined, TableReason

TOKEN_DAYS = 90
"""The number of days for which a token is valid by default."""
MAX_TOKEN_DAYS = 365
"""The maximum number of days for which a token can be valid."""

_MAX_NAME_LENGTH = 40
_ID_LENGTH = 16


class SessionKind(StrEnum):
    """What a session belongs to."""

    DEVICE = "device"
    """A browser, which keeps the secret in a cookie."""
    TOKEN = "token"  # noqa: S105
    """A program, which sends the secret with every request."""


@dataclass(frozen=True, slots=True)
class Label:
    """The label of a session in its guest's list."""

    name: str = ""
    """The name that the guest gave to a token; empty for a device."""
    browser: str = ""
    """The name of the browser; empty if it is not known."""
    system: str = ""
    """The name of the operating system; empty if it is not known."""


@dataclass(frozen=True, slots=True)
class Session:
    """A guest's session. Its secret is not stored, only the secret's digest."""

    digest: str
    guest: str
    kind: SessionKind
    label: Label
    created: float
    seen: float
    """The time of the last use, updated every few minutes."""
    expires: float

    @property
    def id(self) -> str:
        """The id of the session in its guest's list. It is not secret."""
        return self.digest[:_ID_LENGTH]


def digest_of(secret: str) -> str:
    """Return the SHA-256 digest that is stored instead of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def checked_token_name(name: str | None) -> str:
    """Return the name of a token in canonical form, empty if there is none.

    Raises Declined if the name is not valid.
    """
    return checked_name(name, _MAX_NAME_LENGTH) or "" if name else ""


def checked_token_days(days: int | None) -> int:
    """Return the number of days for which a token is valid; raises Declined for a bad number."""
    if days is None:
        return TOKEN_DAYS
    if not 1 <= days <= MAX_TOKEN_DAYS:
        raise Declined(TableReason.BAD_TOKEN_DAYS, most=MAX_TOKEN_DAYS)
    return days
