"""Backup and restore: a whole database as a file of JSON Lines.

The first line names the revision of the schema. Each further line is a row, except the last one,
which counts the rows. The file is the same for SQLite and PostgreSQL. A backup of an older revision
is restored as it is and then migrated. Background jobs are left out: the service adds them again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from errno import EISDIR
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from sqlalchemy import Connection, MetaData, Table, insert, inspect, select

from .job_rows import PREFIX
from .lock import serving_lock
from .migrations import UnknownSchema, current, known, migrate
from .schema import VOLATILE
from .store import make_engine, snapshot

FORMAT = "byzanz-data/1"

_ROWS = 1000
"""The number of rows inserted at once."""


class NotBackedUp(Exception):
    """Raised when there is nothing to back up. An earlier backup is left as it is."""


class NotRestored(Exception):
    """Raised when a backup cannot be restored. The database is left as it is."""


def backup(url: str | None, file: Path) -> None:
    """Write a consistent snapshot of the database to the file. The server may be running.

    The backup contains secrets, so only its owner can read the file. Raises NotBackedUp if the
    database is empty, and OSError if it does not exist or the backup cannot be written.
    """
    if file.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(file))
    engine = make_engine(url, create=False)
    try:
        with snapshot(engine) as connection:
            if current(connection) is None:
                raise NotBackedUp("the database has no Byzanz data")
            _write(file, export_lines(connection))
    finally:
        engine.dispose()


def _write(file: Path, lines: Iterable[str]) -> None:
    """Write all lines to the file, or none. Only its owner can read it."""
    # A new file with a random name: nobody can have put a link there, or opened it before.
    handle, name = mkstemp(prefix=f".{file.name}.", suffix=".part", dir=file.parent)
    part = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as written:
            written.writelines(lines)
            written.flush()
            os.fsync(handle)
        part.replace(file)
    except BaseException:
        part.unlink()
        raise


def restore(file: Path, url: str | None) -> None:
    """Fill an empty database from the backup.

    Raises UnknownSchema if the backup is too new, NotRestored if it cannot be restored for another
    reason, and AlreadyServed if a process serves the database.
    """
    engine = make_engine(url)
    try:
        with (
            serving_lock(engine),
            file.open(encoding="utf-8") as lines,
            engine.begin() as connection,
        ):
            import_lines(connection, lines)
    finally:
        engine.dispose()


def export_lines(connection: Connection) -> Iterator[str]:
    """Return the database as lines of JSON."""
    revision = current(connection)
    yield _line({"type": "data", "format": FORMAT, "revision": revision})
    count = 0
    for table in _tables(connection):
        for row in connection.execute(select(table)).mappings():
            yield _line({"type": "row", "table": table.name, "row": dict(row)})
            count += 1
    yield _line({"type": "end", "rows": count})


def import_lines(connection: Connection, lines: Iterable[str]) -> None:
    """Insert the rows and upgrade the schema; raises NotRestored or UnknownSchema."""
    if inspect(connection).get_table_names():
        raise NotRestored("the database is not empty; restore into a new one")
    found = map(_parsed, lines)
    revision = _revision(next(found, {}))
    migrate(connection, revision)
    tables = {table.name: table for table in _tables(connection)}
    waiting: list[dict[str, Any]] = []
    filling = ""
    for count, line in enumerate(found):
        if line.get("type") == "end":
            _fill(connection, tables, filling, waiting)
            if line.get("rows") != count:
                raise NotRestored(f"the backup is incomplete: {count} of {line.get('rows')} rows")
            migrate(connection)
            return
        if line.get("table") not in tables:
            raise NotRestored("a line of the backup names an unknown table")
        if line["table"] != filling or len(waiting) == _ROWS:
            _fill(connection, tables, filling, waiting)
            filling, waiting = line["table"], []
        waiting.append(line["row"])
    raise NotRestored("the backup is incomplete: its last line is missing")


def _fill(
    connection: Connection, tables: dict[str, Table], name: str, waiting: list[dict[str, Any]]
) -> None:
    if waiting:
        connection.execute(insert(tables[name]), waiting)


def _tables(connection: Connection) -> list[Table]:
    """Return the tables to back up. Tables that others refer to come first."""
    metadata = MetaData()
    left_out = {"alembic_version", *VOLATILE}
    metadata.reflect(
        connection, only=lambda name, _: name not in left_out and not name.startswith(PREFIX)
    )
    return metadata.sorted_tables


def _revision(header: dict[str, Any]) -> str:
    if header.get("format") != FORMAT:
        raise NotRestored(f"the file is not a backup: its first line must name {FORMAT}")
    revision = str(header.get("revision"))
    if revision not in known():
        raise UnknownSchema(revision)
    return revision


def _line(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n"


def _parsed(line: str) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError:
        raise NotRestored("a line of the backup is not JSON") from None
    if not isinstance(found, dict):
        raise NotRestored("a line of the backup is not an object")
    return found
