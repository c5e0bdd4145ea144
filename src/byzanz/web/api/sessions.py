"""Operations on the caller's sessions: the devices they are signed in on, and their tokens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from byzanz.tables import MAX_TOKEN_DAYS, TOKEN_DAYS, Session, SessionKind
from byzanz.web.identity import sign_out

from .operation import Call, Operation

TokenDays = Annotated[
    int,
    Meta(
        ge=1,
        le=MAX_TOKEN_DAYS,
        description=f"For how many days the token is valid; by default {TOKEN_DAYS}.",
    ),
]


class NewToken(Struct, forbid_unknown_fields=True):
    """A token to create: its name in your list, and for how many days it is valid."""

    name: Annotated[str, Meta(min_length=1, max_length=64)] | None = None
    days: TokenDays | None = None


class Token(Struct):
    """A new token. It is shown only once."""

    token: str
    session: str
    name: str
    expires: float


class SessionEntry(Struct):
    """A device that you are signed in on, or a token."""

    session: str
    kind: SessionKind
    name: str
    """The name of a token; empty for a device."""
    browser: str
    system: str
    created: float
    seen: float
    """When it was last used, in seconds since 1970, to within some minutes."""
    expires: float
    current: bool
    """Whether this request uses it."""


class Sessions(Struct):
    """Your devices and tokens, the most recently used ones first."""

    sessions: list[SessionEntry]


async def listed(call: Call) -> Sessions:
    """Return the caller's sessions."""
    current: Session = call.request.state.session
    found = await call.service.guests.sessions.all_of(call.guest.id)
    return Sessions([_entry(session, current) for session in found])


async def create(call: Call) -> Token:
    """Create a token for the caller."""
    wanted: NewToken = call.body
    secret, session = await call.service.guests.sessions.add_token(
        call.guest.id, wanted.name, wanted.days
    )
    token = call.request.app.state.signer.sign(secret, SessionKind.TOKEN)
    return Token(token, session.id, session.label.name, session.expires)


async def end(call: Call) -> None:
    """End one of the caller's sessions."""
    session: str = call.request.path_params["session"]
    ended = await call.service.guests.sessions.end(call.guest.id, session)
    if ended.id == call.request.state.session.id:
        sign_out(call.request)


async def end_others(call: Call) -> None:
    """End all sessions of the caller except the one of this request."""
    await call.service.guests.sessions.end_others(call.guest.id, call.request.state.session)


def _entry(session: Session, current: Session) -> SessionEntry:
    label = session.label
    return SessionEntry(
        session.id,
        session.kind,
        label.name,
        label.browser,
        label.system,
        session.created,
        session.seen,
        session.expires,
        session.id == current.id,
    )


OPERATIONS = (
    Operation(
        "GET",
        "/api/me/sessions",
        "my_sessions",
        "List the devices that you are signed in on, and your tokens.",
        listed,
        response=Sessions,
    ),
    Operation(
        "DELETE",
        "/api/me/sessions",
        "end_other_sessions",
        "Log out everywhere but here: all other devices and tokens stop working at once.",
        end_others,
        status=204,
    ),
    Operation(
        "DELETE",
        "/api/me/sessions/{session}",
        "end_session",
        "Log out a device, or revoke a token. Its sockets are closed at once.",
        end,
        status=204,
        refuses=(404,),
    ),
    Operation(
        "POST",
        "/api/me/tokens",
        "create_token",
        f"Create another token, valid for {TOKEN_DAYS} days or as many `days` as you choose, up to "
        f"{MAX_TOKEN_DAYS}.",
        create,
        body=NewToken,
        response=Token,
        status=201,
    ),
)
"""The operations on the caller's sessions."""
