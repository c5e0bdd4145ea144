"""Who somebody is: a guest without an account, known by a signed cookie or a bearer token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from itsdangerous import BadSignature, TimestampSigner
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response

from byzanz.locale import LANGUAGES, best_language

from .errors import WebReason, WebRefusal
from .limits import client_address

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from byzanz.tables import Guest, House

COOKIE = "byzanz"
"""The cookie that holds a guest's signed id."""
LANGUAGE_COOKIE = "language"
"""The cookie that holds the language of somebody who is no guest yet."""

_YEAR = 365 * 24 * 3600
_RENEWED_AFTER = 30 * 24 * 3600


class Seals:
    """Signs guests' ids, so that only what this server gave out is believed."""

    def __init__(self, secret: str, clock: Callable[[], float]) -> None:
        self._cookies = _Signer(secret, "byzanz cookie", clock)
        self._tokens = _Signer(secret, "byzanz token", clock)

    def cookie(self, guest: str) -> str:
        """The value of a guest's cookie."""
        return self._cookies.sign(guest).decode()

    def token(self, guest: str) -> str:
        """A guest's bearer token; it is valid for as long as the guest is known."""
        return self._tokens.sign(guest).decode()

    def read_cookie(self, value: str) -> tuple[str, bool] | None:
        """The guest of a cookie, and whether it is due to be renewed; None for a forged one."""
        try:
            guest, signed = self._cookies.unsign(value, return_timestamp=True)
        except BadSignature:
            return None
        age = self._cookies.clock() - signed.timestamp()  # below 0 if the clock was set back
        return None if age > _YEAR else (guest.decode(), age > _RENEWED_AFTER)

    def read_token(self, value: str) -> str | None:
        """The guest of a bearer token; None for a forged one."""
        try:
            return self._tokens.unsign(value).decode()
        except BadSignature:
            return None


class _Signer(TimestampSigner):
    def __init__(self, secret: str, salt: str, clock: Callable[[], float]) -> None:
        super().__init__(secret, salt=salt)
        self.clock = clock

    def get_timestamp(self) -> int:
        return int(self.clock())


class Identity:
    """Every request knows its guest and language, and its response sets the guest's cookie.

    ``request.state`` holds ``guest`` (or None) and ``language``; a handler that makes, changes or
    forgets a guest says so by :func:`ensure_guest`, :func:`adopt` and :func:`dismiss`.
    """

    def __init__(self, app: ASGIApp, *, house: House, secure: bool) -> None:
        self.app = app
        self.house = house
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        state = scope.setdefault("state", {})
        guest, renewed = await self._guest(connection)
        state["guest"] = guest
        state["language"] = _language(connection, guest)
        state["new_guest"] = guest if renewed else None
        state["dismissed"] = False

        async def send_cookie(message: Message) -> None:
            # Pictures and the like may be kept by anybody on the way.
            kept = scope["path"].startswith(("/static/", "/art/"))
            if message["type"] == "http.response.start" and not kept:
                response = Response()
                self._set_cookie(connection, response)
                headers = MutableHeaders(scope=message)
                for value in response.headers.getlist("set-cookie"):
                    headers.append("set-cookie", value)
            await send(message)

        await self.app(scope, receive, send_cookie)

    async def _guest(self, connection: HTTPConnection) -> tuple[Guest | None, bool]:
        seals: Seals = connection.app.state.seals
        token = bearer(connection.headers)
        if token is not None:
            guest, renewed = seals.read_token(token), False
        else:
            read = seals.read_cookie(connection.cookies.get(COOKIE, ""))
            guest, renewed = read if read is not None else (None, False)
        return None if guest is None else await self.house.guest(guest), renewed

    def _set_cookie(self, connection: HTTPConnection, response: Response) -> None:
        state = connection.scope["state"]
        if state["dismissed"]:
            response.delete_cookie(COOKIE, secure=self.secure, httponly=True, samesite="lax")
        elif state["new_guest"] is not None:
            response.set_cookie(
                COOKIE,
                connection.app.state.seals.cookie(state["new_guest"].id),
                max_age=_YEAR,
                secure=self.secure,
                httponly=True,
                samesite="lax",
            )


async def ensure_guest(request: HTTPConnection, name: str | None = None) -> Guest:
    """The request's guest; a new one, whose cookie the response sets, if there is none.

    Raises WebRefusal if too many newcomers came from the same network address.
    """
    guest: Guest | None = request.state.guest
    if guest is None:
        guest = await newcomer(request, name)
        adopt(request, guest)
    return guest


async def newcomer(request: HTTPConnection, name: str | None) -> Guest:
    """A new guest who speaks the request's language; raises WebRefusal if there are too many."""
    wait = request.app.state.newcomers.wait(client_address(request))
    if wait:
        raise WebRefusal(WebReason.TOO_MANY_REQUESTS, {"retry-after": str(wait)})
    guest: Guest = await request.app.state.house.welcome(name, request.state.language)
    return guest


def adopt(request: HTTPConnection, guest: Guest) -> None:
    """The request is this guest's, and the response sets their cookie."""
    request.state.guest = request.state.new_guest = guest


def disown(request: HTTPConnection) -> None:
    """The request is nobody's, as it was."""
    request.state.guest = request.state.new_guest = None


def dismiss(request: HTTPConnection) -> None:
    """The request is nobody's, and the response deletes the cookie."""
    request.state.guest = request.state.new_guest = None
    request.state.dismissed = True


def bearer(headers: Headers) -> str | None:
    """The bearer token of a request, or None."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _language(connection: HTTPConnection, guest: Guest | None) -> str:
    if guest is not None and guest.language in LANGUAGES:
        return guest.language
    chosen = connection.cookies.get(LANGUAGE_COOKIE, "")
    return (
        chosen if chosen in LANGUAGES else best_language(connection.headers.get("accept-language"))
    )
