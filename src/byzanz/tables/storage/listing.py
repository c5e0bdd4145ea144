"""Listings: tables as the lobby shows them, without their games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from sqlalchemy import Connection, Select, and_, select

from byzanz.tables.model.plan import TableOptions
from byzanz.tables.model.table import Stage
from byzanz.tables.model.view import Sitter, sitters

from . import schema
from .table_rows import chairs_of, head

_MOST_TABLES = 200
"""The maximum number of tables in a list."""
_MOST_COMPARED = 10_000
"""The maximum number of tables from which those in the lobby are chosen."""


class Listing(Struct, frozen=True, kw_only=True):
    """A table as lists show it. It does not say who is present."""

    table: str
    stage: Stage
    options: TableOptions
    sitters: tuple[Sitter, ...]
    seat: int | None
    """The seat of the guest who gets the list."""
    waiting_for: tuple[int, ...]
    """The seats that have a decision to make."""
    deadline: float | None
    created: float
    active: float
    """The time of the last change."""
    origin: str | None = None
    """The table whose finished game is continued here."""
    origin_step: int | None = None
    """The number of actions that were taken over from there."""
    locked: bool = False
    """Whether joining and watching need a password."""


def lobby(
    connection: Connection, guest: str | None, address_of: Callable[[str], str] = str
) -> tuple[Listing, ...]:
    """Return the listed tables: first open ones, then those in play, both newest first.

    If there are too many, the network addresses of the hosts take turns, and so do the hosts who
    share an address.
    """
    t = schema.tables
    listed = and_(t.c.listed, t.c.stage.in_([Stage.OPEN, Stage.PLAYING]))
    order = (t.c.stage == Stage.OPEN).desc(), t.c.active.desc()
    query = select(t.c.id, t.c.host, t.c.stage).where(listed).order_by(*order)
    rows = connection.execute(query.limit(_MOST_COMPARED)).all()
    chosen = _fair_share([(row.id, row.host or "", row.stage) for row in rows], address_of)
    return _listed(connection, select(t).where(t.c.id.in_(chosen)).order_by(*order), guest)


def _fair_share(tables: list[tuple[str, str, str]], address_of: Callable[[str], str]) -> list[str]:
    """Return the ids of the tables to list. Each of ``tables`` is an id, a host and a stage."""
    turns: Counter[tuple[str, str]] = Counter()
    places = []
    for place, (table, host, stage) in enumerate(tables):
        address = address_of(host)
        turns[stage, f"host {host}"] += 1
        turns[stage, f"address {address}"] += 1
        turn = turns[stage, f"host {host}"], turns[stage, f"address {address}"]
        places.append((stage != Stage.OPEN, turn[1], turn[0], place, table))
    return [table for *_, table in sorted(places)[:_MOST_TABLES]]


def tables_of(connection: Connection, guest: str) -> tuple[Listing, ...]:
    """Return the tables at which the guest has a seat and has not left.

    Unfinished ones come first, then finished ones, both newest first.
    """
    t, s = schema.tables, schema.seats
    seated = select(s.c.table_id).where(s.c.guest == guest, s.c.gone.is_(False))
    mine = and_(t.c.id.in_(seated), t.c.stage.not_in([Stage.EXPIRED, Stage.ENDED]))
    order = t.c.stage == Stage.FINISHED, t.c.active.desc()
    return _listed(connection, select(t).where(mine).order_by(*order), guest)


def listed(connection: Connection, guest: str, tables: Sequence[str]) -> tuple[Listing, ...]:
    """Return the given tables, without those that do not exist."""
    t = schema.tables
    return _listed(connection, select(t).where(t.c.id.in_(tables)), guest)


def branches_of(connection: Connection, table: str) -> tuple[Listing, ...]:
    """Return the tables at which this table's game was continued, newest first."""
    t = schema.tables
    begun = and_(t.c.origin == table, t.c.stage != Stage.EXPIRED)
    return _listed(connection, select(t).where(begun).order_by(t.c.created.desc()), None)


def _listed(connection: Connection, query: Select[Any], guest: str | None) -> tuple[Listing, ...]:
    rows = connection.execute(query.limit(_MOST_TABLES)).all()
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
                origin=table.origin,
                origin_step=table.origin_step,
                locked=table.password is not None,
            )
        )
    return tuple(listings)
