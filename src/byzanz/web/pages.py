"""The HTML pages: table, game log, replay, rules and about. The lobby has its own module."""

from __future__ import annotations

from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz import __version__
from byzanz.tables import TableService, TableView

from .board import seat_names
from .game_log import lines
from .option_labels import paces
from .rendering import Renderer, get_renderer
from .replay import table_view_at


def renderer_for(request: Request) -> Renderer:
    """Return the renderer for the reader's language."""
    return get_renderer(request.state.language)


async def table(request: Request) -> Response:
    """Show a table as its viewer may see it; the page's socket keeps it up to date."""
    table_view = await _look(request)
    renderer = renderer_for(request)
    length = request.app.state.service.limits.max_name_length
    shown = renderer.board(table_view, name_length=length)
    return page(
        request,
        "table.html",
        table_view=table_view,
        board=shown,
        paces=paces(renderer.translations),
    )


async def game_log(request: Request) -> Response:
    """Show the full game log, as far as the viewer may see it."""
    table_view = await _look(request)
    renderer = renderer_for(request)
    names = seat_names(table_view.table, table_view.sitters, renderer.translations)
    view = table_view.view
    shown = () if view is None else lines(view, names, renderer.translations, rounds=None)
    return page(request, "game_log.html", table_view=table_view, lines=shown)


async def replay(request: Request) -> Response:
    """Show a finished game after any number of actions, as any seat saw it."""
    service, renderer = request.app.state.service, renderer_for(request)
    table_view, game = await _look(request), await service.replay(request.path_params["table"])
    steps, seats = len(game.plays), len(game.state.players)
    step = number(request.query_params.get("step"), steps)
    seat = number(request.query_params.get("seat"), seats - 1)
    step = 0 if step is None else step
    then = table_view_at(table_view, game, step, seat)

    def address(step: int, seat: int | None) -> str:
        query = {"step": step} | ({} if seat is None else {"seat": seat})
        return f"{request.url.path}?{urlencode(query)}"

    return page(
        request,
        "replay.html",
        table_view=then,
        step=step,
        steps=steps,
        seat=seat,
        names=seat_names(table_view.table, table_view.sitters, renderer.translations),
        board=renderer.board(then, live=False),
        address=address,
        path=address(step, seat),
    )


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


async def _look(request: Request) -> TableView:
    guest = request.state.guest
    service: TableService = request.app.state.service
    return await service.look(request.path_params["table"], None if guest is None else guest.id)


routes: list[BaseRoute] = [
    Route("/table/{table}", table),
    Route("/table/{table}/story", game_log),
    Route("/table/{table}/replay", replay),
    Route("/table/{table}/record", record),
    Route("/rules", rules),
    Route("/about", about),
]
"""The routes of the pages."""
