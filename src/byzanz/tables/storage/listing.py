"""Listings: what a lobby shows of a table, without loading it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, and_, select

from byzanz.tables.model.plan import TableOptions
from byzanz.tables.model.table import Stage
from byzanz.tables.model.view import Sitter, sitters

from . import schema
from .table_rows import chairs_of, head

_LONGEST = 200
"""Tables that one listing holds at most."""


@dataclass(frozen=True, slots=True)
class Listing:
    """A table as lists show it."""

    table: str
    stage: Stage
    options: TableOptions
    sitters: tuple[Sitter, ...]
    """Without who is present."""
    seat: int | None
    """The seat of the guest the list is for."""
    waiting_for: tuple[int, ...]
    """The seats that owe a decision."""
    deadline: float | None
    created: float
    active: float
    """When it last changed."""


def lobby(connection: Connection, guest: str | None) -> tuple[Listing, ...]:
    """The listed tables, open ones first, then those in play; each newest first."""
    t = schema.tables
    listed = and_(t.c.listed, t.c.stage.in_([Stage.OPEN, Stage.PLAYING]))
    order = (t.c.stage == Stage.OPEN).desc(), t.c.active.desc()
    return _listed(connection, select(t).where(listed).order_by(*order), guest)


def tables_of(connection: Connection, guest: str) -> tuple[Listing, ...]:
    """The tables at which the guest has a seat and did not leave.

    Unfinished ones come first, each kind newest first.
    """
    t, s = schema.tables, schema.seats
    seated = select(s.c.table_id).where(s.c.guest == guest, s.c.gone.is_(False))
    mine = and_(t.c.id.in_(seated), t.c.stage != Stage.EXPIRED)
    order = t.c.stage == Stage.FINISHED, t.c.active.desc()
    return _listed(connection, select(t).where(mine).order_by(*order), guest)


def _listed(connection: Connection, query: Select[Any], guest: str | None) -> tuple[Listing, ...]:
    rows = connection.execute(query.limit(_LONGEST)).all()
    chairs = chairs_of(connection, [row.id for row in rows])
    listings = []
    for row in rows:
        table = head(row, chairs[row.id])
        listings.append(
            Listing(
                table=table.id,
                stage=table.stage,
                options=table.options,
                sitters=sitters(table),
                seat=table.seat_of(guest),
                waiting_for=tuple(map(int, row.waiting.split())),
                deadline=table.deadline,
                created=table.created,
                active=table.active,
            )
        )
    return tuple(listings)
