"""Targets: where a guest gets notifications, and which kinds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .notices import NoticeKind


class Channel(StrEnum):
    """A way to send notifications."""

    PUSH = "push"
    """Web Push to a browser."""
    EMAIL = "email"


@dataclass(frozen=True, slots=True)
class Target:
    """A browser or an e-mail address that gets a guest's notifications."""

    id: str
    guest: str
    channel: Channel
    address: str
    """The endpoint of the browser's push service, or the e-mail address."""
    keys: tuple[str, str] | None
    """The browser's public key and its authentication secret; None for e-mail."""
    kinds: tuple[NoticeKind, ...]
    confirmed: bool
    """Whether the address is confirmed. Targets that are not confirmed get no notifications."""
    created: float
    session: str | None = None
    """The digest of the device's session; the target is deleted when the session ends."""
