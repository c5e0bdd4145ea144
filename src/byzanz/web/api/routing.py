"""The routes of the API: its operations, its OpenAPI document and the page that shows it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute, Route

from byzanz.web.rendering import get_renderer

from . import (
    acting,
    coaching,
    deals,
    history,
    me,
    moderation,
    notifications,
    puzzles,
    ratings,
    reviews,
    sessions,
    tables,
)
from .openapi import document
from .operation import make_routes
from .responses import Json

if TYPE_CHECKING:
    from starlette.requests import Request

OPERATIONS = (
    *me.OPERATIONS,
    *sessions.OPERATIONS,
    *history.OPERATIONS,
    *notifications.OPERATIONS,
    *deals.OPERATIONS,
    *tables.OPERATIONS,
    *moderation.OPERATIONS,
    *acting.OPERATIONS,
    *coaching.OPERATIONS,
    *reviews.OPERATIONS,
    *puzzles.OPERATIONS,
    *ratings.OPERATIONS,
)
"""All operations, in the order of the OpenAPI document."""


@cache
def _document() -> dict[str, Any]:
    return document(OPERATIONS)


async def openapi(_: Request) -> Response:
    """Return the OpenAPI document."""
    return Json(_document())


async def page(request: Request) -> Response:
    """Return the OpenAPI document as a page."""
    html = get_renderer(request.state.language).page("api.html", path="/api", api=_document())
    return HTMLResponse(html)


routes: list[BaseRoute] = [
    Route("/api", page),
    Route("/api/openapi.json", openapi),
    *make_routes(OPERATIONS),
]
"""The routes of the API, except its WebSocket."""
