"""The schema of the job queue, which Procrastinate defines and Byzanz creates and upgrades.

The comment of one of its tables names the last of Procrastinate's migrations that was applied.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from sqlalchemy import Connection, text

_MARK = "COMMENT ON TABLE procrastinate_jobs IS '{}'"
_FOUND = "SELECT obj_description(to_regclass('procrastinate_jobs'), 'pg_class')"


def upgrade(connection: Connection) -> None:
    """Create the tables and functions of Procrastinate, or upgrade them to the installed version.

    The caller must hold the lock for migrations. Nothing happens if the schema is up to date or
    newer.
    """
    steps = migrations()
    if connection.scalar(text("SELECT to_regclass('procrastinate_jobs')")) is None:
        _execute(connection, (resources.files("procrastinate.sql") / "schema.sql").read_text())
    else:
        found = connection.scalar(text(_FOUND)) or ""
        pending = sorted(name for name in steps if name > found)
        if not pending:
            return
        for name in pending:
            _execute(connection, steps[name])
    connection.exec_driver_sql(_MARK.format(max(steps)))


def migrations() -> dict[str, str]:
    """Return the migrations of the installed version by name. Sorted names give the order."""
    folder = resources.files("procrastinate.sql") / "migrations"
    return {
        file.name: file.read_text(encoding="utf-8")
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    }


def _execute(connection: Connection, statements: str) -> None:
    """Execute SQL statements that have no parameters."""
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor:
        cursor.execute(statements)
