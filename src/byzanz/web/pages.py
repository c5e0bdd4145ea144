"""The pages: lobby, table, story, replay, rules, about; each of what its viewer may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz import __version__
from byzanz.locale import _
from byzanz.tables import House, Listing, Pace, Sight, Stage

from .board import seat_names
from .game_log import lines
from .rendering import Rendering, rendering
from .replay import sight_at

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

THINKING = (
    ("", _("no limit")),
    (str(2 * _MINUTE), _("2 minutes")),
    (str(10 * _MINUTE), _("10 minutes")),
    (str(_HOUR), _("1 hour")),
    (str(12 * _HOUR), _("12 hours")),
    (str(_DAY), _("1 day")),
    (str(3 * _DAY), _("3 days")),
)
"""The thinking times that the page offers, in seconds."""

_PACES = {
    Pace.SLOW: _("slow"),
    Pace.NORMAL: _("normal"),
    Pace.FAST: _("fast"),
    Pace.INSTANT: _("at once"),
}

_STAGES = {
    Stage.OPEN: _("open"),
    Stage.PLAYING: _("being played"),
    Stage.FINISHED: _("finished"),
    Stage.EXPIRED: _("expired"),
}

SHOWN_TABLES = 30
"""How many tables a list of the lobby shows."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A table in a list of the lobby."""

    table: str
    names: tuple[str, ...]
    stage: Stage
    free: int
    your_turn: bool


def words_of(request: Request) -> Rendering:
    """The rendering in the reader's language."""
    return rendering(request.state.language)


async def lobby(request: Request) -> Response:
    """The lobby, where a game is two clicks away."""
    return await show_lobby(request)


async def show_lobby(request: Request, personal_link: str = "") -> Response:
    """The lobby; a personal link is shown once, to who asked for it."""
    house, guest = request.app.state.house, request.state.guest
    speaking = words_of(request)
    mine = () if guest is None else await house.tables_of(guest.id)
    listed = await house.lobby()
    gettext = speaking.words.gettext
    return page(
        request,
        "lobby.html",
        guest=guest,
        name=(guest and guest.name) or "",
        bots=house.bots,
        default_bot=house.bots[min(1, len(house.bots) - 1)],
        mine=_entries(mine, speaking),
        open=_entries([each for each in listed if each.stage is Stage.OPEN], speaking),
        stages={stage: gettext(text) for stage, text in _STAGES.items()},
        thinking=[(seconds, gettext(text)) for seconds, text in THINKING],
        paces=_paces(speaking),
        personal_link=personal_link,
        path="/",
    )


async def table(request: Request) -> Response:
    """A table as its viewer may see it; the socket keeps it up to date."""
    sight = await _look(request)
    speaking = words_of(request)
    shown = speaking.board(sight)
    return page(request, "table.html", sight=sight, board=shown, paces=_paces(speaking))


async def story(request: Request) -> Response:
    """The whole course of play, as far as the viewer may know it."""
    sight = await _look(request)
    speaking = words_of(request)
    names = seat_names(sight.table, sight.sitters, speaking.words)
    told = () if sight.view is None else lines(sight.view, names, speaking.words, rounds=None)
    return page(request, "story.html", sight=sight, lines=told)


async def replay(request: Request) -> Response:
    """A finished game at any step, from any seat's eyes."""
    house, speaking = request.app.state.house, words_of(request)
    sight, game = await _look(request), await house.replay(request.path_params["table"])
    steps, seats = len(game.plays), len(game.state.players)
    step = number(request.query_params.get("step"), steps)
    seat = number(request.query_params.get("seat"), seats - 1)
    step = 0 if step is None else step
    then = sight_at(sight, game, step, seat)

    def address(step: int, seat: int | None) -> str:
        query = {"step": step} | ({} if seat is None else {"seat": seat})
        return f"{request.url.path}?{urlencode(query)}"

    return page(
        request,
        "replay.html",
        sight=then,
        step=step,
        steps=steps,
        seat=seat,
        names=seat_names(sight.table, sight.sitters, speaking.words),
        board=speaking.board(then, live=False),
        address=address,
        path=address(step, seat),
    )


async def record(request: Request) -> Response:
    """The record of a finished game, to download."""
    text = await request.app.state.house.record(request.path_params["table"])
    headers = {"Content-Disposition": 'attachment; filename="byzanz.jsonl"'}
    return PlainTextResponse(text, headers=headers, media_type="application/x-ndjson")


async def rules(request: Request) -> Response:
    """The rules, told in our own words."""
    return page(request, "rules.html")


async def about(request: Request) -> Response:
    """What this is."""
    return page(request, "about.html", version=__version__)


def page(request: Request, template: str, **values: object) -> Response:
    """A page in the reader's language."""
    return HTMLResponse(words_of(request).page(template, **{"path": request.url.path, **values}))


def number(text: str | None, most: int) -> int | None:
    """The number that the text says, at most so much; None for anything else."""
    if not text or not text.isascii() or not text.isdecimal() or len(text) > 6:
        return None
    return min(int(text), most)


async def _look(request: Request) -> Sight:
    guest = request.state.guest
    house: House = request.app.state.house
    return await house.look(request.path_params["table"], None if guest is None else guest.id)


def _paces(speaking: Rendering) -> list[tuple[str, str]]:
    return [(pace.value, speaking.words.gettext(text)) for pace, text in _PACES.items()]


def _entries(listings: Sequence[Listing], speaking: Rendering) -> list[Entry]:
    return [
        Entry(
            table=listing.table,
            names=tuple(filter(None, seat_names(listing.table, listing.sitters, speaking.words))),
            stage=listing.stage,
            free=sum(sitter.open for sitter in listing.sitters),
            your_turn=listing.seat in listing.waiting_for,
        )
        for listing in listings[:SHOWN_TABLES]
    ]


routes: list[BaseRoute] = [
    Route("/", lobby),
    Route("/table/{table}", table),
    Route("/table/{table}/story", story),
    Route("/table/{table}/replay", replay),
    Route("/table/{table}/record", record),
    Route("/rules", rules),
    Route("/about", about),
]
"""The pages of the server."""
