"""The page for sharing a finished game, and the picture that link previews show.

Anyone who has the link may see them. The same is true of the replay and the record. A game that is
not finished has neither page nor picture.
"""

from __future__ import annotations

from datetime import UTC, datetime
from hashlib import blake2s

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from byzanz.rules import Game
from byzanz.tables import Declined, TableReason, TableView

from .board import board
from .dearest import dearest_mistake
from .ending import Ending
from .limits import client_address
from .pages import look, page, renderer_for, viewer
from .public_address import public_url
from .rasterise import Rasteriser
from .refusals import WebReason, WebRefusal
from .replay import Eyes, table_view_at
from .result_picture import HEIGHT, WIDTH, Entrant, result_svg

_CACHE_FOREVER = "public, max-age=31536000, immutable"
_CACHE_AN_HOUR = "public, max-age=3600"


async def result(request: Request) -> Response:
    """Show the end of a finished game to anyone who has the link."""
    table_view = await _finished(request)
    end, date = _ending(table_view, request), _date(table_view)
    mark = _mark(_svg(end, date))
    return page(
        request,
        "result.html",
        table_view=table_view,
        ending_shown=end,
        date=date,
        dearest=await dearest_mistake(request, table_view),
        address=public_url(request, f"/table/{table_view.table}/result"),
        picture=public_url(request, f"/table/{table_view.table}/result.png?v={mark}"),
        size=(WIDTH, HEIGHT),
    )


async def result_png(request: Request) -> Response:
    """Return the picture of a finished game as PNG; other games have no picture."""
    try:
        table_view = await _finished(request)
    except Declined:
        raise WebRefusal(WebReason.NOT_FOUND) from None
    svg = _svg(_ending(table_view, request), _date(table_view))
    mark = _mark(svg)
    named = request.query_params.get("v") == mark
    headers = {
        "etag": f'"{mark}"',
        "cache-control": _CACHE_FOREVER if named else _CACHE_AN_HOUR,
        "cross-origin-resource-policy": "cross-origin",  # other sites show it beside the link
    }
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    rasteriser: Rasteriser = request.app.state.rasteriser
    drawn = rasteriser.cached(svg)
    if drawn is None:
        wait = request.app.state.picture_buckets.take(client_address(request))
        if wait:
            raise WebRefusal(WebReason.TOO_MANY_REQUESTS, {"retry-after": str(wait)})
        drawn = await rasteriser.png(svg)
    return Response(drawn, media_type="image/png", headers=headers)


async def _finished(request: Request) -> TableView:
    """Return a finished table as a spectator sees it; raises Declined if it is not finished."""
    table, guest = request.path_params["table"], viewer(request)
    game: Game = await request.app.state.service.replay(table, guest)
    if not game.over:
        raise Declined(TableReason.NOT_FINISHED)
    table_view = await look(request)
    then = table_view_at(table_view, game, len(game.plays), Eyes(None))
    return structs.replace(then, followed_by=None)


def _ending(table_view: TableView, request: Request) -> Ending:
    end = board(table_view, renderer_for(request).translations).ending
    if end is None:
        raise Declined(TableReason.NOT_FINISHED)
    return end


def _svg(end: Ending, date: str) -> str:
    entrants = [
        Entrant(
            each.place,
            each.panel.name,
            each.panel.avatar,
            each.panel.profit or 0,
            each.panel.winner,
        )
        for each in end.standings
    ]
    return result_svg(entrants, date)


def _date(table_view: TableView) -> str:
    return datetime.fromtimestamp(table_view.created, UTC).date().isoformat()


def _mark(svg: str) -> str:
    return blake2s(svg.encode(), digest_size=8).hexdigest()


routes: list[BaseRoute] = [
    Route("/table/{table}/result", result),
    Route("/table/{table}/result.png", result_png),
]
"""The routes of the page and the picture."""
