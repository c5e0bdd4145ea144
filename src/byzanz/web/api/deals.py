"""Operations on shared deals: the deal of the day, and duplicate with friends."""

from __future__ import annotations

from typing import cast

from byzanz.tables import Declined, TableReason, is_day

from . import schema
from .operation import Call, Operation


async def today(call: Call) -> schema.DealStanding:
    """Return where the caller stands in today's deal."""
    return await _standing(call, call.service.deals.today)


async def day(call: Call) -> schema.DealStanding:
    """Return where the caller stands in the deal of a day."""
    return await _standing(call, _named(call, "day"))


async def play_day(call: Call) -> schema.Created:
    """Return the caller's table for the deal of a day; create it if there is none."""
    return schema.Created(await call.service.deals.play(_named(call, "day"), call.guest.id))


async def create(call: Call) -> schema.Deal:
    """Make a deal for friends."""
    body: schema.NewDeal = call.body
    made = await call.service.deals.create(call.guest.id, tuple(body.bots), body.seat)
    return schema.Deal(made.id)


async def deal(call: Call) -> schema.DealStanding:
    """Return where the caller stands in a deal for friends."""
    return await _standing(call, _named(call, "deal"))


async def play_deal(call: Call) -> schema.Created:
    """Return the caller's table for a deal for friends; create it if there is none."""
    return schema.Created(await call.service.deals.play(_named(call, "deal"), call.guest.id))


async def results(call: Call) -> schema.DealResults:
    """Return all results of a deal that the caller has finished."""
    tries = await call.service.deals.tries(_named(call, "deal"), call.guest.id)
    guests = [await call.service.guests.get(each.guest) for each in tries]
    return schema.DealResults(
        [
            schema.DealResult(
                None if guest is None else guest.name, each.table, each.profit, each.place
            )
            for each, guest in zip(tries, guests, strict=True)
        ]
    )


async def _standing(call: Call, deal: str) -> schema.DealStanding:
    found = await call.service.deals.standing(deal, call.viewer)
    return schema.DealStanding(found, found.rank, found.beaten)


def _named(call: Call, name: str) -> str:
    """Return the id of the deal in the path; raises Declined if its kind is not ``name``."""
    found = cast("str", call.request.path_params[name])
    if is_day(found) != (name == "day"):
        raise Declined(TableReason.NO_SUCH_DEAL)
    return found


OPERATIONS = (
    Operation(
        "GET",
        "/api/daily",
        "daily",
        "Return where you stand in the deal of this day.",
        today,
        response=schema.DealStanding,
        signed_in=False,
    ),
    Operation(
        "GET",
        "/api/daily/{day}",
        "daily_of",
        "Return where you stand in the deal of a day.",
        day,
        response=schema.DealStanding,
        signed_in=False,
        refuses=(404,),
    ),
    Operation(
        "POST",
        "/api/daily/{day}/play",
        "play_daily",
        "Begin the deal of a day, or return to your table. You have one try.",
        play_day,
        response=schema.Created,
        status=201,
        refuses=(404,),
    ),
    Operation(
        "POST",
        "/api/duplicates",
        "create_duplicate",
        "Make a deal that you and your friends play, each against the same bots.",
        create,
        body=schema.NewDeal,
        response=schema.Deal,
        status=201,
    ),
    Operation(
        "GET",
        "/api/duplicates/{deal}",
        "duplicate",
        "Return where you stand in a deal for friends.",
        deal,
        response=schema.DealStanding,
        signed_in=False,
        refuses=(404,),
    ),
    Operation(
        "POST",
        "/api/duplicates/{deal}/play",
        "play_duplicate",
        "Begin a deal for friends, or return to your table. You have one try.",
        play_deal,
        response=schema.Created,
        status=201,
        refuses=(404,),
    ),
    Operation(
        "GET",
        "/api/duplicates/{deal}/results",
        "duplicate_results",
        "Return the results of all friends, once you have finished the deal.",
        results,
        response=schema.DealResults,
        refuses=(403, 404),
    ),
)
"""The operations on shared deals."""
