"""The ASGI application: routes, middleware and error handlers."""

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

from byzanz.locale import load_translations
from byzanz.notation import Malformed
from byzanz.tables import Declined
from byzanz.web.api.responses import Json, refusal_answer, refusal_data

from . import (
    acting,
    api,
    coaching,
    daily,
    dearest,
    devices,
    duplicate,
    forms,
    installing,
    invitation,
    lessons,
    lobby,
    moderation,
    my_games,
    pages,
    proofs,
    push,
    puzzles,
    ratings,
    replay_pages,
    review_pages,
    sharing,
    talk,
)
from .art import picture
from .bans import BanCheck
from .frames import Frame, ViewCache
from .identity import Identity
from .limit_settings import Settings
from .limits import BodyLimit, FormCharset, RateLimit, SocketCounter
from .monitoring import HealthCheck, Metrics, Monitoring
from .notify import Notifier
from .notify import pages as notification_pages
from .rasterise import Rasteriser
from .refusals import WebReason, WebRefusal, error_response, is_api, is_plain, page_path
from .rendering import error_page, faces_css
from .security import SameOrigin, SecurityHeaders
from .signatures import SessionSigner
from .static_files import Static, asset

if TYPE_CHECKING:
    from byzanz.tables import TableService


def create_app(
    service: TableService,
    settings: Settings | None = None,
    *,
    clock: Callable[[], float] = time.time,
    smtp_password: str = "",
) -> Starlette:
    """Create the application for a table service, which it opens at startup and closes at shutdown.

    ``clock`` returns the current time, from which the age of cookies and tokens is computed.
    ``smtp_password`` is the password for the mail server.
    """
    settings = settings or Settings()
    metrics = Metrics(
        lambda: service.figures, lambda: service.jobs.figures, service.notifications.counts
    )
    shared = service.budgets.made
    notifier = Notifier(service, settings, smtp_password=smtp_password, clock=clock)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with service, notifier.running():
            app.state.signer = SessionSigner(await service.secret("guests"), clock)
            await asyncio.to_thread(faces_css)  # so that the first visitor does not wait
            yield

    app = Starlette(
        routes=_routes(),
        lifespan=lifespan,
        middleware=[
            Middleware(SecurityHeaders, secure=settings.secure),
            Middleware(Monitoring, metrics=metrics, pseudonym=service.pseudonyms.of),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
            Middleware(Identity, service=service),
            Middleware(
                RateLimit,
                guests=shared("guests", settings.guest_rate),
                addresses=shared("addresses", settings.address_rate),
                files=shared("files", settings.file_rate),
            ),
            Middleware(BanCheck),
            Middleware(SameOrigin),
            Middleware(FormCharset),
            Middleware(BodyLimit, max_bytes=settings.max_body_bytes),
        ],
        exception_handlers=dict.fromkeys(
            (WebRefusal, HTTPException, Declined, Malformed), _refused
        ),
    )
    app.router.redirect_slashes = False
    app.state.service = service
    app.state.settings = settings
    app.state.metrics = metrics
    app.state.health = HealthCheck(service.store.check_writable)
    app.state.new_guest_buckets = shared("new_guest", settings.new_guest_rate)
    app.state.rasteriser = Rasteriser()
    app.state.picture_buckets = shared("picture", settings.picture_rate)
    app.state.review_buckets = shared("review", settings.review_rate)
    app.state.socket_counter = SocketCounter(settings)
    service.budgets.add_sockets(app.state.socket_counter)
    app.state.frames = ViewCache[Frame]()
    app.state.streams = ViewCache[str]()
    app.state.notifier = notifier
    return app


def _routes() -> list[BaseRoute]:
    return [
        *lobby.routes,
        *my_games.routes,
        *daily.routes,
        *duplicate.routes,
        *pages.routes,
        *replay_pages.routes,
        *review_pages.routes,
        *dearest.routes,
        *proofs.routes,
        *sharing.routes,
        *forms.routes,
        *devices.routes,
        *invitation.routes,
        *moderation.routes,
        *notification_pages.routes,
        *installing.routes,
        *acting.routes,
        *talk.routes,
        *ratings.routes,
        *coaching.routes,
        *lessons.routes,
        *puzzles.routes,
        *push.routes,
        *api.routes,
        Mount("/static", Static(packages=[("byzanz.web", "static")])),
        Route("/art/faces.css", _faces),
        Route("/art/{name}.svg", _art),
        Route("/health", _health),
        Route("/metrics", _metrics),
    ]


async def _art(request: Request) -> Response:
    try:
        drawn = picture(request.path_params["name"]).encode()
    except KeyError:
        raise WebRefusal(WebReason.NOT_FOUND) from None
    return asset(drawn, "image/svg+xml", request.headers)


async def _faces(request: Request) -> Response:
    return asset(faces_css().encode(), "text/css", request.headers)


async def _health(request: Request) -> Response:
    """Return status 200 if the database can be written to, otherwise 503."""
    health: HealthCheck = request.app.state.health
    if await health.passes():
        return Json({"status": "ok"})
    return Json({"status": "failing"}, HTTPStatus.SERVICE_UNAVAILABLE)


async def _metrics(request: Request) -> Response:
    metrics: Metrics = request.app.state.metrics
    return Response(metrics.text(), media_type=metrics.content_type)


async def _refused(connection: HTTPConnection, error: Exception) -> Response:
    """Return the response to a request that raised an error."""
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
            status, told = refusal_data(error, load_translations(language))
            if is_plain(connection):
                return PlainTextResponse(told["message"], status)
            if isinstance(error, Declined) and error.reason in moderation.PASSWORD_REASONS:
                return moderation.password_page(connection, error, status)
            page = error_page(language, status, told["message"], page_path(connection))
            return HTMLResponse(page, status)
    raise error
