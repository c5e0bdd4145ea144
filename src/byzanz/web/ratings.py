"""The page of ratings: a leaderboard for each number of players, with the bots."""

from __future__ import annotations

from dataclasses import dataclass
from gettext import NullTranslations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.arena.bot_ratings import bot_skills
from byzanz.arena.skill import Skill
from byzanz.locale import _
from byzanz.messages import bot_name, printable
from byzanz.rules import SETUPS
from byzanz.tables import (
    MOST_MEETINGS,
    RatedChange,
    StoredRating,
    TableService,
    TableView,
)

from .board import seat_names
from .form_fields import signed_in
from .pages import number, page, renderer_for, viewer
from .portraits import bot_portrait

DEFAULT_PLAYERS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of a leaderboard."""

    name: str
    portrait: int | None
    bot: bool
    you: bool
    rank: int | None
    """The rank among people; None for bots and provisional ratings."""
    points: int
    margin: int
    games: int | None
    """The number of rated games; None for a bot."""
    provisional: bool


@dataclass(frozen=True, slots=True)
class Change:
    """How a game changed the rating of a person."""

    name: str
    before: int
    after: int
    abandoned: bool
    provisional: bool

    @property
    def difference(self) -> str:
        """The difference with its sign."""
        return f"{self.after - self.before:+d}".replace("-", "\N{MINUS SIGN}")


async def ratings(request: Request) -> Response:
    """Show the leaderboard for games with a given number of players."""
    service: TableService = request.app.state.service
    players = number(request.query_params.get("players"), 99)
    players = players if players in SETUPS else DEFAULT_PLAYERS
    guest, translations = viewer(request), renderer_for(request).translations
    stored = await service.ratings.leaders(players)
    own = () if guest is None else await service.ratings.of(guest)
    mine = next((each for each in own if each.players == players), None)
    rank = None if mine is None else await service.ratings.rank(mine.guest, players)
    return page(
        request,
        "ratings.html",
        players=players,
        setups_players=tuple(SETUPS),
        entries=entries(stored, players, guest, translations),
        mine=None if mine is None else _entry(mine, guest, rank, translations),
        own=own,
        most_meetings=MOST_MEETINGS,
    )


async def withdraw(request: Request) -> Response:
    """Delete the guest's ratings."""
    service: TableService = request.app.state.service
    await service.ratings.withdraw(signed_in(request).id)
    return RedirectResponse("/ratings", 303)


def entries(
    stored: tuple[StoredRating, ...],
    players: int,
    guest: str | None,
    translations: NullTranslations,
) -> list[Entry]:
    """Return the leaderboard: people and bots by rating, then people with provisional ratings."""
    sure = [each for each in stored if not each.skill.provisional]
    ranks = {each.guest: 1 + sum(other.skill.mu > each.skill.mu for other in sure) for each in sure}
    people = [_entry(each, guest, ranks.get(each.guest), translations) for each in stored]
    skills = bot_skills(players).items()
    bots = [_bot(bot, skill, translations) for bot, skill in skills]
    certain = [each for each in people if not each.provisional]
    ranked = sorted([*certain, *bots], key=lambda each: (-each.points, each.bot))
    return [*ranked, *[each for each in people if each.provisional]]


def changes(
    table_view: TableView, found: tuple[RatedChange, ...], translations: NullTranslations
) -> list[Change]:
    """Return how a game changed the ratings of people; empty if it was not rated."""
    names = seat_names(table_view.table, table_view.sitters, translations)
    return [
        Change(
            names[each.seat],
            each.before.points,
            each.after.points,
            each.abandoned,
            each.after.provisional,
        )
        for each in found
        if each.person
    ]


def _entry(
    stored: StoredRating, guest: str | None, rank: int | None, translations: NullTranslations
) -> Entry:
    return Entry(
        name=printable(stored.name) if stored.name else translations.gettext(_("Guest")),
        portrait=stored.avatar,
        bot=False,
        you=stored.guest == guest,
        rank=rank,
        points=stored.skill.points,
        margin=stored.skill.margin,
        games=stored.games,
        provisional=stored.skill.provisional,
    )


def _bot(bot: str, skill: Skill, translations: NullTranslations) -> Entry:
    return Entry(
        name=bot_name(bot, translations),
        portrait=bot_portrait(bot),
        bot=True,
        you=False,
        rank=None,
        points=skill.points,
        margin=skill.margin,
        games=None,
        provisional=False,
    )


routes: list[BaseRoute] = [
    Route("/ratings", ratings, methods=["GET"]),
    Route("/ratings/withdraw", withdraw, methods=["POST"]),
]
"""The routes of the page."""
