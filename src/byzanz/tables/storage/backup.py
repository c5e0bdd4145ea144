"""A whole database as JSON Lines: for backup, and to move between SQLite and PostgreSQL.

The first line tells the schema's revision, then each row has its line, then the last one counts
them. A backup of an older version is restored as it was and then migrated.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Iterable, Iterator
from errno import EISDIR
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, MetaData, Table, insert, inspect, select

from byzanz.tables.service.service import House

from .lock import serving_lock
from .migrations import UnknownSchema, current, known, migrate
from .store import Store, make_engine, snapshot

FORMAT = "byzanz-data/1"

_ROWS = 1000
"""Rows that go into the database at once."""


class NotBackedUp(Exception):
    """There is nothing to back up; a backup of before is as it was."""


class NotForgotten(Exception):
    """The database knows no such guest."""


class NotRestored(Exception):
    """The backup was not restored; the database is as it was."""


def backup(url: str | None, file: Path) -> None:
    """The file holds the database as it was at one moment; it may be served meanwhile.

    Secrets are in it too, so only its owner may read it. Raises NotBackedUp if nothing ever served
    the database, and OSError if its file is not there or the backup's cannot be.
    """
    if file.is_dir():
        raise IsADirectoryError(EISDIR, os.strerror(EISDIR), str(file))
    engine = make_engine(url, create=False)
    try:
        with snapshot(engine) as connection:
            if current(connection) is None:
                raise NotBackedUp("there is nothing of byzanz in that database")
            _write(file, export_lines(connection))
    finally:
        engine.dispose()


def _write(file: Path, lines: Iterable[str]) -> None:
    """The lines lie in the file, which its owner alone may read; all of them, or none."""
    part = file.with_name(f"{file.name}.part")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
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
    """The database, empty before, holds what the backup holds; raises NotRestored."""
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


def forget(url: str | None, guest: str) -> None:
    """Nothing in the database tells of the guest; it must not be served meanwhile.

    Raises NotForgotten if it never did, and FileNotFoundError if the database's file is not there.
    """

    async def forgetting() -> None:
        async with House(Store(make_engine(url, create=False)), automatic=False) as house:
            if await house.guest(guest) is None:
                raise NotForgotten(f"the database knows no guest '{guest}'")
            await house.forget(guest)

    asyncio.run(forgetting())


def export_lines(connection: Connection) -> Iterator[str]:
    """The database as lines."""
    revision = current(connection)
    yield _line({"type": "data", "format": FORMAT, "revision": revision})
    count = 0
    for table in _tables(connection):
        for row in connection.execute(select(table)).mappings():
            yield _line({"type": "row", "table": table.name, "row": dict(row)})
            count += 1
    yield _line({"type": "end", "rows": count})


def import_lines(connection: Connection, lines: Iterable[str]) -> None:
    """The lines' rows are in the database, its schema up to date; raises NotRestored."""
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
                raise NotRestored(f"the backup lacks rows: {count} of {line.get('rows')}")
            migrate(connection)
            return
        if line.get("table") not in tables:
            raise NotRestored("a line of the backup belongs to no table")
        if line["table"] != filling or len(waiting) == _ROWS:
            _fill(connection, tables, filling, waiting)
            filling, waiting = line["table"], []
        waiting.append(line["row"])
    raise NotRestored("the backup breaks off before its end")


def _fill(
    connection: Connection, tables: dict[str, Table], name: str, waiting: list[dict[str, Any]]
) -> None:
    if waiting:
        connection.execute(insert(tables[name]), waiting)


def _tables(connection: Connection) -> list[Table]:
    """The database's tables as they are, those that others refer to first."""
    metadata = MetaData()
    metadata.reflect(connection)
    return [table for table in metadata.sorted_tables if table.name != "alembic_version"]


def _revision(header: dict[str, Any]) -> str:
    if header.get("format") != FORMAT:
        raise NotRestored(f"the file is no backup: its first line should name {FORMAT}")
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
