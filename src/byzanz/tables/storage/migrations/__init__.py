"""Migrations of the database schema.

Each module here is an Alembic revision. It imports nothing from Byzanz, so that it stays valid when
the code changes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

_HERE = Path(__file__).parent


class UnknownSchema(Exception):
    """Raised when the database schema has a revision that this version does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"the database has schema revision {revision!r}, which this version of byzanz does not "
            "know: it was written by a newer version"
        )


def migrate(connection: Connection, revision: str = "head") -> None:
    """Upgrade the database schema to this revision; raises UnknownSchema if it is too new."""
    scripts = _scripts()
    found = current(connection)
    if found is not None and found not in known():
        raise UnknownSchema(found)

    def steps(at: Any, _: MigrationContext) -> list[RevisionStep]:
        return scripts._upgrade_revs(revision, at)  # as Alembic's upgrade command does

    with EnvironmentContext(Config(), scripts) as environment:
        environment.configure(connection=connection, fn=steps)
        environment.run_migrations()


def current(connection: Connection) -> str | None:
    """Return the revision of the database schema; None if there is none yet."""
    return MigrationContext.configure(connection).get_current_revision()


def known() -> tuple[str, ...]:
    """Return the revisions that this version knows, oldest first."""
    return tuple(script.revision for script in _scripts().walk_revisions())[::-1]


@cache  # because reading all revisions takes a while
def _scripts() -> ScriptDirectory:
    return ScriptDirectory(_HERE, version_locations=[_HERE])
