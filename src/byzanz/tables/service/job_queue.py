"""Background jobs on PostgreSQL: a queue that all processes share, made with Procrastinate.

A server or ``byzanz worker`` takes jobs out of the queue. Each of these processes tells the
database at short intervals that it is alive. If one is killed, another process puts its jobs back
into the queue.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection

from byzanz.tables.storage import job_rows
from byzanz.tables.storage.store import Conflict, Store, StoreFailed

from .environment import Environment
from .jobs import (
    Definition,
    JobFailed,
    JobKind,
    Jobs,
    LocalJobs,
    Work,
    log_failure,
    no_figures,
    retry_after,
)

if TYPE_CHECKING:
    from procrastinate import App
    from procrastinate.jobs import Job
    from psycopg_pool import AsyncConnectionPool

_LOG = logging.getLogger(__name__)

_POLL_SECONDS = 0.5
"""How often a process asks for jobs; a free process begins a new job within this time."""
_ALIVE_SECONDS = 2.0
"""How often a process tells the database that it is alive."""
LOST_SECONDS = 8.0
"""How long a process can be silent before others take over its jobs."""
_WATCH_SECONDS = 2.0
"""How often a process looks for jobs of lost processes, and counts the waiting jobs."""
_RESTART_SECONDS = 2.0
"""How long a process waits after a failure of the database."""
_AGAIN_SECONDS = 1.0
"""How much longer than its finishing time a worker may take before it is cancelled again."""
_SERVER_SECONDS, _WORKER_SECONDS = 0.5, 5.0
"""How long a server or a worker may continue a job after it is told to stop."""


def jobs_of(
    store: Store,
    environment: Environment,
    works: Callable[[], bool],
    *,
    shared: bool,
    serves: bool,
) -> Jobs:
    """Return the jobs of a service. On PostgreSQL, all processes share them if ``shared``."""
    if not (store.sharable and shared):
        return LocalJobs(environment)
    return QueuedJobs(store, works, _SERVER_SECONDS if serves else _WORKER_SECONDS)


class QueuedJobs:
    """The jobs of all processes that use one PostgreSQL database.

    ``works`` returns whether this process does jobs now. When the process is told to stop, it
    continues its jobs for ``finish_seconds`` and then puts unfinished ones back into the queue.
    """

    def __init__(
        self, store: Store, works: Callable[[], bool], finish_seconds: float = _SERVER_SECONDS
    ) -> None:
        self.figures = no_figures()
        self._store = store
        self._works = works
        self._finish_seconds = finish_seconds
        self._definitions: dict[JobKind, Definition] = {}

    def define(self, kind: JobKind, work: Work, at_once: int = 1) -> None:
        """Define how jobs of this kind are done."""
        self._definitions[kind] = Definition(work, at_once)

    def add(
        self, connection: Connection, kind: JobKind, about: str = "", at: float | None = None
    ) -> None:
        """Add a job in this transaction, unless the same one is waiting."""
        job_rows.add_job(connection, kind, about, at, alone=kind.alone)

    def add_once(self, connection: Connection, kind: JobKind, seconds: float) -> None:
        """Add a job, unless one of the processes has added it within the current interval."""
        job_rows.add_job_once(connection, kind, seconds)

    async def run(self) -> None:
        """Do jobs until cancelled, beginning as soon as ``works`` returns True."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._watch())
            group.create_task(self._work())

    async def _watch(self) -> None:
        """Count the waiting jobs; put those of lost processes back into the queue."""
        while True:
            try:
                if self._works():
                    lost = await self._store.run(partial(job_rows.retry_lost, seconds=LOST_SECONDS))
                    if lost:
                        _LOG.warning("jobs of a lost process are done again: %d", lost)
                found = await self._store.run(job_rows.queued_jobs)
                for kind, figures in self.figures.items():
                    queued = found.get(kind, job_rows.Queued(0, 0, 0.0))
                    figures.waiting, figures.longest = queued.waiting, queued.longest
            except (StoreFailed, Conflict):
                _LOG.warning("the queue of jobs could not be read")
            await asyncio.sleep(_WATCH_SECONDS)

    async def _work(self) -> None:
        """Do jobs; start again after a failure of the database."""
        while not self._works():
            await asyncio.sleep(_POLL_SECONDS)
        # Procrastinate's messages name tables, and whoever knows a table's name can join it.
        logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
        while True:
            try:
                app = self._app()
                async with (
                    self._connections() as connections,
                    app.open_async(connections),
                    asyncio.TaskGroup() as group,
                ):
                    _check_cancelled()
                    for kind, (_, at_once) in self._definitions.items():
                        if at_once:
                            group.create_task(self._take_jobs(app, kind, at_once))
            except* Exception as errors:  # noqa: BLE001 (the database may be restarting)
                names = {type(error).__name__ for error in errors.exceptions}
                _LOG.warning("the queue of jobs failed: %s", " ".join(sorted(names)))
            _check_cancelled()
            await asyncio.sleep(_RESTART_SECONDS)

    async def _take_jobs(self, app: App, kind: JobKind, at_once: int) -> None:
        """Take jobs of one kind out of the queue and do them; raises when the database fails."""
        worker = asyncio.create_task(
            app.run_worker_async(
                queues=[kind],
                concurrency=at_once,
                fetch_job_polling_interval=_POLL_SECONDS,
                shutdown_graceful_timeout=self._finish_seconds,
                listen_notify=False,
                delete_jobs="always",
                install_signal_handlers=False,
                update_heartbeat_interval=_ALIVE_SECONDS,
                stalled_worker_timeout=LOST_SECONDS,
            )
        )
        try:
            await asyncio.shield(worker)
        except asyncio.CancelledError:
            await self._end(worker)
            raise
        raise StoreFailed("the worker has stopped")

    async def _end(self, worker: asyncio.Task[None]) -> None:
        """Cancel the worker, repeatedly if necessary, until it has ended.

        One cancellation may be lost; :func:`_check_cancelled` says why.
        """
        while not worker.done():
            worker.cancel()
            await asyncio.wait([worker], timeout=self._finish_seconds + _AGAIN_SECONDS)
        if not worker.cancelled():
            worker.exception()

    @asynccontextmanager
    async def _connections(self) -> AsyncIterator[AsyncConnectionPool]:
        """Open a pool of connections, and close it afterwards.

        Procrastinate does not close its own pool if it is cancelled while it opens it.
        """
        from psycopg_pool import AsyncConnectionPool  # noqa: PLC0415

        engine = self._store.engine
        _, arguments = engine.dialect.create_connect_args(engine.url)
        arguments.pop("context", None)
        pool = AsyncConnectionPool(
            kwargs=dict(arguments),
            min_size=1,
            max_size=4,
            open=False,
            check=AsyncConnectionPool.check_connection,
        )
        try:
            await pool.open(wait=True)
            yield pool
        finally:
            await pool.close(self._finish_seconds)

    def _app(self) -> App:
        from procrastinate import App, BaseRetryStrategy, PsycopgConnector, RetryDecision  # noqa: PLC0415

        class Retry(BaseRetryStrategy):
            """Retries failed jobs after a delay, and unfinished jobs without a delay."""

            def get_retry_decision(
                self, *, exception: BaseException, job: Job
            ) -> RetryDecision | None:
                seconds = retry_after(job.attempts + 1) if isinstance(exception, Exception) else 0
                if seconds is None:
                    return None
                return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=seconds))

        app = App(connector=PsycopgConnector())
        for kind in self._definitions:
            app.task(name=kind, queue=kind, retry=Retry())(self._task(kind))
        return app

    def _task(self, kind: JobKind) -> Any:
        figures, work = self.figures[kind], self._definitions[kind].work

        async def do(about: str, since: float) -> None:
            figures.started += 1
            figures.waited += max(0.0, time.time() - since)
            try:
                await work(about)
            except JobFailed:
                figures.failures += 1
            except Exception as error:
                log_failure(kind, error)
                figures.failures += 1
                raise

        return do


def _check_cancelled() -> None:
    """Raise CancelledError if this task was cancelled but a function it called lost that.

    Before Python 3.12, ``asyncio.wait_for`` loses a cancellation that arrives just when its time
    runs out or its result is ready. The connection pool uses this function.
    """
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
