"""What whoever runs the server may set."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rate:
    """How often something may happen: so many at once, and then so many a second."""

    burst: float
    per_second: float


@dataclass(frozen=True, slots=True)
class Settings:
    """How one server behaves towards the world; the defaults suit a public server."""

    secure: bool = False
    """Whether browsers reach the server by HTTPS alone: cookies are then never sent without it."""

    body_bytes: int = 16 * 1024
    """What a request's body may hold."""
    guest_rate: Rate = Rate(burst=120, per_second=15)
    """Requests of one guest."""
    address_rate: Rate = Rate(burst=600, per_second=60)
    """Requests from one network address, however many guests share it."""
    newcomer_rate: Rate = Rate(burst=60, per_second=0.1)
    """New guests from one network address."""

    sockets_per_guest: int = 24
    """Open sockets of one guest, a tab each."""
    sockets_per_address: int = 240
    """Open sockets from one network address."""
    socket_message_bytes: int = 1024
    """What one incoming message of a socket may hold; none is needed."""
    socket_messages: int = 16
    """Incoming messages that are ignored before the socket is closed."""
    send_seconds: float = 20.0
    """How long one message may take to leave for a slow reader before its socket is closed."""


UNLIMITED = Rate(burst=1e12, per_second=1e12)
"""A rate that nobody exceeds."""
