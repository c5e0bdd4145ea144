"""Guests and how requests identify them: by a signed cookie or a bearer token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from itsdangerous import BadSignature, TimestampSigner
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response

from byzanz.locale import LANGUAGES, best_language

from .limits import client_address
from .refusals import WebReason, WebRefusal

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from byzanz.tables import Guest, TableService

COOKIE = "byzanz"
"""The name of the cookie that holds a guest's signed id."""
LANGUAGE_COOKIE = "language"
"""The name of the cookie that holds the language of a visitor who is not a guest yet."""

_YEAR = 365 * 24 * 3600
_RENEW_AFTER = 30 * 24 * 3600


class GuestSigner:
    """Signs the ids of guests, so that nobody can forge a cookie or a token."""

    def __init__(self, secret: str, clock: Callable[[], float]) -> None:
        self._cookies = _Signer(secret, "byzanz cookie", clock)
        self._tokens = _Signer(secret, "byzanz token", clock)

    def cookie(self, guest: str) -> str:
        """Return the cookie value for a guest."""
        return self._cookies.sign(guest).decode()

    def token(self, guest: str) -> str:
        """Return a bearer token for a guest; it is valid until the guest is deleted."""
        return self._tokens.sign(guest).decode()

    def read_cookie(self, value: str) -> tuple[str, bool] | None:
        """Return the guest id in a cookie and whether to renew it, or None if it is invalid."""
        try:
            guest, signed = self._cookies.unsign(value, return_timestamp=True)
        except BadSignature:
            return None
        age = self._cookies.clock() - signed.timestamp()  # negative if the clock was set back
        return None if age > _YEAR else (guest.decode(), age > _RENEW_AFTER)

    def read_token(self, value: str) -> str | None:
        """Return the guest id in a bearer token; None if the token is invalid."""
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
    """Middleware that identifies the guest of a request and sets the guest's cookie.

    It sets ``request.state.guest``, which is None if the request has no valid cookie or token, and
    ``request.state.language``. Handlers change the guest with :func:`ensure_guest`,
    :func:`sign_in`, :func:`undo_sign_in` and :func:`sign_out`.
    """

    def __init__(self, app: ASGIApp, *, service: TableService, secure: bool) -> None:
        self.app = app
        self.service = service
        self.secure = secure

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        state = scope.setdefault("state", {})
        guest, renew = await self._guest(connection)
        state["guest"] = guest
        state["language"] = _language(connection, guest)
        state["cookie_guest"] = guest if renew else None
        state["signed_out"] = False

        async def send_cookie(message: Message) -> None:
            # Shared caches may store these files, so they must not carry a cookie.
            shared = scope["path"].startswith(("/static/", "/art/"))
            if message["type"] == "http.response.start" and not shared:
                response = Response()
                self._set_cookie(connection, response)
                headers = MutableHeaders(scope=message)
                for value in response.headers.getlist("set-cookie"):
                    headers.append("set-cookie", value)
            await send(message)

        await self.app(scope, receive, send_cookie)

    async def _guest(self, connection: HTTPConnection) -> tuple[Guest | None, bool]:
        signer: GuestSigner = connection.app.state.signer
        token = bearer(connection.headers)
        if token is not None:
            guest, renew = signer.read_token(token), False
        else:
            read = signer.read_cookie(connection.cookies.get(COOKIE, ""))
            guest, renew = read if read is not None else (None, False)
        return None if guest is None else await self.service.guests.get(guest), renew

    def _set_cookie(self, connection: HTTPConnection, response: Response) -> None:
        state = connection.scope["state"]
        if state["signed_out"]:
            response.delete_cookie(COOKIE, secure=self.secure, httponly=True, samesite="lax")
        elif state["cookie_guest"] is not None:
            response.set_cookie(
                COOKIE,
                connection.app.state.signer.cookie(state["cookie_guest"].id),
                max_age=_YEAR,
                secure=self.secure,
                httponly=True,
                samesite="lax",
            )


def uses_https(connection: HTTPConnection) -> bool:
    """Return whether cookies must be sent over HTTPS only."""
    secure: bool = connection.app.state.settings.secure
    return secure or connection.url.scheme == "https"


async def ensure_guest(request: HTTPConnection, name: str | None = None) -> Guest:
    """Return the guest of the request. If there is none, create one and sign them in.

    Raises WebRefusal if the network address has created too many guests.
    """
    guest: Guest | None = request.state.guest
    if guest is None:
        guest = await create_guest(request, name)
        sign_in(request, guest)
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


def sign_in(request: HTTPConnection, guest: Guest) -> None:
    """Sign the guest in for this request, and set their cookie in the response."""
    request.state.guest = request.state.cookie_guest = guest


def undo_sign_in(request: HTTPConnection) -> None:
    """Remove the guest from the request and their cookie from the response."""
    request.state.guest = request.state.cookie_guest = None


def sign_out(request: HTTPConnection) -> None:
    """Remove the guest from the request, and let the response delete the cookie."""
    request.state.guest = request.state.cookie_guest = None
    request.state.signed_out = True


def bearer(headers: Headers) -> str | None:
    """Return the bearer token of a request, or None if there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def _language(connection: HTTPConnection, guest: Guest | None) -> str:
    if guest is not None and guest.language in LANGUAGES:
        return guest.language
    chosen = connection.cookies.get(LANGUAGE_COOKIE, "")
    return (
        chosen if chosen in LANGUAGES else best_language(connection.headers.get("accept-language"))
    )
