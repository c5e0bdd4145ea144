"""The HTML pages: lobby, table, game log, rules and about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz import __version__
from byzanz.bots import LEVELS
from byzanz.locale import _
from byzanz.tables import Listing, Pace, Stage, TableService, TableView

from .board import seat_names
from .game_log import lines
from .rendering import Renderer, get_renderer
from .replay import steps_of

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

FIRST_OPPONENT = LEVELS[0]
"""The opponent that the lobby proposes to a newcomer."""

THINKING = (
    ("", _("no limit")),
    (str(2 * _MINUTE), _("2 minutes")),
    (str(10 * _MINUTE), _("10 minutes")),
    (str(_HOUR), _("1 hour")),
    (str(12 * _HOUR), _("12 hours")),
    (str(_DAY), _("1 day")),
    (str(3 * _DAY), _("3 days")),
)
"""The thinking times to choose from, in seconds, with their labels."""

_PACES = {
    Pace.SLOW: _("slow"),
    Pace.NORMAL: _("normal"),
    Pace.FAST: _("fast"),
    Pace.INSTANT: _("instant"),
}

_STAGES = {
    Stage.OPEN: _("open"),
    Stage.PLAYING: _("in progress"),
    Stage.FINISHED: _("finished"),
    Stage.EXPIRED: _("expired"),
}

SHOWN_TABLES = 30
"""The length of the lists of tables in the lobby."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry in one of the lobby's lists of tables."""

    table: str
    names: tuple[str, ...]
    stage: Stage
    free: int
    your_turn: bool


def renderer_for(request: Request) -> Renderer:
    """Return the renderer for the reader's language."""
    return get_renderer(request.state.language)


async def lobby(request: Request) -> Response:
    """Show the lobby."""
    return await show_lobby(request)


async def show_lobby(request: Request, personal_link: str = "") -> Response:
    """Show the lobby, with a personal link if the guest has just asked for one."""
    service, guest = request.app.state.service, request.state.guest
    renderer = renderer_for(request)
    mine = () if guest is None else await service.tables_of(guest.id)
    listed = await service.lobby()
    gettext = renderer.translations.gettext
    return page(
        request,
        "lobby.html",
        guest=guest,
        name=(guest and guest.name) or "",
        name_length=service.limits.max_name_length,
        bots=service.bots,
        default_bot=FIRST_OPPONENT if FIRST_OPPONENT in service.bots else service.bots[0],
        mine=_entries(mine, renderer),
        open=_entries([each for each in listed if each.stage is Stage.OPEN], renderer),
        stages={stage: gettext(text) for stage, text in _STAGES.items()},
        thinking=[(seconds, gettext(text)) for seconds, text in THINKING],
        paces=_paces(renderer),
        personal_link=personal_link,
        path="/",
    )


async def table(request: Request) -> Response:
    """Show a table as its viewer may see it; the page's socket keeps it up to date."""
    table_view = await look(request)
    renderer = renderer_for(request)
    length = request.app.state.service.limits.max_name_length
    shown = renderer.board(table_view, name_length=length)
    return page(request, "table.html", table_view=table_view, board=shown, paces=_paces(renderer))


async def game_log(request: Request) -> Response:
    """Show the full game log, as far as the viewer may see it."""
    table_view = await look(request)
    renderer = renderer_for(request)
    names = seat_names(table_view.table, table_view.sitters, renderer.translations)
    view = table_view.view
    shown = () if view is None else lines(view, names, renderer.translations, rounds=None)
    finished = view is not None and table_view.stage is Stage.FINISHED
    step_of = steps_of(view.course) if view is not None and finished else ()
    return page(request, "game_log.html", table_view=table_view, lines=shown, step_of=step_of)


async def record(request: Request) -> Response:
    """Return the record of a finished game as a download."""
    text = await request.app.state.service.record(request.path_params["table"])
    headers = {"Content-Disposition": 'attachment; filename="byzanz.jsonl"'}
    return PlainTextResponse(text, headers=headers, media_type="application/x-ndjson")


async def rules(request: Request) -> Response:
    """Show the rules, in our own words."""
    return page(request, "rules.html")


async def about(request: Request) -> Response:
    """Show the page about this edition."""
    return page(request, "about.html", version=__version__)


def page(request: Request, template: str, **values: object) -> Response:
    """Render a template as a page in the reader's language."""
    return HTMLResponse(
        renderer_for(request).page(template, **{"path": request.url.path, **values})
    )


def number(text: str | None, most: int) -> int | None:
    """Return the text as a number, at most ``most``; None if it is not a number."""
    if not text or not text.isascii() or not text.isdecimal() or len(text) > 6:
        return None
    return min(int(text), most)


async def look(request: Request) -> TableView:
    """Return the table of the request as its viewer may see it."""
    guest = request.state.guest
    service: TableService = request.app.state.service
    return await service.look(request.path_params["table"], None if guest is None else guest.id)


def _paces(renderer: Renderer) -> list[tuple[str, str]]:
    return [(pace.value, renderer.translations.gettext(text)) for pace, text in _PACES.items()]


def _entries(listings: Sequence[Listing], renderer: Renderer) -> list[Entry]:
    return [
        Entry(
            table=listing.table,
            names=tuple(
                filter(None, seat_names(listing.table, listing.sitters, renderer.translations))
            ),
            stage=listing.stage,
            free=sum(sitter.open for sitter in listing.sitters),
            your_turn=listing.seat in listing.waiting_for,
        )
        for listing in listings[:SHOWN_TABLES]
    ]


routes: list[BaseRoute] = [
    Route("/", lobby),
    Route("/table/{table}", table),
    Route("/table/{table}/story", game_log),
    Route("/table/{table}/record", record),
    Route("/rules", rules),
    Route("/about", about),
]
"""The routes of the pages."""
