"""The database's schema, revision by revision, and the way from any of them to a later one.

Each module here is a revision for Alembic. This room imports Alembic and SQLAlchemy, and knows
nothing of tables and guests: a revision must stay true when they change.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

_HERE = Path(__file__).parent


class UnknownSchema(Exception):
    """The database's schema is of a revision that this version does not know."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"the database is of revision {revision!r}, which this version of byzanz does not "
            "know: it was written by a newer one"
        )


def migrate(connection: Connection, revision: str = "head") -> None:
    """The database's schema is of this revision, or a later one it had before."""
    scripts = _scripts()
    found = current(connection)
    if found is not None and found not in known():
        raise UnknownSchema(found)

    def steps(at: Any, _: MigrationContext) -> list[RevisionStep]:
        return scripts._upgrade_revs(revision, at)  # what Alembic's upgrade command calls

    with EnvironmentContext(Config(), scripts) as environment:
        environment.configure(connection=connection, fn=steps)
        environment.run_migrations()


def current(connection: Connection) -> str | None:
    """The revision of the database's schema; None if it has none yet."""
    return MigrationContext.configure(connection).get_current_revision()


def known() -> tuple[str, ...]:
    """The revisions that this version knows, first to last."""
    return tuple(script.revision for script in _scripts().walk_revisions())[::-1]


def _scripts() -> ScriptDirectory:
    return ScriptDirectory(_HERE, version_locations=[_HERE])
