"""What whoever runs the server sees: structured logs and metrics, and no secret in either.

A table's address lets one sit down at it, so paths are never told: the pattern of the route is.
Neither are names, cookies, tokens, nor the texts of exceptions, which may quote any of them.
"""

from __future__ import annotations

import json
import logging
import secrets
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.websockets import WebSocketDisconnect

from .errors import WebReason, error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("byzanz.web")

_METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
_STARTS = ("http.response.start", "websocket.http.response.start")
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

_FIGURES = {"tables": "Tables held in memory.", "watches": "Open subscriptions to tables."}


class Metrics:
    """Counts of one server, in a registry of its own."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self, figures: Callable[[], Mapping[str, int]]) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "byzanz_http_requests",
            "Requests answered, and sockets that ended.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "byzanz_http_seconds",
            "Time until a request was answered.",
            ("method", "route"),
            registry=self.registry,
            buckets=_SECONDS,
        )
        self.errors = Counter(
            "byzanz_errors", "Requests that failed for a fault of ours.", registry=self.registry
        )
        self.sockets = Gauge(
            "byzanz_sockets",
            "Open sockets by what they carry.",
            ("carries",),
            registry=self.registry,
        )
        self.frames = Counter(
            "byzanz_frames", "Frames sent to sockets.", ("carries",), registry=self.registry
        )
        self.slow = Counter(
            "byzanz_slow_readers",
            "Sockets closed because their reader took too long.",
            registry=self.registry,
        )
        for name, about in _FIGURES.items():
            gauge = Gauge(f"byzanz_{name}", about, registry=self.registry)
            gauge.set_function(lambda name=name: figures()[name])  # type: ignore[misc]

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self.registry)


class Observed:
    """Every request is counted and logged; one that fails is answered without a word of why."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})
        started, status = time.perf_counter(), 0

        async def send_observed(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            try:
                await send(message)
            except OSError as error:
                raise ClientDisconnect from error

        try:
            await self.app(scope, receive, send_observed)
        except (ClientDisconnect, WebSocketDisconnect):
            pass  # nobody is left to answer
        except Exception:
            incident = secrets.token_hex(4)
            self.metrics.errors.inc()
            log.exception("failed", extra={"fields": {"incident": incident, **_where(scope)}})
            if not status:
                reason = WebReason.SERVER_ERROR
                response = error_response(HTTPConnection(scope), reason, incident=incident)
                await response(scope, receive, send_observed)
            elif scope["type"] == "websocket" and status == 101:
                await send({"type": "websocket.close", "code": 1011})
        finally:
            self._note(scope, status, time.perf_counter() - started)

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        where = _where(scope)
        self.metrics.requests.labels(where["method"], where["route"], status).inc()
        if scope["type"] == "http":
            self.metrics.seconds.labels(where["method"], where["route"]).observe(seconds)
        told = {**where, "status": status, "ms": round(1000 * seconds, 1)}
        log.info("answered", extra={"fields": told})


def _where(scope: Scope) -> dict[str, str]:
    method = scope.get("method", "GET") if scope["type"] == "http" else "WEBSOCKET"
    return {
        "method": method if method in _METHODS or method == "WEBSOCKET" else "other",
        "route": getattr(scope.get("route"), "path", "none"),
    }


class JsonLines(logging.Formatter):
    """A log record as one line of JSON; of an exception its type and where it was raised."""

    def format(self, record: logging.LogRecord) -> str:
        """The line that tells the record."""
        told: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            told["error"] = _raised(record.exc_info[1])
        return json.dumps(told, ensure_ascii=False)


def _raised(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    told: dict[str, Any] = {
        "type": f"{type(error).__module__}.{type(error).__qualname__}",
        "raised": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    if error.__cause__ is not None:
        told["cause"] = _raised(error.__cause__)
    return told


def configure_logging(level: str) -> None:
    """Everything that is logged goes to standard error, a line of JSON each."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("alembic").setLevel(logging.WARNING)
