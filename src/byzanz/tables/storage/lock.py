"""The serving lock, which lets one process at a time serve a database.

On PostgreSQL several servers share the lock, and a process that must be alone holds it exclusively.
The operating system or the database server releases it when the process ends, even if it is killed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

_ADVISORY = 0x6279_7A61_6E7A
"""The key of the advisory lock in PostgreSQL: the letters of "byzanz"."""


class AlreadyServed(Exception):
    """Raised when another process serves this database."""

    def __init__(self) -> None:
        super().__init__(
            "another process is serving this database; stop it first, or use another database"
        )


Ensure = Callable[[], None]
"""Makes sure that the lock is still held. Raises AlreadyServed if another process has it now."""


def serving_lock(engine: Engine, *, shared: bool = False) -> AbstractContextManager[Ensure]:
    """Return a context that holds the lock; raises AlreadyServed if another process has it.

    On PostgreSQL several processes can hold the lock at the same time if all of them share it.
    """
    if engine.dialect.name == "sqlite":
        return _file_lock(Path(f"{os.path.realpath(engine.url.database or '')}.lock"))
    return _advisory_lock(engine, shared=shared)


@contextmanager
def _file_lock(path: Path) -> Iterator[Ensure]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(file)
        yield lambda: None
    finally:
        os.close(file)


@contextmanager
def _advisory_lock(engine: Engine, *, shared: bool) -> Iterator[Ensure]:
    lock = _AdvisoryLock(engine, shared=shared)
    try:
        yield lock.ensure
    finally:
        lock.release()


class _AdvisoryLock:
    """A lock that PostgreSQL releases when its connection breaks. ``ensure`` takes it again."""

    def __init__(self, engine: Engine, *, shared: bool) -> None:
        self._engine = engine
        self._kind = "_shared" if shared else ""
        self._connection: Connection | None = None
        self._take()

    def ensure(self) -> None:
        """Take the lock again if its connection broke.

        Raises AlreadyServed if another process holds it now.
        """
        try:
            if self._connection is not None:
                self._connection.execute(text("SELECT 1"))
                return
        except SQLAlchemyError:
            self._drop()
        self._take()

    def release(self) -> None:
        """Release the lock, unless its connection broke."""
        with suppress(SQLAlchemyError):
            if self._connection is not None:
                query = text(f"SELECT pg_advisory_unlock{self._kind}(:key)")
                self._connection.execute(query, {"key": _ADVISORY})
        self._drop()

    def _take(self) -> None:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        self._connection = connection
        query = text(f"SELECT pg_try_advisory_lock{self._kind}(:key)")
        if not connection.scalar(query, {"key": _ADVISORY}):
            self._drop()
            raise AlreadyServed

    def _drop(self) -> None:
        """Close the connection, which releases the lock."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(SQLAlchemyError):
                connection.invalidate()
            connection.close()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            raise AlreadyServed from None
else:
    import fcntl

    def _lock(file: int) -> None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise AlreadyServed from None
