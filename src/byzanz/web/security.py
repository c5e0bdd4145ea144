"""Which requests are ours to obey, and the headers that tell browsers to be strict."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from .errors import WebReason, error_response
from .identity import COOKIE, bearer

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'; object-src 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # a table's address is a secret between its players
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-cache",  # what a seat sees is for nobody else's cache
}
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def same_origin(headers: Headers) -> bool | None:
    """Whether a page of ours sent the request; None if it tells nothing, as programs do."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = headers.get("origin")
    if origin is None:
        return None
    try:
        return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
    except ValueError:
        return False


def may_act(connection: HTTPConnection) -> bool:
    """Whether the request may change something: no other site can have made the browser send it.

    A bearer token is never sent by a browser of its own accord; without one, whoever has a cookie
    must say where they come from.
    """
    if bearer(connection.headers) is not None:
        return True
    same = same_origin(connection.headers)
    return COOKIE not in connection.cookies if same is None else same


class StrictHeaders:
    """Every response carries the headers that forbid what our pages never do."""

    def __init__(self, app: ASGIApp, *, secure: bool) -> None:
        self.app = app
        headers = dict(_HEADERS)
        if secure:
            headers["strict-transport-security"] = "max-age=31536000"
        self.headers = [(name.encode(), value.encode()) for name, value in headers.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_strictly(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                given = {name for name, _ in message["headers"]}
                ours = [header for header in self.headers if header[0] not in given]
                message["headers"] = [*message["headers"], *ours]
            await send(message)

        await self.app(scope, receive, send_strictly)


class SameOrigin:
    """What would change something, and every socket, is refused if another site asked for it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        acts = scope["type"] == "websocket" or (
            scope["type"] == "http" and scope["method"] not in _SAFE
        )
        if acts and not may_act(connection := HTTPConnection(scope)):
            response = error_response(connection, WebReason.CROSS_ORIGIN)
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)
