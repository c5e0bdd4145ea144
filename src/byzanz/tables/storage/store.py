"""The store: a database and the one thread that uses it.

A job is a function of a connection. All waiting jobs run in one transaction and are committed
together, so that many tables share one write to the disk. A result is returned only when it is
durable. If a job fails, the transaction is rolled back and each job runs again by itself.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from errno import ENOENT
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import platformdirs
from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    delete,
    event,
    insert,
    make_url,
    select,
)
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from . import job_schema, schema
from .lock import AlreadyServed, Ensure, serving_lock
from .migrations import migrate

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

_BATCH = 256
"""The maximum number of jobs in one transaction."""

_BUSY_SECONDS = 30
"""How long SQLite waits for another process to release the file."""

_SERIALIZATION_ERRORS = ("40001", "40P01", "55P03")
"""PostgreSQL's error codes for a transaction that failed because of a concurrent one."""
_ATTEMPTS = 5
"""The maximum number of times that a job runs if it fails because of concurrent transactions."""
_LOCK_TIMEOUT = "250ms"
"""How long PostgreSQL waits for a row that another process changes; this also ends deadlocks."""
_MIGRATING = 0x6279_7A61_6E7B
"""The key of the advisory lock in PostgreSQL that a process holds while it upgrades the schema."""


_CHECK = "check"
"""The name and value of the row that is written to check the database."""


class Conflict(Exception):
    """Raised when another process wrote first. Nothing that the job wrote is stored."""


class StoreFailed(Exception):
    """Raised when the database fails. What the job wrote may or may not be stored."""


