"""What the end of a game shows after a while: new ratings, and the costliest mistake."""

from __future__ import annotations

from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.coach.explanation import played_move
from byzanz.messages import decimal
from byzanz.tables import Declined, Stage, TableService, TableView

from .board import seat_names
from .pages import look, renderer_for, viewer
from .ratings import changes
from .review import dearest_of


class Dearest(NamedTuple):
    """The marked action that lost the most."""

    name: str
    round: int
    move: str
    points: str
    address: str


async def dearest(request: Request) -> Response:
    """Return new ratings and the costliest mistake, if there are any, as a part of a page."""
    table_view = await look(request)
    renderer = renderer_for(request)
    rated = table_view.options.rated and table_view.stage is Stage.FINISHED
    service: TableService = request.app.state.service
    changed = await service.ratings.changes(table_view.table) if rated else ()
    try:
        found = await dearest_mistake(request, table_view)
    except Declined:
        found = None
    return HTMLResponse(
        renderer.page(
            "dearest.html",
            dearest=found,
            rated=rated,
            changes=changes(table_view, changed, renderer.translations),
        )
    )


async def dearest_mistake(request: Request, table_view: TableView) -> Dearest | None:
    """Return the costliest mistake of a finished game; None if there is no review or no mistake."""
    service: TableService = request.app.state.service
    review = (await service.reviews.status(table_view.table, viewer(request))).review
    found = None if review is None else dearest_of(review)
    if found is None:
        return None
    renderer = renderer_for(request)
    seat, decision = found
    names = seat_names(table_view.table, table_view.sitters, renderer.translations)
    return Dearest(
        names[seat],
        decision.round,
        played_move(decision, renderer.translations).text,
        decimal(decision.loss, renderer.language),
        f"/table/{table_view.table}/review?seat={seat}&step={decision.number}",
    )


routes: list[BaseRoute] = [Route("/table/{table}/dearest", dearest)]
"""The route of the part of a page."""
