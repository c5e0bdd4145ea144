"""Operations about tables: to found one, to sit down, to act, to see, and to look back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from byzanz.locale import translations
from byzanz.messages import bot_character, bot_name
from byzanz.notation import parse_action
from byzanz.rules import SETUPS, Game
from byzanz.tables import (
    Accepted,
    BotSeat,
    Declined,
    Host,
    NewTable,
    Open,
    TableOptions,
    TableReason,
)

from . import schema
from .answers import Json, refusal_answer
from .operations import Call, Operation, Whole
from .sights import listing_data, replayed_data, sight_data

if TYPE_CHECKING:
    from byzanz.tables import SeatPlan

_LAST_STEP = 10_000


async def bots(call: Call) -> dict[str, Any]:
    """The bots that can be asked to a table."""
    words = translations(call.request.state.language)
    return {
        "bots": [
            {"bot": bot, "name": bot_name(bot, words), "character": bot_character(bot, words)}
            for bot in call.house.bots
        ]
    }


async def lobby(call: Call) -> dict[str, Any]:
    """The tables that wait for people, and are listed."""
    return {"tables": [listing_data(listing) for listing in await call.house.lobby()]}


async def create(call: Call) -> schema.Created:
    """A new table with the caller as its host."""
    wanted: schema.NewTable = call.body
    options = TableOptions(
        listed=wanted.options.listed,
        pace=wanted.options.pace,
        memory_aid=wanted.options.memory_aid,
        open_profit=wanted.options.open_profit,
        think_seconds=wanted.options.think_seconds,
    )
    plan = NewTable(tuple(_seat(seat) for seat in wanted.seats), options)
    return schema.Created(await call.house.create(call.guest.id, plan))


def _seat(seat: schema.HostSeat | schema.OpenSeat | schema.BotSeat) -> SeatPlan:
    if isinstance(seat, schema.BotSeat):
        return BotSeat(seat.bot)
    return Host() if isinstance(seat, schema.HostSeat) else Open()


async def look(call: Call) -> dict[str, Any]:
    """The table as the caller may see it now."""
    return sight_data(await call.house.look(call.table, call.viewer))


async def join(call: Call) -> dict[str, Any]:
    """The caller sits at the table."""
    await call.house.join(call.table, call.guest.id, call.body.seat)
    return await look(call)


async def start(call: Call) -> dict[str, Any]:
    """The game has begun, bots on the seats still open."""
    await call.house.start(call.table, call.guest.id, call.body.bot)
    return await look(call)


async def leave(call: Call) -> dict[str, Any]:
    """The caller has left the table for good."""
    await call.house.leave(call.table, call.guest.id)
    return await look(call)


async def replace(call: Call) -> dict[str, Any]:
    """A bot stands in for the absent person on the seat."""
    await call.house.replace(call.table, call.guest.id, call.body.seat, call.body.bot)
    return await look(call)


async def come_back(call: Call) -> dict[str, Any]:
    """The caller plays again where a bot stood in."""
    await call.house.come_back(call.table, call.guest.id)
    return await look(call)


async def rematch(call: Call) -> schema.Created:
    """A new table with the same people and bots."""
    return schema.Created(
        await call.house.rematch(call.table, call.guest.id, rotated=call.body.rotated)
    )


async def act(call: Call) -> Response:
    """The caller's action is carried out and stored, or refused."""
    wanted: schema.Acting = call.body
    answer = await call.house.act(
        call.table,
        call.guest.id,
        parse_action(wanted.action),
        decision=wanted.decision,
        sale=wanted.sale,
        key=wanted.key,
    )
    sight = sight_data(answer.sight)
    if isinstance(answer, Accepted):
        return Json({"version": answer.version, "sight": sight})
    if answer.refusal is not None:
        return refusal_answer(call.request, answer.refusal, sight)
    declined = Declined(TableReason(answer.code.value), **answer.parameters)
    return refusal_answer(call.request, declined, sight)


async def record(call: Call) -> Response:
    """The record of a finished game."""
    text = await call.house.record(call.table)
    return Response(
        text,
        media_type="application/x-ndjson",
        headers={"content-disposition": 'attachment; filename="byzanz.jsonl"'},
    )


async def replay(call: Call) -> dict[str, Any]:
    """What a seat of a finished game knew after so many actions."""
    game = await call.house.replay(call.table)
    seat, step = call.query["seat"], call.query["step"]
    players, plays = len(game.deal.hands), game.plays
    if seat is not None and seat >= players:
        raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=players - 1)
    played = plays[: len(plays) if step is None else step]
    view = Game.replay(game.deal, played).view(seat)
    return {"step": len(played), "steps": len(plays), "view": replayed_data(view)}


def _at(path: str) -> str:
    return "/api/tables/{table}" + path


OPERATIONS = (
    Operation(
        "GET",
        "/api/bots",
        "bots",
        "The bots that can be asked to a table, weakest first.",
        bots,
        gives=schema.Bots,
        identified=False,
    ),
    Operation(
        "GET",
        "/api/lobby",
        "lobby",
        "Listed tables: those that wait for people, then those in play.",
        lobby,
        gives=schema.Listings,
        identified=False,
    ),
    Operation(
        "POST",
        "/api/tables",
        "create",
        "Found a table.",
        create,
        takes=schema.NewTable,
        gives=schema.Created,
        status=201,
    ),
    Operation(
        "GET",
        _at(""),
        "look",
        "A table as you may see it now; without a seat, as a spectator.",
        look,
        gives=schema.Sight,
        identified=False,
        refuses=(404,),
    ),
    Operation(
        "POST",
        _at("/join"),
        "join",
        "Sit down. The game begins when no seat is open any more.",
        join,
        takes=schema.Joining,
        gives=schema.Sight,
        refuses=(404, 409),
    ),
    Operation(
        "POST",
        _at("/start"),
        "start",
        "Begin as the host, with bots on the open seats.",
        start,
        takes=schema.Starting,
        gives=schema.Sight,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        _at("/leave"),
        "leave",
        "Leave for good; a bot plays on.",
        leave,
        gives=schema.Sight,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        _at("/replace"),
        "replace",
        "As the host, let a bot stand in for an absent person, where there is no time limit.",
        replace,
        takes=schema.Replacing,
        gives=schema.Sight,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        _at("/return"),
        "return",
        "Come back to your seat, which a bot has played.",
        come_back,
        gives=schema.Sight,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        _at("/rematch"),
        "rematch",
        "After the game: another with the same people and bots.",
        rematch,
        takes=schema.Rematching,
        gives=schema.Created,
        status=201,
        refuses=(403, 404, 409),
    ),
    Operation(
        "POST",
        _at("/actions"),
        "act",
        "Act. What is accepted is stored before it is answered.",
        act,
        takes=schema.Acting,
        gives=schema.Acted,
        refuses=(403, 404, 409),
    ),
    Operation(
        "GET",
        _at("/record"),
        "record",
        "The record of a finished game, as JSON Lines that `byzanz check` judges.",
        record,
        gives=str,
        media="application/x-ndjson",
        identified=False,
        refuses=(404, 409),
    ),
    Operation(
        "GET",
        _at("/replay"),
        "replay",
        "What a seat of a finished game knew after so many actions.",
        replay,
        gives=schema.Replayed,
        query=(
            Whole("seat", 0, max(SETUPS) - 1, "The seat; a spectator's view if left out."),
            Whole("step", 0, _LAST_STEP, "How many actions were played; all if left out."),
        ),
        identified=False,
        refuses=(404, 409),
    ),
)
"""The operations about tables."""
