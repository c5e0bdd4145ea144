"""Guests and how requests identify them: by a cookie or a bearer token.

Both contain the signed secret of a session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response

from byzanz.locale import LANGUAGES, best_language
from byzanz.tables import DEVICE_SECONDS, Session, SessionKind, digest_of

from .cookies import PREFIX, delete_cookie, read_cookie, set_cookie, uses_https
from .limits import client_address
from .refusals import WebReason, WebRefusal
from .signatures import OLD_UNTIL, SessionSigner
from .user_agents import describe

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from byzanz.tables import Guest, Label, SessionService, TableService

COOKIE = "byzanz"
"""The name of the cookie that identifies a guest."""
LANGUAGE_COOKIE = "language"
"""The name of the cookie that holds the language of a visitor who is not a guest yet."""


class Identity:
    """Middleware that identifies the guest of a request and sets the guest's cookie.

    It sets ``request.state.guest`` and ``request.state.session``, which are None if the request has
    no valid cookie or token, and ``request.state.language``. Handlers change the guest with
    :func:`ensure_guest`, :func:`sign_in`, :func:`undo_sign_in` and :func:`sign_out`.
    """

    def __init__(self, app: ASGIApp, *, service: TableService) -> None:
        self.app = app
        self.service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        state = scope.setdefault("state", {})
        state["cookie"] = None
        state["signed_out"] = False
        session = await self._session(connection)
        guest = None if session is None else await self.service.guests.get(session.guest)
        state["guest"], state["session"] = guest, None if guest is None else session
        state["language"] = _language(connection, guest)

        async def send_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and _can_set_cookies(scope):
                response = Response()
                self._set_cookie(connection, response)
                headers = MutableHeaders(scope=message)
                for value in response.headers.getlist("set-cookie"):
                    headers.append("set-cookie", value)
            await send(message)

        await self.app(scope, receive, send_cookie)

    async def _session(self, connection: HTTPConnection) -> Session | None:
        """Return the session of the request; note in its state if the cookie must be set."""
        signer: SessionSigner = connection.app.state.signer
        sessions, token = self.service.guests.sessions, bearer(connection.headers)
        kind = SessionKind.DEVICE if token is None else SessionKind.TOKEN
        value = read_cookie(connection, COOKIE) if token is None else token
        secret = signer.read(value, kind)
        if secret is None:
            return await self._old_session(connection, value, kind)
        found = await sessions.find(secret, kind, renew=_can_set_cookies(connection.scope))
        if found is None:
            return None
        session, renewed = found
        if token is None and (renewed or _has_old_name(connection)):
            connection.scope["state"]["cookie"] = value
        return session

    async def _old_session(
        self, connection: HTTPConnection, value: str, kind: SessionKind
    ) -> Session | None:
        """Return the session of a cookie or token of an earlier version, and replace the cookie."""
        signer: SessionSigner = connection.app.state.signer
        old = signer.read_old(value, kind)
        if old is None or await self.service.guests.get(old.guest) is None:
            return None
        is_cookie, now = kind is SessionKind.DEVICE, signer.clock()
        expires = now + DEVICE_SECONDS if is_cookie else OLD_UNTIL
        session = Session(
            digest_of(old.secret), old.guest, kind, _label(connection), old.signed, now, expires
        )
        found = await self.service.guests.sessions.adopt(session)
        if found is not None and is_cookie:
            connection.scope["state"]["cookie"] = signer.sign(old.secret, kind)
        return found

    def _set_cookie(self, connection: HTTPConnection, response: Response) -> None:
        state = connection.scope["state"]
        if state["signed_out"]:
            delete_cookie(connection, response, COOKIE)
        elif state["cookie"] is not None:
            set_cookie(connection, response, COOKIE, state["cookie"])


async def ensure_guest(request: HTTPConnection, name: str | None = None) -> Guest:
    """Return the guest of the request. If there is none, create one and sign them in.

    Raises WebRefusal if the network address has created too many guests.
    """
    guest: Guest | None = request.state.guest
    if guest is None:
        guest = await create_guest(request, name)
        await sign_in(request, guest)
    return guest


async def create_guest(request: HTTPConnection, name: str | None) -> Guest:
    """Create a guest with the language of the request.

    Raises WebRefusal if the network address has created too many guests.
    """
    wait = request.app.state.new_guest_buckets.take(client_address(request))
    if wait:
        raise WebRefusal(WebReason.TOO_MANY_REQUESTS, {"retry-after": str(wait)})
    service: TableService = request.app.state.service
    guest = await service.guests.create(name, request.state.language)
    service.note_address(guest.id, client_address(request))
    return guest


async def sign_in(request: HTTPConnection, guest: Guest) -> None:
    """Sign the guest in on this device, and set their cookie in the response.

    Whoever was signed in on the device before is signed out.
    """
    sessions: SessionService = request.app.state.service.guests.sessions
    before: Session | None = request.state.session
    replaced = before if before is not None and before.kind is SessionKind.DEVICE else None
    secret, session = await sessions.add_device(guest.id, _label(request), replaced)
    request.state.guest, request.state.session = guest, session
    request.state.cookie = request.app.state.signer.sign(secret, SessionKind.DEVICE)


def undo_sign_in(request: HTTPConnection) -> None:
    """Remove the guest from the request and their cookie from the response."""
    request.state.guest = request.state.session = request.state.cookie = None


def sign_out(request: HTTPConnection) -> None:
    """Remove the guest from the request, and let the response delete the cookie."""
    undo_sign_in(request)
    request.state.signed_out = True


def bearer(headers: Headers) -> str | None:
    """Return the bearer token of a request, or None if there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _label(connection: HTTPConnection) -> Label:
    """Return what the list of devices calls the device of this request."""
    return describe(connection.headers.get("user-agent", ""))


def _can_set_cookies(scope: Scope) -> bool:
    """Return whether the response may set a cookie; files may not, as shared caches store them."""
    return scope["type"] == "http" and not scope["path"].startswith(("/static/", "/art/"))


def _has_old_name(connection: HTTPConnection) -> bool:
    """Return whether the cookie has its plain name although the client uses HTTPS."""
    return uses_https(connection) and PREFIX + COOKIE not in connection.cookies


def _language(connection: HTTPConnection, guest: Guest | None) -> str:
    if guest is not None and guest.language in LANGUAGES:
        return guest.language
    chosen = read_cookie(connection, LANGUAGE_COOKIE)
    return (
        chosen if chosen in LANGUAGES else best_language(connection.headers.get("accept-language"))
    )
