"""Operations about oneself: to become known, to be called otherwise, to be forgotten."""

from __future__ import annotations

from typing import Any

import msgspec

from byzanz.web.identity import dismiss, newcomer

from .operations import Call, Operation
from .schema import GuestChange, Listings, Me, NewGuest, NewMe
from .sights import listing_data


async def become(call: Call) -> NewMe:
    """A new guest is known, whose token the answer holds."""
    wanted: NewGuest = call.body
    if wanted.language is not None:
        call.request.state.language = wanted.language
    guest = await newcomer(call.request, wanted.name)
    return NewMe(call.request.app.state.seals.token(guest.id), guest.name, guest.language)


async def who(call: Call) -> Me:
    """Who the caller is."""
    return Me(call.guest.name, call.guest.language)


async def change(call: Call) -> Me:
    """The caller has another name, or another language."""
    wanted: GuestChange = call.body
    name = call.guest.name if wanted.name is msgspec.UNSET else wanted.name
    language = call.guest.language if wanted.language is msgspec.UNSET else wanted.language
    guest = await call.house.rename(call.guest.id, name, language)
    return Me(guest.name, guest.language)


async def forget(call: Call) -> None:
    """Nothing tells of the caller any more."""
    await call.house.forget(call.guest.id)
    dismiss(call.request)


async def tables(call: Call) -> dict[str, Any]:
    """The caller's tables."""
    found = await call.house.tables_of(call.guest.id)
    return {"tables": [listing_data(listing) for listing in found]}


OPERATIONS = (
    Operation(
        "POST",
        "/api/me",
        "become",
        "Become a guest. The answer holds the token that all further requests bear.",
        become,
        takes=NewGuest,
        gives=NewMe,
        status=201,
        identified=False,
    ),
    Operation("GET", "/api/me", "who", "Who you are.", who, gives=Me),
    Operation(
        "PATCH",
        "/api/me",
        "change",
        "Change your name or language.",
        change,
        takes=GuestChange,
        gives=Me,
    ),
    Operation(
        "DELETE",
        "/api/me",
        "forget",
        "Be forgotten: your name leaves every table, a bot plays on for you, your token is void.",
        forget,
        status=204,
    ),
    Operation(
        "GET", "/api/me/tables", "my_tables", "The tables you sit at.", tables, gives=Listings
    ),
)
"""The operations about oneself."""
