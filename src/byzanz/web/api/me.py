"""Operations on the guest who sends the request."""

from __future__ import annotations

import msgspec
from msgspec import Struct

from byzanz.tables import Guest, SessionKind
from byzanz.web.identity import create_guest, sign_out

from .operation import Call, Operation
from .schema import Avatar, GuestChange, Language, Listings, Me, Name
from .sessions import TokenDays


class NewGuest(Struct, forbid_unknown_fields=True):
    """A guest to create."""

    name: Name | None = None
    language: Language | None = None
    avatar: Avatar | None = None
    days: TokenDays | None = None


class NewMe(Struct):
    """A new guest, with the secret token that identifies them. The token is shown only once."""

    token: str
    name: str | None
    language: str
    avatar: int | None
    expires: float
    """When the token expires, in seconds since 1970."""


async def become(call: Call) -> NewMe:
    """Create a guest and return their token."""
    wanted: NewGuest = call.body
    if wanted.language is not None:
        call.request.state.language = wanted.language
    guest = await create_guest(call.request, wanted.name)
    if wanted.avatar is not None:
        guest = await call.service.guests.choose_avatar(guest.id, wanted.avatar)
    secret, session = await call.service.guests.sessions.add_token(guest.id, days=wanted.days)
    token = call.request.app.state.signer.sign(secret, SessionKind.TOKEN)
    return NewMe(token, guest.name, guest.language, guest.avatar, session.expires)


async def who(call: Call) -> Me:
    """Return the caller."""
    return _me(call.guest)


async def change(call: Call) -> Me:
    """Change the caller's name, language or portrait."""
    wanted: GuestChange = call.body
    name = call.guest.name if wanted.name is msgspec.UNSET else wanted.name
    language = call.guest.language if wanted.language is msgspec.UNSET else wanted.language
    guest = await call.service.guests.update(call.guest.id, name, language)
    if wanted.avatar is not msgspec.UNSET:
        guest = await call.service.guests.choose_avatar(guest.id, wanted.avatar)
    return _me(guest)


def _me(guest: Guest) -> Me:
    return Me(guest.name, guest.language, guest.avatar)


async def forget(call: Call) -> None:
    """Delete the caller, and remove their name from every table."""
    await call.service.guests.forget(call.guest.id)
    sign_out(call.request)


async def tables(call: Call) -> Listings:
    """Return the caller's tables."""
    return Listings(await call.service.tables_of(call.guest.id))


OPERATIONS = (
    Operation(
        "POST",
        "/api/me",
        "become",
        "Create a guest. The response has the token that all further requests send.",
        become,
        body=NewGuest,
        response=NewMe,
        status=201,
        signed_in=False,
    ),
    Operation(
        "GET", "/api/me", "who", "Return the guest that the token identifies.", who, response=Me
    ),
    Operation(
        "PATCH",
        "/api/me",
        "change",
        "Change your name, language or portrait.",
        change,
        body=GuestChange,
        response=Me,
    ),
    Operation(
        "DELETE",
        "/api/me",
        "forget",
        "Delete yourself: your name is removed from every table, bots take over your seats, and "
        "your token becomes invalid.",
        forget,
        status=204,
    ),
    Operation(
        "GET",
        "/api/me/tables",
        "my_tables",
        "List the tables at which you have a seat.",
        tables,
        response=Listings,
    ),
)
"""The operations on the caller."""
