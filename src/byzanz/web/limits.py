"""How much anybody may ask for: token buckets, counted sockets, bounded bodies."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address
from math import ceil
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from .errors import WebReason, WebRefusal, error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from .settings import Rate, Settings

_MOST_BUCKETS = 50_000
_FREE = ("/static/", "/art/", "/health", "/metrics")
"""What costs next to nothing is not counted."""


class Buckets:
    """A token bucket for each key; those not used for longest are forgotten when there are many."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str) -> int:
        """0, and a token is taken; or the seconds to wait until there is one again."""
        now = self._clock()
        tokens, at = self._buckets.pop(key, (self._rate.burst, now))
        tokens = min(self._rate.burst, tokens + max(0.0, now - at) * self._rate.per_second)
        allowed = tokens >= 1
        self._buckets[key] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > _MOST_BUCKETS:
            self._buckets.popitem(last=False)
        return 0 if allowed else ceil((1 - tokens) / self._rate.per_second)


class Doors:
    """Counts the open sockets, by guest and by network address."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._open: Counter[str] = Counter()

    @contextmanager
    def passed(self, connection: HTTPConnection) -> Iterator[None]:
        """The socket is counted for as long as it is open; raises WebRefusal for one too many."""
        most = {f"address {client_address(connection)}": self._settings.sockets_per_address}
        if connection.state.guest is not None:
            most[f"guest {connection.state.guest.id}"] = self._settings.sockets_per_guest
        if any(self._open[key] >= count for key, count in most.items()):
            raise WebRefusal(WebReason.TOO_MANY_SOCKETS)
        self._open.update(most.keys())
        try:
            yield
        finally:
            self._open.subtract(most.keys())
            for key in most:
                if not self._open[key]:
                    del self._open[key]


class Throttle:
    """Requests that come too often are refused, by guest and by network address."""

    def __init__(self, app: ASGIApp, *, guests: Buckets, addresses: Buckets) -> None:
        self.app = app
        self.guests = guests
        self.addresses = addresses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and not scope["path"].startswith(_FREE):
            connection = HTTPConnection(scope)
            guest = connection.state.guest
            wait = self.addresses.wait(client_address(connection))
            if not wait and guest is not None:
                wait = self.guests.wait(guest.id)
            if wait:
                response = error_response(
                    connection, WebReason.TOO_MANY_REQUESTS, {"retry-after": str(wait)}
                )
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)


class BoundedBody:
    """A body larger than the limit is refused as soon as that is known, and never held whole."""

    def __init__(self, app: ASGIApp, *, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        announced = connection.headers.get("content-length", "0")
        if not announced.isdecimal() or int(announced) > self.most:
            await error_response(connection, WebReason.TOO_LARGE)(scope, receive, send)
            return
        read = 0

        async def receive_bounded() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.most:
                raise WebRefusal(WebReason.TOO_LARGE)
            return message

        await self.app(scope, receive_bounded, send)


def client_address(connection: HTTPConnection) -> str:
    """The network address a request comes from; of IPv6 the network, for one person has many."""
    host = connection.client.host if connection.client is not None else ""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return host
