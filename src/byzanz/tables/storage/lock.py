"""The serving lock, which lets one process at a time serve a database.

The operating system or the database server releases it when the process ends, even if it is killed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from sqlalchemy import Engine, text

_ADVISORY = 0x6279_7A61_6E7A
"""The key of the advisory lock in PostgreSQL: the letters of "byzanz"."""


class AlreadyServed(Exception):
    """Raised when another process serves this database."""

    def __init__(self) -> None:
        super().__init__(
            "another process is serving this database; stop it first, or use another database"
        )


def serving_lock(engine: Engine) -> AbstractContextManager[None]:
    """Return a context that holds the lock; raises AlreadyServed if another process has it."""
    if engine.dialect.name == "sqlite":
        return _file_lock(Path(f"{engine.url.database}.lock"))
    return _advisory_lock(engine)


@contextmanager
def _file_lock(path: Path) -> Iterator[None]:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _lock(file)
        yield
    finally:
        os.close(file)


@contextmanager
def _advisory_lock(engine: Engine) -> Iterator[None]:
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        held = connection.scalar(text("SELECT pg_try_advisory_lock(:key)"), {"key": _ADVISORY})
        if not held:
            raise AlreadyServed
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _ADVISORY})


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
