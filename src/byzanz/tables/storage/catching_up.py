"""Loading of tables that other processes have changed.

These functions run in the store's transactions.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from sqlalchemy import JSON, Connection, FromClause, ScalarSelect, bindparam, func, select
from sqlalchemy.dialects.postgresql import aggregate_order_by

from byzanz.tables.model.table import Actor, LogEntry, Table

from . import schema
from .table_rows import chair_of, head, load_table, replayed, with_log_of
from .talk_rows import saying_of


def _rows_of(source: FromClause, order: str, first: Any = None) -> ScalarSelect[Any]:
    """Return a subquery for all rows that belong to the table, as arrays in a JSON array."""
    c = source.c
    arrays = aggregate_order_by(func.json_build_array(*c), c[order])
    rows = select(func.json_agg(arrays, type_=JSON)).where(c.table_id == schema.tables.c.id)
    if first is not None:
        rows = rows.where(c[order] >= first)
    return rows.scalar_subquery()


_LOAD = select(
    schema.tables,
    _rows_of(schema.seats, "seat").label("chairs"),
    _rows_of(schema.sayings, "number").label("said"),
    _rows_of(schema.log, "number", bindparam("the_first")).label("entries"),
).where(schema.tables.c.id == bindparam("the_id"))
"""Loads a table in one statement, which is cheaper than several and sees one state of the data."""


def _row(source: FromClause, values: list[Any]) -> SimpleNamespace:
    """Return the row whose values the subquery returned as an array."""
    return SimpleNamespace(**dict(zip(source.c.keys(), values, strict=True)))


def catch_up(connection: Connection, table: str, known: Table | None) -> Table | None:
    """Return the table; None if there is none.

    If an earlier revision of the table is ``known``, only the later entries of its log are
    replayed.
    """
    if known is None or known.game is None or connection.dialect.name != "postgresql":
        return load_table(connection, table, known)
    found = connection.execute(_LOAD, {"the_id": table, "the_first": known.logged})
    row = found.one_or_none()
    if row is None:
        return None
    if row.archive is not None:
        return load_table(connection, table, known)
    now = head(row, tuple(chair_of(_row(schema.seats, seat)) for seat in row.chairs or ()))
    said = [saying_of(_row(schema.sayings, saying)) for saying in row.said or ()]
    now = replace(now, said=tuple(saying for saying in said if saying is not None))
    for _, number, at, seat, action, by in row.entries or ():
        known = replayed(known, LogEntry(number, at, seat, action, Actor(by)))
    return with_log_of(known, now)
