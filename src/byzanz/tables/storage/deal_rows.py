"""Shared deals and the tries at them as rows of the database.

These functions run in the store's transactions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, Select, and_, delete, exists, func, insert, select

from byzanz.tables.model.shared_deals import SharedDeal
from byzanz.tables.model.table import Table

from . import schema
from .table_rows import add_table, hosted


class Try(NamedTuple):
    """A guest's try at a shared deal. The profit and the place are None until it is finished."""

    guest: str
    table: str
    ranked: bool
    profit: int | None
    place: int | None
    left: bool
    """Whether the guest left the table for good."""


def load_deal(connection: Connection, deal: str) -> SharedDeal | None:
    """Return the shared deal with this id; None if it is not stored."""
    d = schema.shared_deals
    row = connection.execute(select(d).where(d.c.id == deal)).one_or_none()
    if row is None:
        return None
    return SharedDeal(row.id, row.created, row.seat, tuple(row.bots.split()), row.host)


def add_deal(connection: Connection, deal: SharedDeal) -> SharedDeal:
    """Store the shared deal unless one with its id is stored; return the stored one."""
    found = load_deal(connection, deal.id)
    if found is not None:
        return found
    connection.execute(
        insert(schema.shared_deals).values(
            id=deal.id,
            created=deal.created,
            seat=deal.seat,
            bots=" ".join(deal.bots),
            host=deal.host,
        )
    )
    return deal


def add_try(
    connection: Connection, table: Table, guest: str, *, ranked: bool, most_tables: int
) -> str | None:
    """Store the guest's table for a shared deal and return its id.

    If the guest has begun before, return the id of that table and store nothing. Return None if
    the guest hosts too many tables.
    """
    found = try_of(connection, table.shared_deal or "", guest)
    if found is not None:
        return found.table
    if hosted(connection, guest) >= most_tables:
        return None
    add_table(connection, table)
    connection.execute(
        insert(schema.tries).values(
            deal=table.shared_deal,
            guest=guest,
            table_id=table.id,
            ranked=ranked,
            started=table.created,
        )
    )
    return table.id


def tries_at(connection: Connection, deal: str) -> tuple[Try, ...]:
    """Return all tries at the shared deal, in the order in which they began."""
    return tuple(Try._make(row) for row in connection.execute(_tries(deal)))


def try_of(connection: Connection, deal: str, guest: str) -> Try | None:
    """Return the guest's try at the shared deal; None if they have not begun."""
    query = _tries(deal).where(schema.tries.c.guest == guest)
    row = connection.execute(query).one_or_none()
    return None if row is None else Try._make(row)


def tried(connection: Connection, guest: str, deals: Sequence[str]) -> dict[str, int | None]:
    """Return the deals that the guest has begun, with the profit, or None if unfinished."""
    t, r = schema.tries, schema.results
    there = and_(r.c.table_id == t.c.table_id, r.c.guest == t.c.guest)
    query = select(t.c.deal, r.c.profit).select_from(t.outerjoin(r, there))
    mine = query.where(t.c.guest == guest, t.c.deal.in_(deals))
    return {row.deal: row.profit for row in connection.execute(mine)}


def ranked_profits(connection: Connection, deal: str) -> tuple[int, ...]:
    """Return the profits of all finished ranked tries, highest first."""
    t, r = schema.tries, schema.results
    there = and_(r.c.table_id == t.c.table_id, r.c.guest == t.c.guest)
    query = select(r.c.profit).join(t, there).where(t.c.deal == deal, t.c.ranked)
    return tuple(connection.scalars(query.order_by(r.c.profit.desc())))


def leaders(connection: Connection, deal: str, above: int, most: int) -> tuple[Try, ...]:
    """Return the best ranked tries with more profit than ``above``, best first."""
    t, r = schema.tries, schema.results
    better = _tries(deal).where(t.c.ranked, r.c.profit > above).order_by(None)
    rows = connection.execute(better.order_by(r.c.profit.desc(), t.c.started).limit(most))
    return tuple(Try._make(row) for row in rows)


def count_ranked(connection: Connection, deal: str) -> int:
    """Return the number of finished ranked tries."""
    t, r = schema.tries, schema.results
    there = and_(r.c.table_id == t.c.table_id, r.c.guest == t.c.guest)
    query = select(func.count()).select_from(r).join(t, there).where(t.c.deal == deal, t.c.ranked)
    return connection.scalar(query) or 0


def drop_unused_deals(connection: Connection, before: float) -> None:
    """Delete the shared deals that were made before that time and that nobody has tried."""
    d, t = schema.shared_deals, schema.tries
    tried = exists().where(t.c.deal == d.c.id)
    connection.execute(delete(d).where(d.c.created < before, ~tried))


def _tries(deal: str) -> Select[tuple[str, str, bool, int | None, int | None, bool]]:
    t, r, s = schema.tries, schema.results, schema.seats
    there = and_(r.c.table_id == t.c.table_id, r.c.guest == t.c.guest)
    seated = and_(s.c.table_id == t.c.table_id, s.c.guest == t.c.guest)
    return (
        select(t.c.guest, t.c.table_id, t.c.ranked, r.c.profit, r.c.place, s.c.gone)
        .select_from(t.join(s, seated).outerjoin(r, there))
        .where(t.c.deal == deal)
        .order_by(t.c.started, t.c.table_id)
    )