class Store:
    """A database of guests, tables and their logs."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._held = ExitStack()
        self._ensure_lock: Ensure = lambda: None
        self.commits = 0
        """The number of transactions that were committed."""
        self.commit_seconds = 0.0
        """The seconds that these transactions took."""
        self.failures = 0
        """The number of jobs that failed because of the database."""

    @classmethod
    def open(cls, url: str | None = None) -> Store:
        """Return the store at this URL; by default a SQLite file in the user's data folder."""
        return cls(make_engine(url))

    @property
    def figures(self) -> dict[str, float]:
        """Numbers for the metrics."""
        return {
            "commits": self.commits,
            "commit_seconds": self.commit_seconds,
            "database_failures": self.failures,
        }

    @property
    def sharable(self) -> bool:
        """Whether several processes can serve this database."""
        return self.engine.dialect.name == "postgresql"

    def serve(self, *, alone: bool = True, shared: bool = False) -> None:
        """Lock the database if ``alone``, upgrade its schema and start running jobs.

        If ``shared``, other processes that share the lock can serve the same PostgreSQL database.
        Raises AlreadyServed if another process has the lock, and UnknownSchema if the schema is
        too new.
        """
        try:
            if alone:
                self._ensure_lock = self._held.enter_context(
                    serving_lock(self.engine, shared=shared)
                )
            with self.engine.begin() as connection:
                if self.sharable:  # processes that start at the same time wait for each other
                    connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                    connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
                migrate(connection)
                if self.sharable:
                    job_schema.upgrade(connection)
        except BaseException:
            self.close()
            raise
        self._thread = threading.Thread(target=self._work, name="byzanz-store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finish all waiting jobs and disconnect from the database."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None
        self._held.close()
        self.engine.dispose()

    async def run(self, job: Callable[[Connection], _T]) -> _T:
        """Run the job and return its result once it is durable.

        Raises Conflict, StoreFailed, or what the job itself raises.
        """
        if self._thread is None:
            raise StoreFailed("the store is closed")
        done: Future[_T] = Future()
        self._jobs.put((job, done))
        return await asyncio.wrap_future(done)

    async def check_writable(self) -> None:
        """Write something and delete it again; raises StoreFailed if nothing can be written."""

        def job(connection: Connection) -> None:
            table = schema.secrets
            connection.execute(insert(table).values(name=_CHECK, value=_CHECK))
            connection.execute(delete(table).where(table.c.name == _CHECK))

        await self.run(job)

    async def secret(self, name: str, made: str) -> str:
        """Return the secret stored under this name; store ``made`` if there is none."""
        try:
            return await self._secret(name, made)
        except Conflict:  # another process has just stored one
            return await self._secret(name, made)

    async def _secret(self, name: str, made: str) -> str:

        def job(connection: Connection) -> str:
            table = schema.secrets
            kept = connection.scalar(select(table.c.value).where(table.c.name == name))
            if kept is None:
                connection.execute(insert(table).values(name=name, value=made))
            return kept or made

        return await self.run(job)

    def _work(self) -> None:
        open_ = True
        while open_:
            batch, open_ = self._next_batch()
            # From here on no job can be cancelled.
            active = [one for one in batch if one[1].set_running_or_notify_cancel()]
            if active and self._is_locked(active):
                self._commit(active)

    def _is_locked(self, batch: list[_Job]) -> bool:
        """Return whether this process still holds its lock; if not, all jobs of the batch fail."""
        try:
            self._ensure_lock()
        except (AlreadyServed, SQLAlchemyError) as error:
            why = type(error).__name__  # the message may hold secrets
            _LOG.warning("the lock of the database was lost: %s", why)
            self.failures += len(batch)
            for _, future in batch:
                future.set_exception(StoreFailed(why))
            return False
        return True

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """Return the waiting jobs, at most ``_BATCH``, and whether more can follow."""
        batch: list[_Job] = []
        found = self._jobs.get()
        while found is not None:
            batch.append(found)
            if len(batch) == _BATCH:
                break
            try:
                found = self._jobs.get_nowait()
            except Empty:
                break
        return batch, found is not None

    def _commit(self, batch: list[_Job], attempt: int = 1) -> None:
        """Run and commit the jobs and set their results. A failing job does not affect others."""
        started = time.perf_counter()
        try:
            with self.engine.begin() as connection:
                found = [job(connection) for job, _ in batch]
        except Exception as error:  # noqa: BLE001 (passed on to the caller)
            if len(batch) > 1:
                for one in batch:
                    self._commit([one])
            elif attempt < _attempts(error):
                self._commit(batch, attempt + 1)
            else:
                failure = _failure(error)
                self.failures += isinstance(failure, StoreFailed)
                batch[0][1].set_exception(failure)
        else:
            self.commits += 1
            self.commit_seconds += time.perf_counter() - started
            for (_, future), result in zip(batch, found, strict=True):
                future.set_result(result)


_Job = tuple[Callable[[Connection], Any], "Future[Any]"]


def _failure(error: Exception) -> Exception:
    """Return the error for the caller, without the database's message, which may hold secrets."""
    if isinstance(error, IntegrityError):
        return Conflict()
    if _is_concurrent(error):
        return Conflict()
    return StoreFailed(type(error).__name__) if isinstance(error, SQLAlchemyError) else error


def _attempts(error: Exception) -> int:
    """Return how often to run a job that fails with this error."""
    if isinstance(error, IntegrityError):
        return 2  # another process may have just added a row that the job looked for
    return _ATTEMPTS if _is_concurrent(error) else 1


def _is_concurrent(error: Exception) -> bool:
    """Return whether PostgreSQL refused a transaction because of a concurrent one."""
    if not isinstance(error, DBAPIError):
        return False
    return getattr(error.orig, "sqlstate", None) in _SERIALIZATION_ERRORS


def make_engine(url: str | None = None, *, create: bool = True) -> Engine:
    """Return an engine for PostgreSQL, or for SQLite with durable commits.

    Raises FileNotFoundError if SQLite's file does not exist and ``create`` is False, and ValueError
    if the URL names neither a SQLite file nor a PostgreSQL database.
    """
    address = _address(url)
    if address.get_backend_name() != "sqlite":
        engine = create_engine(address)
        event.listen(engine, "connect", _limit_waits)
        return engine
    if address.database in (None, "", ":memory:"):
        raise ValueError("the URL must name a file: sqlite:///path/to/byzanz.db")
    file = Path(address.database)
    if create:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)  # it contains secrets
    elif not file.exists():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(file))
    engine = create_engine(address, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """Return a connection that reads a consistent snapshot and blocks no writer."""
    sqlite = engine.dialect.name == "sqlite"
    how = {"reading": True} if sqlite else {"isolation_level": "REPEATABLE READ"}
    with engine.connect().execution_options(**how) as connection:
        yield connection


def _address(url: str | None) -> URL:
    if url is None:
        folder = Path(platformdirs.user_data_dir("byzanz", appauthor=False))
        return URL.create("sqlite", database=str(folder / "byzanz.db"))
    address = make_url(url)
    if address.drivername in ("postgres", "postgresql"):
        address = address.set(drivername="postgresql+psycopg")
    if address.get_backend_name() not in ("sqlite", "postgresql"):
        raise ValueError("a URL must be sqlite:///path/to/file or postgresql://user@host/database")
    return address


def _limit_waits(connection: Any, _: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET lock_timeout = '{_LOCK_TIMEOUT}'")
    connection.commit()


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin explicitly, see _begin
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # IMMEDIATE: a transaction that begins with a read could fail when it writes later.
    reading = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
