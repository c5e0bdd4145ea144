"""Operations on ratings and talk."""

from __future__ import annotations

from byzanz.locale import load_translations
from byzanz.rules import SETUPS
from byzanz.tables import TableView
from byzanz.web.ratings import DEFAULT_PLAYERS, entries

from . import rating_schema as schema
from .operation import Call, Integer, Operation, at_table


async def ratings(call: Call) -> schema.Leaderboard:
    """Return the leaderboard for games with a given number of players."""
    players = int(call.query["players"] or DEFAULT_PLAYERS)
    stored = await call.service.ratings.leaders(players)
    translations = load_translations(call.request.state.language)
    found = entries(stored, players, call.viewer, translations)
    return schema.Leaderboard(
        players,
        [
            schema.Rating(
                each.name,
                each.bot,
                each.you,
                each.rank,
                each.points,
                each.margin,
                each.games,
                each.provisional,
            )
            for each in found
        ],
    )


async def mine(call: Call) -> schema.MyRatings:
    """Return the caller's ratings."""
    found = await call.service.ratings.of(call.guest.id)
    return schema.MyRatings(
        [
            schema.MyRating(
                each.players,
                each.skill.points,
                each.skill.margin,
                each.games,
                each.skill.provisional,
            )
            for each in found
        ]
    )


async def withdraw(call: Call) -> None:
    """Delete the caller's ratings."""
    await call.service.ratings.withdraw(call.guest.id)


async def changes(call: Call) -> schema.RatingChanges:
    """Return how a finished game changed the ratings of its people."""
    await call.service.look(call.table, call.viewer)
    found = await call.service.ratings.changes(call.table)
    return schema.RatingChanges(
        [
            schema.RatingChange(each.seat, each.before.points, each.after.points, each.abandoned)
            for each in found
            if each.person
        ]
    )


async def say(call: Call) -> TableView:
    """Say something at the table."""
    await call.service.talk.say(call.table, call.guest.id, call.body.phrase)
    return await call.service.look(call.table, call.viewer)


async def switch_talk(call: Call) -> TableView:
    """Switch talk on or off, as the host."""
    await call.service.talk.switch(call.table, call.guest.id, on=call.body.on)
    return await call.service.look(call.table, call.viewer)


OPERATIONS = (
    Operation(
        "GET",
        "/api/ratings",
        "ratings",
        "Return the leaderboard of a number of players, with the bots; by default of four.",
        ratings,
        response=schema.Leaderboard,
        query=(Integer("players", min(SETUPS), max(SETUPS), "The number of players."),),
        signed_in=False,
    ),
    Operation(
        "GET",
        "/api/me/ratings",
        "my_ratings",
        "Return your ratings, by the number of players.",
        mine,
        response=schema.MyRatings,
    ),
    Operation(
        "DELETE",
        "/api/me/ratings",
        "withdraw_ratings",
        "Delete your ratings. Your games stay.",
        withdraw,
        status=204,
    ),
    Operation(
        "GET",
        at_table("/ratings"),
        "rating_changes",
        "Return how a finished game changed the ratings of its people; empty if it is not rated.",
        changes,
        response=schema.RatingChanges,
        signed_in=False,
        refuses=(403, 404),
    ),
    Operation(
        "POST",
        at_table("/say"),
        "say",
        "Say something at the table: a reaction or a phrase, which others read in their language.",
        say,
        body=schema.Talking,
        response=TableView,
        refuses=(403, 404, 409, 429),
    ),
    Operation(
        "POST",
        at_table("/talk"),
        "switch_talk",
        "Switch talk on or off, as the host.",
        switch_talk,
        body=schema.TalkSwitch,
        response=TableView,
        refuses=(403, 404, 409),
    ),
)
"""The operations on ratings and talk."""
