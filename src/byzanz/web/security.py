"""Protection against cross-site requests, and security headers for every response."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection

from .cookies import has_cookie
from .identity import COOKIE, bearer
from .refusals import WebReason, error_response

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

_POLICY = (
    "default-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'; object-src 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # the link to a table is secret
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "private, no-cache",
}
_PERSONAL = (b"cache-control", b"no-store")
"""The header of a response to a guest, which may contain secrets or what only one seat may see."""
_FILES = ("/static/", "/art/")
"""Paths of files that are the same for everybody."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


def same_origin(headers: Headers) -> bool | None:
    """Return whether one of the server's own pages sent the request.

    Returns None if the headers do not say, as for requests of programs.
    """
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
    """Return whether the request may change something.

    A request with a bearer token may, because a browser never sends one by itself. Otherwise the
    request must come from one of the server's own pages. If the headers do not say where it comes
    from, it must not have a cookie.
    """
    if bearer(connection.headers) is not None:
        return True
    same = same_origin(connection.headers)
    return not has_cookie(connection, COOKIE) if same is None else same


class SecurityHeaders:
    """Middleware that adds the security headers to every response."""

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

        async def send_with_headers(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                present = {name for name, _ in message["headers"]}
                if b"cache-control" not in present and _is_personal(scope):
                    message["headers"] = [*message["headers"], _PERSONAL]
                    present.add(b"cache-control")
                missing = [header for header in self.headers if header[0] not in present]
                message["headers"] = [*message["headers"], *missing]
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _is_personal(scope: Scope) -> bool:
    """Return whether the request has a guest or uses a personal link, and is not for a file."""
    path: str = scope["path"]
    guest = scope.get("state", {}).get("guest")
    return path.startswith("/pass/") or (guest is not None and not path.startswith(_FILES))


class SameOrigin:
    """Middleware that refuses sockets, and requests that change something, from other sites."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        protected = scope["type"] == "websocket" or (
            scope["type"] == "http" and scope["method"] not in _SAFE
        )
        if protected and not may_act(connection := HTTPConnection(scope)):
            response = error_response(connection, WebReason.CROSS_ORIGIN)
            await response(scope, receive, send)
            return
        await self.app(scope, receive, send)
