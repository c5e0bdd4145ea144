"""The worker process: it does background jobs and serves no pages."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from .monitoring import Metrics
from .notify import Notifier

if TYPE_CHECKING:
    from byzanz.tables import TableService

    from .limit_settings import Settings


class JobWorker:
    """Does the background jobs of a table service, and serves no pages."""

    def __init__(
        self, service: TableService, settings: Settings, *, smtp_password: str = ""
    ) -> None:
        self._service = service
        self._notifier = Notifier(service, settings, smtp_password=smtp_password, clock=time.time)
        self._metrics = Metrics(
            lambda: service.figures, lambda: service.jobs.figures, service.notifications.counts
        )

    def serve_metrics(self, host: str, port: int) -> str:
        """Serve the metrics to Prometheus at this host and port; return the URL. Raises OSError."""
        return self._metrics.serve(host, port)

    async def run_until_stopped(self, ready: Callable[[], None] = lambda: None) -> None:
        """Do jobs until SIGTERM or Ctrl-C. An unfinished job is given back after some seconds."""
        stopped, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopped.set))
        async with self._service, self._notifier.running():
            ready()
            await stopped.wait()
