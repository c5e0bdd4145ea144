"""Background jobs: what they are, and how the one process of a SQLite database does them.

A job has a kind, and is about one thing, for example a table. It is added in the transaction that
makes it necessary. The job itself finds out what there is to do, so adding or doing it once more
does no harm. On PostgreSQL, jobs run in any process: see :mod:`byzanz.tables.service.job_queue`.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from enum import StrEnum
from typing import NamedTuple, Protocol

from msgspec import Struct
from sqlalchemy import Connection

from .environment import Environment

_LOG = logging.getLogger(__name__)

_RETRY_SECONDS = 5.0
"""How long a job waits after its first failure; the time doubles with every further attempt."""
_MOST_RETRY_SECONDS = 300.0
_LOOK_SECONDS = 1.0
"""How often a process checks whether a job has become due."""
MOST_ATTEMPTS = 10
"""The maximum number of attempts at a job."""


class JobKind(StrEnum):
    """What a job does."""

    REVIEW = "review"
    """Review the game of a table."""
    NOTIFY = "notify"
    """Send the notifications that are due."""
    CLEAN_UP = "clean_up"
    """Expire idle tables and delete old data."""

    @property
    def alone(self) -> bool:
        """Whether no other job of this kind about the same thing may run at the same time."""
        return self is not JobKind.NOTIFY


Work = Callable[[str], Awaitable[None]]
"""Does a job, given what it is about."""


class JobFailed(Exception):
    """Raised by a job that has failed and need not be tried again."""


class Definition(NamedTuple):
    """How jobs of a kind are done."""

    work: Work
    at_once: int
    """The maximum number of these jobs that one process does at the same time."""


class Figures(Struct):
    """The jobs of a kind, as numbers for the metrics."""

    waiting: int = 0
    """The number of jobs that are waiting now; on PostgreSQL, those of all processes."""
    longest: float = 0.0
    """How long the first of these has been waiting, in seconds."""
    started: int = 0
    """The number of jobs that this process has begun."""
    waited: float = 0.0
    """The total number of seconds for which these had waited."""
    failures: int = 0
    """How often a job has failed in this process."""


class Jobs(Protocol):
    """The background jobs of a service."""

    figures: dict[JobKind, Figures]

    def define(self, kind: JobKind, work: Work, at_once: int = 1) -> None:
        """Define how jobs of this kind are done."""

    def add(
        self, connection: Connection, kind: JobKind, about: str = "", at: float | None = None
    ) -> None:
        """Add a job in this transaction, unless the same one is waiting.

        It is done as soon as possible, or at the time ``at``.
        """

    def add_once(self, connection: Connection, kind: JobKind, seconds: float) -> None:
        """Add a job, unless one of the processes has added it within the current interval."""

    async def run(self) -> None:
        """Do jobs until cancelled. An unfinished job is done later, perhaps by another process."""


def no_figures() -> dict[JobKind, Figures]:
    """Return the figures of a process that has done no job."""
    return {kind: Figures() for kind in JobKind}


def retry_after(attempts: int) -> float | None:
    """Return the seconds until a job is tried again after this many failures; None for never."""
    if attempts >= MOST_ATTEMPTS:
        return None
    return min(_RETRY_SECONDS * 2.0 ** (attempts - 1), _MOST_RETRY_SECONDS)


class LocalJobs:
    """Jobs that this process does by itself. Waiting jobs are held in memory only."""

    def __init__(self, environment: Environment) -> None:
        self.figures = no_figures()
        self._clock = environment.clock
        self._definitions: dict[JobKind, Definition] = {}
        self._waiting: dict[tuple[JobKind, str], _Waiting] = {}
        self._running: set[tuple[JobKind, str]] = set()
        self._lock = threading.Lock()
        """Held while the jobs above change, because the store's thread adds jobs."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._added = asyncio.Event()

    def define(self, kind: JobKind, work: Work, at_once: int = 1) -> None:
        """Define how jobs of this kind are done."""
        self._definitions[kind] = Definition(work, at_once)

    def add(self, _: Connection, kind: JobKind, about: str = "", at: float | None = None) -> None:
        """Add a job, unless the same one is waiting.

        It may begin before the transaction ends, but the store runs its queries afterwards.
        """
        self._add(kind, about, _Waiting(self._clock() if at is None else at))

    def add_once(self, _: Connection, kind: JobKind, seconds: float) -> None:  # noqa: ARG002
        """Add a job; there is no other process that could have added it."""
        self._add(kind, "", _Waiting(self._clock()))

    async def run(self) -> None:
        """Do jobs until cancelled."""
        self._loop = asyncio.get_running_loop()
        async with asyncio.TaskGroup() as group:
            for kind, (_, at_once) in self._definitions.items():
                for _ in range(at_once):
                    group.create_task(self._work(kind))

    async def do_all(self) -> None:
        """Do all jobs that are due now; raises what a job raises."""
        for kind, (work, _) in self._definitions.items():
            while (found := self._take(kind)) is not None:
                about, _ = found
                try:
                    await work(about)
                finally:
                    self._running.discard((kind, about))

    def _add(self, kind: JobKind, about: str, waiting: _Waiting) -> None:
        with self._lock:
            known = self._waiting.get((kind, about))
            if known is None or waiting.due < known.due:
                self._waiting[kind, about] = waiting
            self._count(kind)
        if self._loop is not None and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._added.set)

    def _count(self, kind: JobKind) -> None:
        dues = [each.due for (of, _), each in self._waiting.items() if of is kind]
        figures, now = self.figures[kind], self._clock()
        figures.waiting = sum(due <= now for due in dues)
        figures.longest = max(0.0, now - min(dues, default=now))

    def _take(self, kind: JobKind) -> tuple[str, _Waiting] | None:
        """Return the first job of this kind that is due, and mark it as running."""
        with self._lock:
            due = [
                (each.due, about)
                for (of, about), each in self._waiting.items()
                if of is kind and each.due <= self._clock() and (of, about) not in self._running
            ]
            if not due:
                return None
            _, about = min(due, key=lambda each: each[0])
            self._running.add((kind, about))
            taken = self._waiting.pop((kind, about))
            self._count(kind)
            return about, taken

    async def _work(self, kind: JobKind) -> None:
        figures, work = self.figures[kind], self._definitions[kind].work
        while True:
            self._added.clear()
            found = self._take(kind)
            if found is None:
                await self._wait(kind)
                continue
            about, (due, attempts) = found
            figures.started += 1
            figures.waited += max(0.0, self._clock() - due)
            try:
                await work(about)
            except JobFailed:
                figures.failures += 1
            except Exception as error:  # noqa: BLE001 (other jobs must go on)
                log_failure(kind, error)
                figures.failures += 1
                later = retry_after(attempts + 1)
                if later is not None:
                    self._add(kind, about, _Waiting(self._clock() + later, attempts + 1))
            finally:
                self._running.discard((kind, about))
                self._added.set()

    async def _wait(self, kind: JobKind) -> None:
        """Wait until a job has been added or may have become due."""
        with self._lock:
            waits = any(of is kind for of, _ in self._waiting)
        with suppress(TimeoutError):
            async with asyncio.timeout(_LOOK_SECONDS if waits else None):
                await self._added.wait()


class _Waiting(NamedTuple):
    due: float
    attempts: int = 0


def log_failure(kind: JobKind, error: BaseException) -> None:
    """Log that a job failed, without the message of the error, which may hold secrets."""
    _LOG.warning("a job failed: %s %s", kind, type(error).__name__)
