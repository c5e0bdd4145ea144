"""Operations on tables: create, join, look, replay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response

from byzanz.locale import load_translations
from byzanz.messages import bot_character, bot_name
from byzanz.rules import SETUPS, Game
from byzanz.tables import (
    BotSeat,
    DealProof,
    Declined,
    Host,
    NewTable,
    Open,
    TableReason,
    TableView,
    VisibleGame,
)

from . import schema
from .operation import Call, Integer, Operation, at_table

if TYPE_CHECKING:
    from byzanz.tables import SeatPlan

_MAX_STEP = 10_000


async def bots(call: Call) -> schema.Bots:
    """Return the bots that can play at a table."""
    translations = load_translations(call.request.state.language)
    return schema.Bots(
        [
            schema.Bot(bot, bot_name(bot, translations), bot_character(bot, translations))
            for bot in call.service.bots
        ]
    )


async def lobby(call: Call) -> schema.Listings:
    """Return the listed tables."""
    return schema.Listings(await call.service.lobby())


async def create(call: Call) -> schema.Created:
    """Create a table with the caller as its host."""
    body: schema.NewTable = call.body
    plan = NewTable(tuple(_seat(seat) for seat in body.seats), body.options)
    return schema.Created(
        await call.service.create(call.guest.id, plan, nonce=body.nonce, password=body.password)
    )


def _seat(seat: schema.HostSeat | schema.OpenSeat | schema.BotSeat) -> SeatPlan:
    if isinstance(seat, schema.BotSeat):
        return BotSeat(seat.bot)
    return Host() if isinstance(seat, schema.HostSeat) else Open()


async def look(call: Call) -> TableView:
    """Return the table as the caller may see it."""
    return await call.service.look(call.table, call.viewer)


async def join(call: Call) -> TableView:
    """Seat the caller."""
    body: schema.Joining = call.body
    await call.service.join(
        call.table, call.guest.id, body.seat, nonce=body.nonce, password=body.password
    )
    return await look(call)


async def start(call: Call) -> TableView:
    """Begin the game, with bots on the open seats."""
    await call.service.start(call.table, call.guest.id, call.body.bot)
    return await look(call)


async def leave(call: Call) -> TableView:
    """Remove the caller from the table for good."""
    await call.service.leave(call.table, call.guest.id)
    return await look(call)


async def remove(call: Call) -> TableView:
    """Free the seat of another person before the game begins."""
    await call.service.remove(call.table, call.guest.id, call.body.seat)
    return await look(call)


async def replace(call: Call) -> TableView:
    """Let a bot stand in for an absent person."""
    await call.service.replace(call.table, call.guest.id, call.body.seat, call.body.bot)
    return await look(call)


async def come_back(call: Call) -> TableView:
    """Let the caller play again after a bot stood in."""
    await call.service.come_back(call.table, call.guest.id)
    return await look(call)


async def rematch(call: Call) -> schema.Created:
    """Create a table with the same people and bots."""
    body: schema.Rematching = call.body
    return schema.Created(
        await call.service.rematch(
            call.table,
            call.guest.id,
            rotated=body.rotated,
            invite=body.invite,
            nonce=body.nonce,
        )
    )


async def record(call: Call) -> Response:
    """Return the record of a finished game."""
    text = await call.service.record(call.table, call.viewer)
    return Response(
        text,
        media_type="application/x-ndjson",
        headers={"content-disposition": 'attachment; filename="byzanz.jsonl"'},
    )


async def proof(call: Call) -> DealProof:
    """Return the proof of the table's deal."""
    return await call.service.proof(call.table, call.viewer)


async def replay(call: Call) -> schema.Replayed:
    """Return what a seat of a finished game knew after a number of actions."""
    game = await call.service.replay(call.table, call.viewer)
    seat, step = call.query["seat"], call.query["step"]
    players, plays = len(game.deal.hands), game.plays
    if seat is not None and seat >= players:
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=players - 1)
    played = plays[: len(plays) if step is None else step]
    view = Game.replay(game.deal, played).view(seat)
    return schema.Replayed(len(played), len(plays), VisibleGame.of(view))


OPERATIONS = (
    Operation(
        "GET",
        "/api/bots",
        "bots",
        "List the bots that can play at a table, weakest first.",
        bots,
        response=schema.Bots,
        signed_in=False,
    ),
    Operation(
        "GET",
        "/api/lobby",
        "lobby",
        "List the public tables: those with open seats, then those in play.",
        lobby,
        response=schema.Listings,
        signed_in=False,
    ),
    Operation(
        "POST",
        "/api/tables",
        "create",
        "Create a table.",
        create,
        body=schema.NewTable,
        response=schema.Created,
        status=201,
    ),
    Operation(
        "GET",
        at_table(""),
        "look",
        "Return a table as you may see it now; without a seat, as a spectator.",
        look,
        response=TableView,
        signed_in=False,
        refuses=(403, 404),
    ),
    Operation(
        "POST",
        at_table("/join"),
        "join",
        "Take a seat. The game begins when no seat is open any more.",
        join,
        body=schema.Joining,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        at_table("/start"),
        "start",
        "As the host, start the game with bots on the open seats.",
        start,
        body=schema.Starting,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        at_table("/leave"),
        "leave",
        "Leave for good. A bot takes over your seat.",
        leave,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        at_table("/remove"),
        "remove",
        "As the host, remove somebody, or withdraw their invitation, before the game begins.",
        remove,
        body=schema.Removing,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        at_table("/replace"),
        "replace",
        "As the host, let a bot stand in for an absent person, if there is no time limit.",
        replace,
        body=schema.Replacing,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        at_table("/return"),
        "return",
        "Play on your seat again after a bot stood in.",
        come_back,
        response=TableView,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        at_table("/rematch"),
        "rematch",
        "After the game, create another table with the same people and bots.",
        rematch,
        body=schema.Rematching,
        response=schema.Created,
        status=201,
        refuses=(403, 404, 409),
    ),
    Operation(
        "GET",
        at_table("/record"),
        "record",
        "Return the record of a finished game, as JSON Lines that `byzanz check` verifies.",
        record,
        response=str,
        media="application/x-ndjson",
        signed_in=False,
        refuses=(403, 404, 409),
    ),
    Operation(
        "GET",
        at_table("/proof"),
        "proof",
        "Return the proof of the deal. It has the server's secret once the game is over.",
        proof,
        response=DealProof,
        signed_in=False,
        refuses=(403, 404),
    ),
    Operation(
        "GET",
        at_table("/replay"),
        "replay",
        "Return what a seat of a finished game knew after a number of actions.",
        replay,
        response=schema.Replayed,
        query=(
            Integer("seat", 0, max(SETUPS) - 1, "The seat; by default a spectator."),
            Integer("step", 0, _MAX_STEP, "The number of actions; by default all."),
        ),
        signed_in=False,
        refuses=(403, 404, 409),
    ),
)
"""The operations on tables."""
