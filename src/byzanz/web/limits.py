"""Limits for clients: request rates, open sockets and body sizes."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection

from byzanz.tables.service.token_buckets import TokenBuckets

from .refusals import WebReason, WebRefusal, error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from .limit_settings import Settings

_CHARSET = re.compile(r'(?:^|;)\s*charset=("?)utf-?8\1\s*(?=;|$)')
_FILES = ("/static/", "/art/")
"""Paths that are cheap to serve and have their own rate limit."""
_COSTS = {"/health": 0, "/metrics": 20}
"""How many ordinary requests a request to each of these paths counts as."""
_DISCARD_BYTES = 1 << 17
_DISCARD_SECONDS = 1.0
"""The most that is read of an oversized body before the response ends, in bytes and seconds."""


class SocketCounter:
    """Counts the open sockets of each guest and each network address."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.open: Counter[str] = Counter()
        self.elsewhere: dict[str, int] = {}
        """The sockets that other processes have open, as far as is known."""

    @contextmanager
    def count(self, connection: HTTPConnection) -> Iterator[None]:
        """Count a socket while the context is open; raise WebRefusal if there are too many."""
        limits = {f"address {client_address(connection)}": self._settings.sockets_per_address}
        if connection.state.guest is not None:
            limits[f"guest {connection.state.guest.id}"] = self._settings.sockets_per_guest
        if any(
            self.open[key] + self.elsewhere.get(key, 0) >= limit for key, limit in limits.items()
        ):
            raise WebRefusal(WebReason.TOO_MANY_SOCKETS)
        self.open.update(limits.keys())
        try:
            yield
        finally:
            self.open.subtract(limits.keys())
            for key in limits:
                if not self.open[key]:
                    del self.open[key]


class RateLimit:
    """Middleware that refuses requests if their guest or network address sends too many."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        guests: TokenBuckets,
        addresses: TokenBuckets,
        files: TokenBuckets,
    ) -> None:
        self.app = app
        self.guests = guests
        self.addresses = addresses
        self.files = files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            connection = HTTPConnection(scope)
            wait = self._wait(connection, scope["path"])
            if wait:
                response = error_response(
                    connection, WebReason.TOO_MANY_REQUESTS, {"retry-after": str(wait)}
                )
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)

    def _wait(self, connection: HTTPConnection, path: str) -> int:
        """Return 0 if the request is allowed, otherwise the seconds to wait."""
        guest, address = connection.state.guest, client_address(connection)
        if path.startswith(_FILES):
            return self.files.take(address)
        cost = _COSTS.get(path, 1)
        wait = self.addresses.take(address, cost)
        if not wait and guest is not None and cost:
            wait = self.guests.take(guest.id)
            connection.app.state.service.note_address(guest.id, address)
        return wait


class FormCharset:
    """Middleware that refuses forms in encodings other than UTF-8.

    Some of Python's encodings raise unexpected errors, or decode to invalid Unicode.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            connection = HTTPConnection(scope)
            media, _, options = connection.headers.get("content-type", "").lower().partition(";")
            named = _CHARSET.sub("", options, count=1)
            if media.strip() == "multipart/form-data" and "charset" in named:
                detail = "a form must be sent in UTF-8"
                response = error_response(connection, WebReason.BAD_REQUEST, detail=detail)
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)


class BodyLimit:
    """Middleware that refuses a request body that is too large, without reading all of it."""

    def __init__(self, app: ASGIApp, *, max_bytes: int) -> None:
        self.app = app
        self.max_bytes = max_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        declared = connection.headers.get("content-length", "0")
        if not declared.isdecimal() or int(declared) > self.max_bytes:
            response = error_response(connection, WebReason.TOO_LARGE)
            await response(scope, receive, _then_discard(receive, send))
            return
        read = 0

        async def receive_limited() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self.max_bytes:
                raise WebRefusal(WebReason.TOO_LARGE)
            return message

        async def send_limited(message: Message) -> None:
            await (send if read <= self.max_bytes else discarding)(message)

        discarding = _then_discard(receive, send)
        await self.app(scope, receive_limited, send_limited)


def _then_discard(receive: Receive, send: Send) -> Send:
    """Return a ``send`` that reads a little more of the request before it ends the response.

    If the server closed a connection on which unread data arrives, the operating system would reset
    it, and the client, or a proxy, could lose the response.
    """

    async def send_and_discard(message: Message) -> None:
        if message["type"] != "http.response.body" or message.get("more_body"):
            await send(message)
            return
        await send({**message, "more_body": True})
        read = 0
        with suppress(TimeoutError):
            async with asyncio.timeout(_DISCARD_SECONDS):
                while read < _DISCARD_BYTES:
                    more = await receive()
                    read += len(more.get("body", b""))
                    if not more.get("more_body"):
                        break
        await send({"type": "http.response.body", "body": b""})

    return send_and_discard


def client_address(connection: HTTPConnection) -> str:
    """Return the network address of a client; for IPv6 its /64 network, which one person owns."""
    return network_of(connection.client.host if connection.client is not None else "")


def network_of(host: str) -> str:
    """Return the address of a host; for IPv6 its /64 network, which one person owns."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv6Address) and address.ipv4_mapped is None:
        return str(IPv6Address(int(address) >> 64 << 64))
    return host
