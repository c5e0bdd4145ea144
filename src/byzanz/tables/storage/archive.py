"""Archived logs: the log of a finished game as one compressed text instead of one row per action.

These functions run in the store's transactions. Nothing is added to the log of a finished game, so
it can be archived at any time.
"""

from __future__ import annotations

import json
import zlib
from base64 import b85decode, b85encode
from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, delete, func, select, update

from byzanz.tables.model.table import Actor, LogEntry, Stage

from . import schema

_MILLISECOND = 1000


def archive_finished(connection: Connection, most: int) -> int:
    """Archive the logs of at most this many finished tables; return how many were archived."""
    t, lines = schema.tables, schema.log
    waiting = select(t.c.id).where(t.c.stage == Stage.FINISHED, t.c.archive.is_(None)).limit(most)
    tables = connection.scalars(waiting).all()
    for table in tables:
        archive = write_archive(logged(connection, table))
        connection.execute(update(t).where(t.c.id == table).values(archive=archive))
        connection.execute(delete(lines).where(lines.c.table_id == table))
    return len(tables)


def logged(connection: Connection, table: str, first: int = 0) -> Iterator[LogEntry]:
    """Yield the entries of a log that is not archived, from this number on."""
    lines = schema.log
    here = (lines.c.table_id == table, lines.c.number >= first)
    rows = select(lines).where(*here).order_by(lines.c.number)
    for row in connection.execute(rows):
        yield LogEntry(row.number, row.at, row.seat, row.action, Actor(row.by))


def write_archive(log: Iterable[LogEntry]) -> str:
    """Return the log as compressed text. Times are stored as differences in milliseconds."""
    rows, last = [], 0
    for entry in log:
        at = round(entry.at * _MILLISECOND)
        rows.append([entry.number, at - last, entry.seat, entry.action, entry.by.value])
        last = at
    columns = list(zip(*rows, strict=True))
    return b85encode(zlib.compress(json.dumps(columns).encode(), 9)).decode()


def read_archive(text: str) -> Iterator[LogEntry]:
    """Yield the entries of an archived log."""
    at = 0
    columns = json.loads(zlib.decompress(b85decode(text)))
    for number, difference, seat, action, by in zip(*columns, strict=True):
        at += difference
        yield LogEntry(number, at / _MILLISECOND, seat, action, Actor(by))


def surplus_tables(connection: Connection, most: int) -> tuple[str, ...]:
    """Return the finished tables that none of their players has among their newest ``most``."""
    t, s = schema.tables, schema.seats
    rank = func.row_number().over(partition_by=s.c.guest, order_by=(t.c.active.desc(), t.c.id))
    ranked = (
        select(s.c.table_id, rank.label("rank"))
        .join(t)
        .where(t.c.stage == Stage.FINISHED, s.c.guest.is_not(None))
        .subquery()
    )
    best = func.min(ranked.c.rank)
    surplus = select(ranked.c.table_id).group_by(ranked.c.table_id).having(best > most)
    return tuple(connection.scalars(surplus))
