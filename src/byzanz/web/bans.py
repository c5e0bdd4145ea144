"""Bans: banned guests and network addresses get an explanation instead of pages and data."""

from __future__ import annotations

from datetime import UTC, datetime
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.requests import HTTPConnection

from byzanz.locale import _, load_translations

from .limits import client_address
from .refusals import WebReason, error_response
from .rendering import get_renderer

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send
    from starlette.websockets import WebSocket

    from byzanz.tables import Ban, TableService

_OPEN = ("/static/", "/art/", "/health")
"""Paths that are open to everybody: files, and the check that the server works."""
_PAGE, _POLICY = 1000, 1008
"""Close codes: 1000 for a page, which then does not reconnect, and 1008 for a program."""


class BanCheck:
    """Middleware that refuses the requests and sockets of banned guests and addresses."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan" and not scope["path"].startswith(_OPEN):
            connection = HTTPConnection(scope)
            service: TableService = connection.app.state.service
            ban = service.bans.find(*banned_as(connection))
            if ban is not None:
                message, data = describe(ban, load_translations(connection.state.language))
                response = error_response(connection, WebReason.BANNED, message=message, **data)
                await response(scope, receive, send)
                return
        await self.app(scope, receive, send)


async def close_when_banned(socket: WebSocket, kind: str, language: str) -> int:
    """Wait until the person behind the socket is banned, tell them, and return a close code."""
    service: TableService = socket.app.state.service
    ban = await service.bans.wait_for(*banned_as(socket))
    language = language or socket.state.language
    message, data = describe(ban, load_translations(language))
    if kind == "page":
        content = get_renderer(language).page("banned.html", message=message)
        frame = {"content": content, "version": 0, "number": 0, "skipped": True, "mine": False}
        frame |= {"stage": "expired", "moments": [], "undone": ""}
        await socket.send_text(msgspec.json.encode(frame).decode())
        return _PAGE
    error = {"code": WebReason.BANNED.value, "rule": None, "message": message, **data}
    await socket.send_text(msgspec.json.encode({"error": error}).decode())
    return _POLICY


def banned_as(connection: HTTPConnection) -> tuple[str | None, str, str]:
    """Return what a ban can name: the guest, the network address and its pseudonym."""
    service: TableService = connection.app.state.service
    guest = connection.state.guest
    host = connection.client.host if connection.client is not None else ""
    return guest and guest.id, host, service.pseudonyms.of(client_address(connection))


def describe(ban: Ban, translations: NullTranslations) -> tuple[str, dict[str, Any]]:
    """Return a sentence for the banned person, and its content as data for programs."""
    if ban.expires is None:
        text = translations.gettext(_("You are banned from this server."))
    else:
        until = datetime.fromtimestamp(ban.expires, UTC).strftime("%Y-%m-%d %H:%M UTC")
        text = translations.gettext(_("You are banned from this server until {until}."))
        text = text.format(until=until)
    if ban.reason:
        reason = translations.gettext(_("The operator's reason: {reason}"))
        text = f"{text} {reason.format(reason=ban.reason)}"
    return text, {"until": ban.expires, "ban_reason": ban.reason}
