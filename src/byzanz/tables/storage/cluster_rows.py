"""Processes, leases and presence as rows of a PostgreSQL database.

These functions run in the store's transactions. Times of processes are those of the database
server, so the clocks of the machines do not matter.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Double,
    cast,
    delete,
    exists,
    func,
    literal,
    not_,
    select,
    update,
)
from sqlalchemy.dialects.postgresql import insert

from byzanz.tables.model.table import Stage

from . import schema

_P, _L, _T, _S, _A = (
    schema.processes, schema.leases, schema.tables, schema.seats, schema.presence,
)  # fmt: skip
_NOW: ColumnElement[float] = cast(func.extract("epoch", func.clock_timestamp()), Double)


class Attendance(NamedTuple):
    """Whether a player has a table open, and when they last used it."""

    connected: bool
    at: float


class Peek(NamedTuple):
    """The stored revision of a table, and the presence of its players in other processes."""

    revision: int
    present: dict[str, Attendance]


def join(connection: Connection, process: str, *, serves: bool) -> None:
    """Register a process. If ``serves`` is false, it only does background jobs."""
    connection.execute(insert(_P).values(id=process, started=_NOW, seen=_NOW, serves=serves))


def renew(connection: Connection, process: str) -> bool:
    """Renew the leases of a process; return False if they have expired."""
    renewed = connection.execute(update(_P).where(_P.c.id == process).values(seen=_NOW))
    return renewed.rowcount == 1


def leave(connection: Connection, process: str, now: float) -> None:
    """Remove a process and its leases. Store that its players were present until ``now``."""
    connection.execute(delete(_P).where(_P.c.id == process))
    _disconnect_lost(connection, now)


def expire(connection: Connection, seconds: float, now: float) -> int:
    """Remove the processes that have not renewed their leases for this long; return how many."""
    lost = connection.execute(delete(_P).where(_P.c.seen < _NOW - seconds)).rowcount
    if lost:
        _disconnect_lost(connection, now)
    return lost


def first_process(connection: Connection) -> tuple[str | None, int]:
    """Return the process that has served the longest, and the number of all processes."""
    found = connection.execute(select(_P.c.id, _P.c.serves).order_by(_P.c.started, _P.c.id)).all()
    return next((id_ for id_, serves in found if serves), None), len(found)


def _disconnect_lost(connection: Connection, now: float) -> None:
    """Store that players who were connected to removed processes are no longer connected."""
    lost = _A.c.process.not_in(select(_P.c.id))
    connection.execute(update(_A).where(_A.c.connected, lost).values(connected=False, at=now))


def adopt(connection: Connection, process: str, share: int) -> tuple[str, ...]:
    """Lease to the process a fair share of the tables in play that have no lease; return them."""
    free = select(_T.c.id).where(
        _T.c.stage == Stage.PLAYING, not_(exists().where(_L.c.table_id == _T.c.id))
    )
    tables = connection.scalars(free.order_by(_T.c.id)).all()
    return acquire(connection, process, tables[: max(_SMALLEST_SHARE, -(-len(tables) // share))])


_SMALLEST_SHARE = 20


def acquire(connection: Connection, process: str, tables: Collection[str]) -> tuple[str, ...]:
    """Lease these tables to the process; return those that were leased.

    Tables that are not in play, or that have a lease already, are left out.
    """
    if not tables:
        return ()
    playing = select(_T.c.id, literal(process)).where(
        _T.c.id.in_(tables), _T.c.stage == Stage.PLAYING
    )
    leased = insert(_L).from_select(["table_id", "holder"], playing.order_by(_T.c.id))
    return tuple(connection.scalars(leased.on_conflict_do_nothing().returning(_L.c.table_id)))


def held(connection: Connection, process: str) -> frozenset[str]:
    """Delete the process's leases of tables no longer in play; return the tables that it holds."""
    ended = select(_T.c.id).where(_T.c.id == _L.c.table_id, _T.c.stage != Stage.PLAYING)
    connection.execute(delete(_L).where(_L.c.holder == process, exists(ended)))
    return frozenset(connection.scalars(select(_L.c.table_id).where(_L.c.holder == process)))


def revisions(connection: Connection, tables: Collection[str]) -> dict[str, int]:
    """Return the stored revisions of these tables. Tables that do not exist are left out."""
    rows = connection.execute(select(_T.c.id, _T.c.revision).where(_T.c.id.in_(tables)))
    return {row.id: row.revision for row in rows}


def peek(connection: Connection, table: str, process: str) -> Peek | None:
    """Return the table's revision and its players in other processes; None if it is not stored."""
    found = revisions(connection, [table])
    if not found:
        return None
    return Peek(found[table], presence(connection, [table], process).get(table, {}))


def presence(
    connection: Connection, tables: Collection[str], process: str
) -> dict[str, dict[str, Attendance]]:
    """Return the presence of these tables' players in processes other than this one."""
    found: dict[str, dict[str, Attendance]] = {}
    rows = connection.execute(
        select(_A.c.table_id, _A.c.guest, func.bool_or(_A.c.connected), func.max(_A.c.at))
        .where(_A.c.table_id.in_(tables), _A.c.process != process)
        .group_by(_A.c.table_id, _A.c.guest)
    )
    for table, guest, connected, at in rows:
        found.setdefault(table, {})[guest] = Attendance(connected, at)
    return found


def attend(
    connection: Connection, process: str, players: Mapping[tuple[str, str], Attendance]
) -> None:
    """Store who is present in this process. Each key is a table and a guest."""
    there = revisions(connection, {table for table, _ in players})
    rows = [
        {"table_id": table, "guest": guest, "process": process, "connected": c, "at": at}
        for (table, guest), (c, at) in sorted(players.items())
        if table in there
    ]
    if rows:
        new = insert(_A)
        stored = {"connected": new.excluded.connected, "at": new.excluded.at}
        keys = [_A.c.table_id, _A.c.guest, _A.c.process]
        connection.execute(new.on_conflict_do_update(index_elements=keys, set_=stored), rows)


def drop_old_presence(connection: Connection, before: float) -> None:
    """Delete the stored presence of players who were last present before that time."""
    connection.execute(delete(_A).where(not_(_A.c.connected), _A.c.at < before))
