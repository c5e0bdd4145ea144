"""The lobby: games to continue, invitations, open tables, last games, and a new table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from byzanz.bots import LEVELS
from byzanz.rules import Result
from byzanz.tables import Listing, Stage, TableService, place

from .board import seat_names
from .opponents import MIXED, mixed_bots, outcomes, proposed_bot
from .option_labels import aids, paces, thinking_times
from .pages import page, renderer_for
from .portraits import seat_portraits
from .rendering import Renderer

SHOWN_TABLES = 30
"""The maximum number of tables in each list of the lobby."""

LAST_GAMES = 6
"""The number of finished games in the lobby."""

MIXED_SEATS = 3
"""The number of opponents at a mixed table."""

LESSONS = "/learn"
"""The path of the lessons. The lobby has a link to them if the application has this route."""


@dataclass(frozen=True, slots=True)
class Player:
    """A player of a listed table: the name and the portrait's number."""

    name: str
    portrait: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A table in one of the lobby's lists, as the guest sees it."""

    table: str
    others: tuple[Player, ...]
    """The players of the other seats; for a spectator, of all seats."""
    host: str
    """The name of the host; empty if there is none."""
    stage: Stage
    free: int
    your_turn: bool
    invited: bool
    date: str
    """The date of the last change, such as 2026-11-18."""
    players: int
    place: int | None = None
    """The guest's place in a finished game, from 1."""
    profit: int | None = None
    locked: bool = False
    """Whether joining and watching need a password."""

    @property
    def names(self) -> str:
        """The names of the other players."""
        return ", ".join(player.name for player in self.others)


async def lobby(request: Request) -> Response:
    """Show the lobby."""
    return await show_lobby(request)


async def show_lobby(request: Request, personal_link: str = "") -> Response:
    """Show the lobby, with a personal link if the guest has just asked for one."""
    service, guest = request.app.state.service, request.state.guest
    renderer = renderer_for(request)
    mine = () if guest is None else await service.tables_of(guest.id)
    played = await outcomes(service, guest and guest.id)
    proposed = proposed_bot(service, played)
    current = _entries([each for each in mine if each.stage is not Stage.FINISHED], renderer)
    open_tables = [each for each in await service.lobby() if each.stage is Stage.OPEN]
    return page(
        request,
        "lobby.html",
        guest=guest,
        name=(guest and guest.name) or "",
        name_length=service.limits.max_name_length,
        bots=service.bots,
        levels=[bot for bot in service.bots if bot in LEVELS],
        other_bots=[bot for bot in service.bots if bot not in LEVELS],
        proposed=proposed,
        mixed=MIXED if played else "",
        mixed_bots=mixed_bots(service, proposed, MIXED_SEATS),
        has_lessons=any(getattr(route, "path", "") == LESSONS for route in request.app.routes),
        invitations=[entry for entry in current if entry.invited],
        turns=[entry for entry in current if entry.your_turn],
        waiting=[entry for entry in current if not entry.your_turn and not entry.invited],
        open=[entry for entry in _entries(open_tables, renderer) if entry.free],
        last=await _last_games(service, mine, renderer),
        thinking=thinking_times(renderer.translations),
        paces=paces(renderer.translations),
        aids=aids(renderer.translations),
        personal_link=personal_link,
        push_key=request.app.state.notifier.push_key,
        notifications=request.app.state.notifier.offers_anything,
        path="/",
    )


async def _last_games(
    service: TableService, mine: Sequence[Listing], renderer: Renderer
) -> list[Entry]:
    """Return the guest's last finished games, with their place and profit.

    Games that continue another game are listed only with that game.
    """
    finished = [each for each in mine if each.stage is Stage.FINISHED and each.origin is None]
    last = finished[:LAST_GAMES]
    return [_entry(each, renderer, await service.result(each.table)) for each in last]


def _entries(listings: Sequence[Listing], renderer: Renderer) -> list[Entry]:
    return [_entry(listing, renderer) for listing in listings[:SHOWN_TABLES]]


def _entry(listing: Listing, renderer: Renderer, result: Result | None = None) -> Entry:
    sitters, seat = listing.sitters, listing.seat
    names = seat_names(listing.table, sitters, renderer.translations)
    faces = seat_portraits(listing.table, sitters)
    scored = None if result is None or seat is None else (place(result, seat), result.profit[seat])
    return Entry(
        table=listing.table,
        others=tuple(
            Player(names[sitter.seat], faces[sitter.seat])
            for sitter in sitters
            if names[sitter.seat] and sitter.seat != seat
        ),
        host=next((names[sitter.seat] for sitter in sitters if sitter.host), ""),
        stage=listing.stage,
        free=sum(sitter.open for sitter in sitters),
        your_turn=seat in listing.waiting_for,
        invited=seat is not None and sitters[seat].invited,
        date=datetime.fromtimestamp(listing.active, UTC).date().isoformat(),
        players=len(sitters),
        place=scored and scored[0],
        profit=None if scored is None else scored[1],
        locked=listing.locked,
    )


routes: list[BaseRoute] = [Route("/", lobby)]
"""The route of the lobby."""
