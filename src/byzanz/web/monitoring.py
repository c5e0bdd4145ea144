"""Structured logs and metrics for the operator, without secrets.

Anyone who knows the link to a table can join it, so logs and metrics contain the pattern of a route
instead of the path. They contain no names, addresses, cookies or tokens, and no messages of
exceptions, which could quote them. Requests of one network address share a pseudonym.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import sys
import time
import traceback
from collections.abc import Awaitable, Callable, Iterator, Mapping
from datetime import UTC, datetime
from math import inf
from typing import TYPE_CHECKING, Any

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    generate_latest,
    start_http_server,
)
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    Metric,
    SummaryMetricFamily,
)
from prometheus_client.registry import Collector
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.websockets import WebSocketDisconnect

from byzanz.tables import JobKind, StoreFailed
from byzanz.tables.service.jobs import Figures as JobFigures

from .limits import client_address
from .refusals import WebReason, error_response

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("byzanz.web")

_METHODS = frozenset({"GET", "HEAD", "POST", "PATCH", "DELETE", "OPTIONS"})
_START_MESSAGES = ("http.response.start", "websocket.http.response.start")
_BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)

_GAUGES = {
    "tables": "Tables held in memory.",
    "watches": "Open subscriptions to tables.",
    "bot_queue": "Decisions of bots that wait, at tables where somebody is present.",
    "bot_queue_last": "Decisions of bots that are served only after all others.",
    "bot_wait_seconds": "Average wait of the last decisions at tables where somebody is present.",
    "processes": "Processes that use the same database, with workers.",
    "leases": "Tables in play whose bots and clocks belong to this process.",
    "review_queue": "Reviews that wait, as this process last saw it.",
}
_COUNTERS = {
    "lease_changes": "Leases of tables that this process has got or lost.",
    "database_failures": "Jobs that failed because of the database.",
}
_SUMMARIES = {
    "commit_seconds": (
        "commits",
        "Seconds that transactions took, up to and including the commit.",
    ),
    "notice_seconds": ("notices", "Seconds until a notice to all processes came back."),
}
"""The name of each sum with that of its count, and the description."""

NotificationCounts = Mapping[tuple[str, str, str], int]
"""The number of attempts to send a notification, by kind, channel and result."""


Jobs = Callable[[], Mapping[JobKind, JobFigures]]
"""A function that returns the figures of each kind of background job."""


class _Figures(Collector):
    """Collects the figures of background jobs, and those of the service that only grow."""

    def __init__(
        self,
        figures: Callable[[], Mapping[str, float]],
        jobs: Jobs,
        notifications: NotificationCounts,
    ) -> None:
        self._figures = figures
        self._jobs = jobs
        self._notifications = notifications

    def collect(self) -> Iterator[Metric]:
        """Yield the metrics of the service, of background jobs and of notifications."""
        figures = self._figures()
        for name, description in _COUNTERS.items():
            yield CounterMetricFamily(f"byzanz_{name}", description, figures[name])
        for name, (count, description) in _SUMMARIES.items():
            yield SummaryMetricFamily(
                f"byzanz_{name}", description, int(figures[count]), figures[name]
            )
        yield from self._collect_jobs()
        sent = CounterMetricFamily(
            "byzanz_notifications",
            "Attempts to send a notification.",
            labels=("kind", "channel", "result"),
        )
        for labels, number in self._notifications.items():
            sent.add_metric(labels, number)
        yield sent

    def _collect_jobs(self) -> Iterator[Metric]:
        """Return the metrics of background jobs, by kind."""
        kind = ["kind"]
        waiting = GaugeMetricFamily(
            "byzanz_jobs_waiting", "Background jobs that wait, for any process.", labels=kind
        )
        longest = GaugeMetricFamily(
            "byzanz_jobs_longest_wait_seconds", "Seconds that the first one waits.", labels=kind
        )
        waited = SummaryMetricFamily(
            "byzanz_job_wait_seconds", "Seconds that jobs of this process waited.", labels=kind
        )
        failures = CounterMetricFamily(
            "byzanz_job_failures", "Jobs that failed in this process.", labels=kind
        )
        for name, each in self._jobs().items():
            waiting.add_metric([name], each.waiting)
            longest.add_metric([name], each.longest)
            waited.add_metric([name], each.started, each.waited)
            failures.add_metric([name], each.failures)
        yield from (waiting, longest, waited, failures)


class Metrics:
    """The metrics of one server, in their own registry."""

    content_type = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(
        self,
        figures: Callable[[], Mapping[str, float]],
        jobs: Jobs,
        notifications: NotificationCounts,
    ) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self.requests = Counter(
            "byzanz_http_requests",
            "Requests answered and sockets closed.",
            ("method", "route", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "byzanz_http_seconds",
            "Seconds until a request was answered.",
            ("method", "route"),
            registry=self.registry,
            buckets=_BUCKETS,
        )
        self.errors = Counter(
            "byzanz_errors",
            "Requests that failed because of a server error.",
            registry=self.registry,
        )
        self.sockets = Gauge(
            "byzanz_sockets",
            "Open sockets by the format of their frames.",
            ("carries",),
            registry=self.registry,
        )
        self.frames = Counter(
            "byzanz_frames", "Frames sent to sockets.", ("carries",), registry=self.registry
        )
        self.slow = Counter(
            "byzanz_slow_readers",
            "Sockets closed because their client read too slowly.",
            registry=self.registry,
        )
        for name, description in _GAUGES.items():
            gauge = Gauge(f"byzanz_{name}", description, registry=self.registry)
            gauge.set_function(lambda name=name: figures()[name])  # type: ignore[misc]
        self.registry.register(_Figures(figures, jobs, notifications))

    def serve(self, host: str, port: int) -> str:
        """Serve the metrics, and nothing else, in a thread; return the URL. Raises OSError."""
        server, _ = start_http_server(port, host, self.registry)
        return f"http://{host}:{server.server_port}/metrics"

    def text(self) -> bytes:
        """Return all metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


