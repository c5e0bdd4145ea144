"""Results of finished games as rows of the database.

These functions run in the store's transactions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, and_, exists, func, insert, select, update

from byzanz.tables.model.results import GameFilter, GameResult, Outcome, game_results
from byzanz.tables.model.table import Stage, Table

from . import schema
from .review_rows import DONE

_BETWEEN_SETS = ", "
_PLAIN = (
    "finished",
    "players",
    "place",
    "profit",
    "share",
    "opponents",
    "undone",
    "hints",
    "accuracy",
    "luck",
)
"""The columns that are stored as they are."""
_COLUMNS = [schema.results.c[name] for name in ("table_id", "seat", "sold", *_PLAIN)]


def add_results(connection: Connection, table: Table, finished: float) -> None:
    """Insert the results of a finished table, one for each person who has not left."""
    rows = [_row(guest, result) for guest, result in game_results(table, finished)]
    if rows:
        connection.execute(insert(schema.results), rows)


def results_of(connection: Connection, guest: str, wanted: GameFilter) -> tuple[GameResult, ...]:
    """Return the guest's results that match the filter, newest first."""
    r = schema.results
    query = select(*_COLUMNS).where(r.c.guest == guest)
    if wanted.players is not None:
        query = query.where(r.c.players == wanted.players)
    if wanted.opponents is not None:
        query = query.where(r.c.opponents == wanted.opponents)
    if wanted.outcome is not None:
        won = r.c.place == 1
        query = query.where(won if wanted.outcome is Outcome.WON else ~won)
    if wanted.since is not None:
        query = query.where(r.c.finished >= wanted.since)
    rows = connection.execute(query.order_by(r.c.finished.desc(), r.c.table_id))
    return tuple([_result(*row) for row in rows])


def opponents_of(connection: Connection, guest: str) -> tuple[str, ...]:
    """Return all different opponents in the guest's results, in alphabetical order."""
    r = schema.results
    query = select(r.c.opponents).where(r.c.guest == guest).distinct().order_by(r.c.opponents)
    return tuple(connection.scalars(query))


def add_reviewed(
    connection: Connection, table: str, seats: Iterable[tuple[int, float, float | None]]
) -> None:
    """Store the accuracy and the luck of each reviewed seat in its result."""
    r = schema.results
    for seat, accuracy, luck in seats:
        here = and_(r.c.table_id == table, r.c.seat == seat)
        connection.execute(update(r).where(here).values(accuracy=accuracy, luck=luck))


def reviewed_without_accuracy(connection: Connection) -> tuple[str, ...]:
    """Return the tables that have a review whose accuracy is not in their results yet."""
    r, v = schema.results, schema.reviews
    lacking = and_(v.c.state == DONE, r.c.accuracy.is_(None))
    query = select(r.c.table_id).join(v, v.c.table_id == r.c.table_id).where(lacking).distinct()
    return tuple(connection.scalars(query.order_by(r.c.table_id)))


def tables_without_results(connection: Connection) -> dict[str, float]:
    """Return the finished tables that lack a person's result, with the time of the last action."""
    t, s, r, lines = schema.tables, schema.seats, schema.results, schema.log
    there = and_(r.c.table_id == s.c.table_id, r.c.seat == s.c.seat)
    lacking = and_(s.c.guest.is_not(None), s.c.gone.is_(False), ~exists().where(there))
    query = (
        select(t.c.id, func.max(lines.c.at).label("finished"))
        .join(s, s.c.table_id == t.c.id)
        .join(lines, lines.c.table_id == t.c.id)
        .where(t.c.stage == Stage.FINISHED, lacking)
        .group_by(t.c.id)
    )
    return {row.id: row.finished for row in connection.execute(query)}


def _row(guest: str, result: GameResult) -> dict[str, object]:
    return {
        "table_id": result.table,
        "seat": result.seat,
        "guest": guest,
        "sold": _BETWEEN_SETS.join(result.sold),
        **{name: getattr(result, name) for name in _PLAIN},
    }


def _result(*values: Any) -> GameResult:
    """Return the result with these values of ``_COLUMNS``."""
    table, seat, sold, *others = values
    return GameResult(
        table=table,
        seat=seat,
        sold=tuple(sold.split(_BETWEEN_SETS)) if sold else (),
        **dict(zip(_PLAIN, others, strict=True)),
    )
