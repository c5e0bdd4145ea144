"""Reviews as rows of the database, and the queue of those to be made. These are jobs for the store.

A review that is to be made stays ``waiting`` until it is stored, so a restart begins it again.
"""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from . import schema

WAITING, DONE, FAILED = "waiting", "done", "failed"
"""The states of a stored review."""

_R = schema.reviews


class StoredReview(NamedTuple):
    """The row of a review."""

    table: str
    state: str
    asked: float
    content: str | None


def load_review(connection: Connection, table: str) -> StoredReview | None:
    """Return the review of this table's game; None if nobody asked for one."""
    row = connection.execute(select(_R).where(_R.c.table_id == table)).one_or_none()
    return None if row is None else _stored(row)


def add_review(connection: Connection, table: str, guest: str, now: float) -> None:
    """Put the game into the queue. An earlier review of it is replaced."""
    connection.execute(delete(_R).where(_R.c.table_id == table))
    row = {"table_id": table, "state": WAITING, "guest": guest, "asked": now}
    connection.execute(insert(_R).values(row))


def waiting_reviews(connection: Connection) -> tuple[str, ...]:
    """Return the tables whose games wait for their review, in the order of the requests."""
    waiting = select(_R.c.table_id).where(_R.c.state == WAITING)
    return tuple(connection.scalars(waiting.order_by(_R.c.asked, _R.c.table_id)))


def asked_since(connection: Connection, guest: str, since: float) -> int:
    """Return how many reviews the guest has asked for since then."""
    asked = select(func.count()).where(_R.c.guest == guest, _R.c.asked >= since)
    return connection.scalar(asked) or 0


def finish_review(connection: Connection, table: str, network: str, content: str) -> None:
    """Store a review and the network that made it."""
    values = {"state": DONE, "network": network, "content": content}
    connection.execute(update(_R).where(_R.c.table_id == table).values(values))


def fail_review(connection: Connection, table: str) -> None:
    """Note that the review could not be made; it can be asked for again."""
    connection.execute(update(_R).where(_R.c.table_id == table).values(state=FAILED))


def _stored(row: Row[tuple[object, ...]]) -> StoredReview:
    return StoredReview(row.table_id, row.state, row.asked, row.content)
