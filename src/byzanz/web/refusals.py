"""Requests that the web layer refuses before they reach a table: code, status and sentence."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import PlainTextResponse, Response

from byzanz.locale import _, load_translations

from .rendering import error_page

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection


class WebReason(Enum):
    """Why a request is refused before it reaches a table. The value is the API's code."""

    BAD_REQUEST = "bad-request"
    BAD_HOST = "bad-host"
    NO_IDENTITY = "no-identity"
    CROSS_ORIGIN = "cross-origin"
    BANNED = "banned"
    NOT_FOUND = "not-found"
    METHOD_NOT_ALLOWED = "method-not-allowed"
    TOO_LARGE = "too-large"
    MEDIA_TYPE = "media-type"
    TOO_MANY_REQUESTS = "too-many-requests"
    TOO_MANY_SOCKETS = "too-many-sockets"
    SERVER_ERROR = "server-error"


STATUS = {
    WebReason.BAD_REQUEST: 400,
    WebReason.BAD_HOST: 400,
    WebReason.NO_IDENTITY: 401,
    WebReason.CROSS_ORIGIN: 403,
    WebReason.BANNED: 403,
    WebReason.NOT_FOUND: 404,
    WebReason.METHOD_NOT_ALLOWED: 405,
    WebReason.TOO_LARGE: 413,
    WebReason.MEDIA_TYPE: 415,
    WebReason.TOO_MANY_REQUESTS: 429,
    WebReason.TOO_MANY_SOCKETS: 429,
    WebReason.SERVER_ERROR: 500,
}
"""The HTTP status of each reason."""

_SENTENCES = {
    WebReason.BAD_REQUEST: _("This request was not understood."),
    WebReason.BAD_HOST: _("This is not an address of this server."),
    WebReason.NO_IDENTITY: _("We don't know who you are: choose a name first."),
    WebReason.CROSS_ORIGIN: _("This request came from another site and was refused."),
    WebReason.BANNED: _("You are banned from this server."),
    WebReason.NOT_FOUND: _("There is nothing here."),
    WebReason.METHOD_NOT_ALLOWED: _("That cannot be done here."),
    WebReason.TOO_LARGE: _("This request is too large."),
    WebReason.MEDIA_TYPE: _("This request must contain JSON."),
    WebReason.TOO_MANY_REQUESTS: _("Too many requests: wait a moment and try again."),
    WebReason.TOO_MANY_SOCKETS: _("Too many open pages: close some of them."),
    WebReason.SERVER_ERROR: _(
        "Something went wrong on our side. Your table is safe: please try again."
    ),
}


class WebRefusal(Exception):
    """A refused request. Nothing has changed."""

    def __init__(
        self, reason: WebReason, headers: Mapping[str, str] | None = None, **parameters: Any
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.headers = headers
        self.parameters = parameters


def explain_web(reason: WebReason, translations: NullTranslations) -> str:
    """Return a sentence that says why the request was refused."""
    return translations.gettext(_SENTENCES[reason])


def error_response(
    connection: HTTPConnection,
    reason: WebReason,
    headers: Mapping[str, str] | None = None,
    *,
    message: str | None = None,
    **parameters: Any,
) -> Response:
    """Return the response to a refused request: JSON for programs, a page for people.

    ``message`` replaces the sentence for the reason.
    """
    language = connection.scope["state"].get("language", "en")
    message = message or explain_web(reason, load_translations(language))
    if "incident" in parameters:
        message += f" [{parameters['incident']}]"
    status = STATUS[reason]
    if reason is WebReason.TOO_LARGE:
        headers = {**(headers or {}), "connection": "close"}  # the rest is not read
    if is_plain(connection):
        return PlainTextResponse(message, status, headers)
    if not is_api(connection):
        page = error_page(language, status, message, page_path(connection))
        return Response(page, status, headers, "text/html")
    error = {**parameters, "code": reason.value, "rule": None, "message": message}
    if reason is WebReason.NO_IDENTITY:
        headers = {"www-authenticate": "Bearer"}
    return Response(msgspec.json.encode({"error": error}), status, headers, "application/json")


def page_path(connection: HTTPConnection) -> str:
    """Return the path and query to which the language form of an error page returns.

    They are those of the request, or ``/`` if the request was a form. Leading slashes are reduced
    to one, because two slashes would begin the address of another host.
    """
    if connection.scope.get("method") not in ("GET", "HEAD"):
        return "/"
    url = connection.url
    return f"/{url.path.lstrip('/')}" + (f"?{url.query}" if url.query else "")


def is_plain(connection: HTTPConnection) -> bool:
    """Return whether a page's script sent the request and expects a plain sentence."""
    accepted = connection.headers.get("accept", "")
    return not is_api(connection) and "text/plain" in accepted and "text/html" not in accepted


def is_api(connection: HTTPConnection) -> bool:
    """Return whether the request is for the API, which answers in JSON."""
    path: str = connection.scope["path"]
    return connection.scope["type"] == "websocket" or path == "/api" or path.startswith("/api/")
