"""The store: a database, and the one thread that speaks to it.

Jobs are functions of a connection. All that wait are done in one transaction and committed
together: many tables share one wait for the disk, and nobody hears of a job before it is durable.
If one of them fails, nothing of the transaction is kept, and each is done again by itself.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from errno import ENOENT
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

import platformdirs
from sqlalchemy import URL, Connection, Engine, create_engine, event, insert, make_url, select
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from . import schema
from .lock import serving_lock
from .migrations import migrate

_T = TypeVar("_T")

_BATCH = 256
"""Jobs that are committed together at most."""

_BUSY_SECONDS = 30
"""How long SQLite waits for another process to let go of the file."""

_LOST_RACES = ("40001", "40P01")
"""PostgreSQL's codes for a transaction that lost against another one."""


class Conflict(Exception):
    """Another process wrote first; nothing of this job is written."""


class StoreFailed(Exception):
    """The database did not do it, or it is not known whether it did."""


class Store:
    """A database that holds guests, tables and their logs."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._held = ExitStack()

    @classmethod
    def open(cls, url: str | None = None) -> Store:
        """The store at this address; by default a file in the user's data folder."""
        return cls(make_engine(url))

    def serve(self, *, alone: bool = True) -> None:
        """The store is ready for jobs: locked if it is to serve alone, its schema up to date."""
        try:
            if alone:
                self._held.enter_context(serving_lock(self.engine))
            with self.engine.begin() as connection:
                migrate(connection)
        except BaseException:
            self.close()
            raise
        self._thread = threading.Thread(target=self._work, name="byzanz-store", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """The jobs so far are done, and the database is let go of."""
        if self._thread is not None:
            self._jobs.put(None)
            self._thread.join()
            self._thread = None
        self._held.close()
        self.engine.dispose()

    async def run(self, job: Callable[[Connection], _T]) -> _T:
        """What the job gives, once it is durable; raises Conflict or StoreFailed."""
        if self._thread is None:
            raise StoreFailed("the store is closed")
        done: Future[_T] = Future()
        self._jobs.put((job, done))
        return await asyncio.wrap_future(done)

    async def secret(self, name: str, made: str) -> str:
        """The secret kept under this name; from now on the one just made if there was none."""

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
            # From here on nobody can call it off: a job is done and told of, or neither.
            wanted = [one for one in batch if one[1].set_running_or_notify_cancel()]
            if wanted:
                self._commit(wanted)

    def _next_batch(self) -> tuple[list[_Job], bool]:
        """All jobs that wait, and whether more may come."""
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

    def _commit(self, batch: list[_Job]) -> None:
        """Everybody is told how their job ended; one that fails takes no other with it."""
        try:
            with self.engine.begin() as connection:
                found = [job(connection) for job, _ in batch]
        except Exception as error:  # noqa: BLE001 (whoever asked is told)
            if len(batch) == 1:
                batch[0][1].set_exception(_failure(error))
            else:
                for one in batch:
                    self._commit([one])
        else:
            for (_, future), result in zip(batch, found, strict=True):
                future.set_result(result)


_Job = tuple[Callable[[Connection], Any], "Future[Any]"]


def _failure(error: Exception) -> Exception:
    """What whoever asked is told; nothing of the database's own words, which may hold secrets."""
    if isinstance(error, IntegrityError):
        return Conflict()
    if isinstance(error, DBAPIError) and getattr(error.orig, "sqlstate", None) in _LOST_RACES:
        return Conflict()
    return StoreFailed(type(error).__name__) if isinstance(error, SQLAlchemyError) else error


def make_engine(url: str | None = None, *, create: bool = True) -> Engine:
    """An engine for SQLite, durable at every commit, or for PostgreSQL.

    Unless it should ``create`` SQLite's file, raises FileNotFoundError if there is none.
    """
    address = _address(url)
    if address.get_backend_name() != "sqlite":
        return create_engine(address)
    if address.database in (None, "", ":memory:"):
        raise ValueError("a store needs a file: sqlite:///path/to/byzanz.db")
    file = Path(address.database)
    if create:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)  # it holds secrets
    elif not file.exists():
        raise FileNotFoundError(ENOENT, os.strerror(ENOENT), str(file))
    engine = create_engine(address, connect_args={"timeout": _BUSY_SECONDS})
    event.listen(engine, "connect", _prepare)
    event.listen(engine, "begin", _begin)
    return engine


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection that reads the database as it is at one moment and keeps nobody waiting."""
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
        raise ValueError("a store is sqlite:///path/to/file or postgresql://user@host/database")
    return address


def _prepare(connection: Any, _: object) -> None:
    connection.isolation_level = None  # transactions begin where we say, see _begin
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin(connection: Connection) -> None:
    # At once for writing: a transaction that read first could not begin to write after another's.
    reading = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reading else "BEGIN IMMEDIATE")
