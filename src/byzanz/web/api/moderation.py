"""Operations that moderate a table: passwords, and votes to end an abandoned game."""

from __future__ import annotations

from byzanz.tables import TableView

from . import schema
from .operation import Call, Operation, at_table


class Admitting(schema.Request):
    """The password of a locked table."""

    password: schema.Password


class Voting(schema.Request):
    """Whether you vote to end the game; false withdraws your vote."""

    wants: bool = True


async def admit(call: Call) -> TableView:
    """Let the caller see a locked table."""
    await call.service.admit(call.table, call.guest.id, call.body.password)
    return await call.service.look(call.table, call.guest.id)


async def vote(call: Call) -> TableView:
    """Vote to end the game, or withdraw the vote."""
    await call.service.vote_to_end(call.table, call.guest.id, wants=call.body.wants)
    return await call.service.look(call.table, call.guest.id)


OPERATIONS = (
    Operation(
        "POST",
        at_table("/admission"),
        "admit",
        "Give the password of a locked table. You can then watch it and join.",
        admit,
        body=Admitting,
        response=TableView,
        refuses=(403, 404),
    ),
    Operation(
        "POST",
        at_table("/vote"),
        "vote",
        "Vote to end a game that somebody has abandoned. It ends when everybody has voted who "
        "has not abandoned it.",
        vote,
        body=Voting,
        response=TableView,
        refuses=(403, 404, 409),
    ),
)
"""The operations that moderate a table."""
