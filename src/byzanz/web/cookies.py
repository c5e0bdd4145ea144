"""Cookies: their names and attributes.

Over HTTPS the name of a cookie begins with ``__Host-``. Browsers accept such a cookie only from the
host itself and only over HTTPS, so neither another host of the domain nor somebody in the network
can replace it. Over HTTP, as on your own machine, browsers refuse such names. A cookie that was set
under its plain name is still read over HTTPS, and replaced when it is set again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection
    from starlette.responses import Response

PREFIX = "__Host-"
"""The beginning of the name of every cookie over HTTPS."""

_YEAR = 365 * 24 * 3600


def uses_https(connection: HTTPConnection) -> bool:
    """Return whether the client uses HTTPS."""
    secure: bool = connection.app.state.settings.secure
    return secure or connection.url.scheme in ("https", "wss")


def read_cookie(connection: HTTPConnection, name: str) -> str:
    """Return the value of a cookie; empty if there is none."""
    cookies = connection.cookies
    plain = cookies.get(name, "")
    return cookies.get(PREFIX + name, plain) if uses_https(connection) else plain


def has_cookie(connection: HTTPConnection, name: str) -> bool:
    """Return whether the request has the cookie, under either name."""
    return name in connection.cookies or PREFIX + name in connection.cookies


def set_cookie(connection: HTTPConnection, response: Response, name: str, value: str) -> None:
    """Set a cookie for a year. Scripts cannot read it, and from other sites only links send it."""
    https = uses_https(connection)
    response.set_cookie(
        PREFIX + name if https else name,
        value,
        max_age=_YEAR,
        secure=https,
        httponly=True,
        samesite="lax",
    )
    if https and name in connection.cookies:
        response.delete_cookie(name, secure=True, httponly=True, samesite="lax")


def delete_cookie(connection: HTTPConnection, response: Response, name: str) -> None:
    """Delete a cookie, under both names if the client uses HTTPS."""
    https = uses_https(connection)
    for each in (PREFIX + name, name) if https else (name,):
        response.delete_cookie(each, secure=https, httponly=True, samesite="lax")
