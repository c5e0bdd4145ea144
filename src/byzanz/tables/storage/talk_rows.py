"""What people said at tables, as rows of the database.

These functions run in the store's transactions.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, delete, insert, select

from byzanz.tables.model.sayings import Phrase, Saying

from . import schema

_S = schema.sayings
_LOAD = select(_S)
_PHRASES = {phrase.value for phrase in Phrase}


def load_sayings(connection: Connection, table: str) -> tuple[Saying, ...]:
    """Return what was said at the table, in order. Phrases of newer versions are left out."""
    rows = connection.execute(_LOAD.where(_S.c.table_id == table).order_by(_S.c.number))
    found = [saying_of(row) for row in rows]
    return tuple(saying for saying in found if saying is not None)


def saying_of(row: Any) -> Saying | None:
    """Return the saying of a row; None if this version does not know the phrase."""
    if row.phrase not in _PHRASES:
        return None
    return Saying(row.number, row.at, row.seat, Phrase(row.phrase))


def save_sayings(
    connection: Connection, table: str, before: tuple[Saying, ...], now: tuple[Saying, ...]
) -> None:
    """Insert the sayings that are new, and delete those that the table no longer keeps."""
    gone = [each.number for each in before if each not in now]
    if gone:
        connection.execute(delete(_S).where(_S.c.table_id == table, _S.c.number.in_(gone)))
    new = [each for each in now if each not in before]
    if new:
        rows = [
            {
                "table_id": table,
                "number": each.number,
                "at": each.at,
                "seat": each.seat,
                "phrase": each.phrase.value,
            }
            for each in new
        ]
        connection.execute(insert(_S), rows)
