"""Operations on shared deals: the deal of the day."""

from __future__ import annotations

from typing import cast

from . import schema
from .operation import Call, Operation


async def today(call: Call) -> schema.DealStanding:
    """Return where the caller stands in the deal of this day."""
    return await _standing(call, call.service.deals.today)


async def day(call: Call) -> schema.DealStanding:
    """Return where the caller stands in the deal of a day."""
    return await _standing(call, _named(call, "day"))


async def play_day(call: Call) -> schema.Created:
    """Create the caller's table for the deal of a day, or find it."""
    return schema.Created(await call.service.deals.play(_named(call, "day"), call.guest.id))


async def _standing(call: Call, deal: str) -> schema.DealStanding:
    found = await call.service.deals.standing(deal, call.viewer)
    return schema.DealStanding(found, found.rank, found.beaten)


def _named(call: Call, name: str) -> str:
    return cast("str", call.request.path_params[name])


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
)
"""The operations on shared deals."""
