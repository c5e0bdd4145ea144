"""The HTML pages: table, game log, rules and about. The lobby has its own module."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz import __version__
from byzanz.tables import Stage, TableService, TableView

from .board import seat_names
from .game_log import lines
from .option_labels import paces
from .people import ended_by
from .rendering import Renderer, get_renderer
from .replay import steps_of


def renderer_for(request: Request) -> Renderer:
    """Return the renderer for the reader's language."""
    return get_renderer(request.state.language)


async def table(request: Request) -> Response:
    """Show a table as its viewer may see it; the page's socket keeps it up to date."""
    table_view = await look(request)
    renderer = renderer_for(request)
    length = request.app.state.service.limits.max_name_length
    shown = renderer.board(table_view, name_length=length)
    return page(
        request,
        "table.html",
        table_view=table_view,
        board=shown,
        paces=paces(renderer.translations),
        push_key=request.app.state.notifier.push_key_for(table_view),
    )


async def game_log(request: Request) -> Response:
    """Show the full game log, as far as the viewer may see it."""
    table_view = await look(request)
    renderer = renderer_for(request)
    names = seat_names(table_view.table, table_view.sitters, renderer.translations)
    view = table_view.view
    shown = () if view is None else lines(view, names, renderer.translations, rounds=None)
    finished = view is not None and table_view.stage is Stage.FINISHED
    step_of = steps_of(view.course) if view is not None and finished else ()
    ended = table_view.stage is Stage.ENDED
    end = ended_by(table_view, names, renderer.translations) if ended else ""
    return page(
        request, "game_log.html", table_view=table_view, lines=shown, step_of=step_of, end=end
    )


async def record(request: Request) -> Response:
    """Return the record of a finished game as a download."""
    service: TableService = request.app.state.service
    text = await service.record(request.path_params["table"], viewer(request))
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
    """Return the text as a number, at most ``most``; None if it is not one of up to six digits."""
    if not text or not text.isascii() or not text.isdecimal() or len(text) > 6:
        return None
    return min(int(text), most)


async def look(request: Request) -> TableView:
    """Return the table of the request as its viewer may see it."""
    service: TableService = request.app.state.service
    return await service.look(request.path_params["table"], viewer(request))


def viewer(request: Request) -> str | None:
    """Return the id of the guest who sent the request; None if no guest is signed in."""
    guest = request.state.guest
    return None if guest is None else guest.id


routes: list[BaseRoute] = [
    Route("/table/{table}", table),
    Route("/table/{table}/story", game_log),
    Route("/table/{table}/record", record),
    Route("/rules", rules),
    Route("/about", about),
]
"""The routes of the pages."""
