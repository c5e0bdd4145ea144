"""Operations on the caller's finished games."""

from __future__ import annotations

from math import ceil

from starlette.responses import Response

from byzanz.rules import SETUPS
from byzanz.tables import GameFilter, Outcome, Statistics, statistics
from byzanz.web.my_games import record_stream

from . import schema
from .operation import Call, Integer, Operation, Text

GAMES_PER_PAGE = 50
_MOST_DAYS = 36500
_DAY = 24 * 3600

_CHOICE = (
    Integer("players", min(SETUPS), max(SETUPS), "The number of players."),
    Text(
        "opponents",
        "[ -~]{1,200}",
        "The bot that played all other seats; `mixed` for different bots, `people` for people.",
    ),
    Text("result", "(won|lost)", "Only games won, or only the others."),
    Integer("days", 1, _MOST_DAYS, "Only games that ended in the last so many days."),
)


async def games(call: Call) -> schema.MyGames:
    """Return a page of the caller's finished games."""
    history = call.service.history
    found = await history.games(call.guest.id, _filter(call))
    pages = max(1, ceil(len(found) / GAMES_PER_PAGE))
    at = call.query["page"] or 1
    shown = found[(at - 1) * GAMES_PER_PAGE : at * GAMES_PER_PAGE]
    tables = await history.listings(call.guest.id, shown)
    listed = [
        schema.MyGame(result, tables[result.table].sitters)
        for result in shown
        if result.table in tables
    ]
    return schema.MyGames(listed, len(found), at, pages)


async def my_statistics(call: Call) -> Statistics:
    """Return the statistics of the caller's finished games."""
    return statistics(await call.service.history.games(call.guest.id, _filter(call)))


async def records(call: Call) -> Response:
    """Return the records of all finished games of the caller."""
    return record_stream(call.service, call.guest.id)


def _filter(call: Call) -> GameFilter:
    given = call.query
    return GameFilter(
        players=given["players"],
        opponents=given["opponents"],
        outcome=None if given["result"] is None else Outcome(given["result"]),
        since=None if given["days"] is None else call.service.now - given["days"] * _DAY,
    )


OPERATIONS = (
    Operation(
        "GET",
        "/api/me/games",
        "my_games",
        "List your finished games, newest first, 50 to a page.",
        games,
        response=schema.MyGames,
        query=(*_CHOICE, Integer("page", 1, 10**6, "The page, from 1.")),
    ),
    Operation(
        "GET",
        "/api/me/statistics",
        "my_statistics",
        "Return the statistics of your finished games.",
        my_statistics,
        response=Statistics,
        query=_CHOICE,
    ),
    Operation(
        "GET",
        "/api/me/records",
        "my_records",
        "Return the records of all your finished games as JSON Lines, oldest first.",
        records,
        response=str,
        media="application/x-ndjson",
    ),
)
"""The operations on the caller's finished games."""