_HEALTH_CHECK_SECONDS = 2.0


class HealthCheck:
    """Checks that the database can be written to; for ``seconds``, all requests share one check."""

    def __init__(self, check: Callable[[], Awaitable[None]], seconds: float = 2) -> None:
        self._check = check
        self._seconds = seconds
        self._lock = asyncio.Lock()
        self._at = -inf
        self._passed = False

    async def passes(self) -> bool:
        """Return whether the last check passed; check again if it is too old."""
        async with self._lock:
            if time.monotonic() - self._at >= self._seconds:
                self._passed = await self._passes()
                self._at = time.monotonic()
            return self._passed

    async def _passes(self) -> bool:
        try:
            async with asyncio.timeout(_HEALTH_CHECK_SECONDS):
                await self._check()
        except (StoreFailed, TimeoutError):
            return False
        return True


class Monitoring:
    """Middleware that counts and logs every request, and answers those that fail.

    The answer to a failed request has an incident number, and no details of the error.
    """

    def __init__(self, app: ASGIApp, *, metrics: Metrics, pseudonym: Callable[[str], str]) -> None:
        self.app = app
        self.metrics = metrics
        self._pseudonym = pseudonym

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        scope.setdefault("state", {})
        started, status = time.perf_counter(), 0

        async def send_monitored(message: Message) -> None:
            nonlocal status
            if message["type"] in _START_MESSAGES:
                status = message["status"]
            elif message["type"] == "websocket.accept":
                status = 101
            try:
                await send(message)
            except OSError as error:
                raise ClientDisconnect from error

        try:
            await self.app(scope, receive, send_monitored)
        except (ClientDisconnect, WebSocketDisconnect):
            pass  # the client has disconnected
        except Exception:
            incident = secrets.token_hex(4)
            self.metrics.errors.inc()
            log.exception("failed", extra={"fields": {"incident": incident, **_route(scope)}})
            if not status:
                reason = WebReason.SERVER_ERROR
                response = error_response(HTTPConnection(scope), reason, incident=incident)
                await response(scope, receive, send_monitored)
            elif scope["type"] == "websocket" and status == 101:
                await send({"type": "websocket.close", "code": 1011})
        finally:
            self._record(scope, status, time.perf_counter() - started)

    def _record(self, scope: Scope, status: int, seconds: float) -> None:
        route = _route(scope)
        self.metrics.requests.labels(route["method"], route["route"], status).inc()
        if scope["type"] == "http":
            self.metrics.seconds.labels(route["method"], route["route"]).observe(seconds)
        fields = {
            **route,
            "status": status,
            "ms": round(1000 * seconds, 1),
            "client": self._pseudonym(client_address(HTTPConnection(scope))),
        }
        log.info("answered", extra={"fields": fields})


def _route(scope: Scope) -> dict[str, str]:
    method = scope.get("method", "GET") if scope["type"] == "http" else "WEBSOCKET"
    return {
        "method": method if method in _METHODS or method == "WEBSOCKET" else "other",
        "route": getattr(scope.get("route"), "path", "none"),
    }


class LogThrottle(logging.Filter):
    """Drops repeated warnings of libraries, so that clients cannot fill the log.

    Within ``seconds``, the same warning is logged at most ``most`` times.
    """

    def __init__(
        self, most: int = 10, seconds: float = 60, clock: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__()
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._since = clock()
        self._logged: dict[tuple[str, str], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log the record."""
        if record.levelno < logging.WARNING or record.name.startswith("byzanz"):
            return True
        if self._clock() - self._since >= self._seconds:
            self._since = self._clock()
            self._logged.clear()
        first_line, _, _ = str(record.msg).partition("\n")
        key = (record.name, first_line)
        self._logged[key] = self._logged.get(key, 0) + 1
        return self._logged[key] <= self._most


class JsonFormatter(logging.Formatter):
    """Formats a log record as one line of JSON.

    For an exception, the line contains the type and the traceback, but not the message.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the log record as one line of JSON."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
            **getattr(record, "fields", {}),
        }
        if record.exc_info and record.exc_info[1] is not None:
            line["error"] = _describe(record.exc_info[1])
        return json.dumps(line, ensure_ascii=False)


def _describe(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)
    described: dict[str, Any] = {
        "type": f"{type(error).__module__}.{type(error).__qualname__}",
        "raised": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    if error.__cause__ is not None:
        described["cause"] = _describe(error.__cause__)
    return described


def configure_logging(level: str) -> None:
    """Log everything at this level and above to standard error, as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter())
    handler.addFilter(LogThrottle())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("alembic").setLevel(logging.WARNING)
