"""The server's application: a house, the routes to it, and what stands before them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from byzanz.locale import translations
from byzanz.notation import Malformed
from byzanz.tables import Declined, StoreFailed
from byzanz.web.api.answers import Json, refusal_answer, refusal_told

from . import api, forms, pages, push
from .art import picture
from .errors import WebReason, WebRefusal, error_response, is_api, is_plain, shown_again
from .identity import Identity, Seals
from .limits import BoundedBody, Buckets, Doors, Throttle
from .monitoring import Metrics, Observed
from .rendering import error_page, faces_css
from .security import SameOrigin, StrictHeaders
from .settings import Settings

if TYPE_CHECKING:
    from starlette.types import Scope

    from byzanz.tables import House

_HEALTHY_SECONDS = 2
_FOR_EVER = "public, max-age=31536000, immutable"


def create_app(
    house: House, settings: Settings | None = None, *, clock: Callable[[], float] = time.time
) -> Starlette:
    """The application that serves this house; it opens and closes the house with itself."""
    settings = settings or Settings()
    metrics = Metrics(lambda: house.figures)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with house:
            app.state.seals = Seals(await house.secret("guests"), clock)
            await asyncio.to_thread(faces_css)  # drawn now, so that the first visitor need not wait
            yield

    app = Starlette(
        routes=_routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(StrictHeaders, secure=settings.secure),
            Middleware(Observed, metrics=metrics),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
            Middleware(Identity, house=house, secure=settings.secure),
            Middleware(
                Throttle,
                guests=Buckets(settings.guest_rate),
                addresses=Buckets(settings.address_rate),
            ),
            Middleware(SameOrigin),
            Middleware(BoundedBody, most=settings.body_bytes),
        ],
        exception_handlers=dict.fromkeys(
            (WebRefusal, HTTPException, Declined, Malformed), _refused
        ),
    )
    app.router.redirect_slashes = False
    app.state.house = house
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.newcomers = Buckets(settings.newcomer_rate)
    app.state.doors = Doors(settings)
    app.state.frames = push.Frames()
    return app


def _routes() -> list[BaseRoute]:
    return [
        *pages.routes,
        *forms.routes,
        *push.routes,
        *api.routes,
        Mount("/static", Static(packages=[("byzanz.web", "static")])),
        Route("/art/faces.css", _faces),
        Route("/art/{name}.svg", _art),
        Route("/health", _health),
        Route("/metrics", _metrics),
    ]


class Static(StaticFiles):
    """Files as they are; one asked for by the mark of its content is kept for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file, or 404."""
        response = await super().get_response(path, scope)
        if scope["query_string"] and response.status_code < HTTPStatus.BAD_REQUEST:
            response.headers["cache-control"] = _FOR_EVER
        return response


async def _art(request: Request) -> Response:
    try:
        drawn = picture(request.path_params["name"])
    except KeyError:
        raise WebRefusal(WebReason.NOT_FOUND) from None
    return Response(drawn, media_type="image/svg+xml", headers={"cache-control": _FOR_EVER})


async def _faces(_: Request) -> Response:
    return Response(faces_css(), media_type="text/css", headers={"cache-control": _FOR_EVER})


async def _health(request: Request) -> Response:
    """Whether the database answers: 200, or 503."""
    try:
        async with asyncio.timeout(_HEALTHY_SECONDS):
            await request.app.state.house.guest("")  # nobody, but the database is asked
    except (StoreFailed, TimeoutError):
        return Json({"status": "failing"}, HTTPStatus.SERVICE_UNAVAILABLE)
    return Json({"status": "ok"})


async def _metrics(request: Request) -> Response:
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.text(), media_type=metrics.content_type)


async def _refused(connection: HTTPConnection, error: Exception) -> Response:
    """The answer to a request that something on its way refused."""
    match error:
        case WebRefusal():
            return error_response(connection, error.reason, error.headers, **error.parameters)
        case HTTPException():
            reasons = {404: WebReason.NOT_FOUND, 405: WebReason.METHOD_NOT_ALLOWED}
            reason = reasons.get(error.status_code, WebReason.BAD_REQUEST)
            return error_response(connection, reason, error.headers)
        case Declined() | Malformed() if is_api(connection):
            return refusal_answer(connection, error)
        case Declined() | Malformed():
            language: str = connection.state.language
            status, told = refusal_told(error, translations(language))
            if is_plain(connection):
                return PlainTextResponse(told["message"], status)
            page = error_page(language, status, told["message"], shown_again(connection))
            return HTMLResponse(page, status)
    raise error
