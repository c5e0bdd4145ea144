"""Reviews as rows of the database, and the queue of those to be made.

These functions run in the store's transactions. A review that is to be made stays ``waiting`` until
it is stored, so a restart begins it again. Its progress is stored as well, so that all processes
know it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
    progress: tuple[int, int] | None
    """The numbers of judged decisions and of all decisions; None if it is not being made."""


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
    """Return the number of reviews that the guest has asked for since then."""
    asked = select(func.count()).where(_R.c.guest == guest, _R.c.asked >= since)
    return connection.scalar(asked) or 0


def note_progress(connection: Connection, table: str, progress: tuple[int, int] | None) -> None:
    """Store the progress of a waiting review; None if no process is making it any more."""
    judged, decisions = progress or (None, None)
    _change_waiting(connection, table, {"judged": judged, "decisions": decisions})


def finish_review(connection: Connection, table: str, network: str, content: str) -> bool:
    """Store the finished review of a table if one was requested and is still waiting.

    Returns whether it was stored.
    """
    values = {"state": DONE, "network": network, "content": content}
    return _change_waiting(connection, table, values)


def fail_review(connection: Connection, table: str) -> None:
    """Store that a waiting review could not be made; it can be requested again."""
    _change_waiting(connection, table, {"state": FAILED})


def _change_waiting(connection: Connection, table: str, values: dict[str, Any]) -> bool:
    waiting = (_R.c.table_id == table) & (_R.c.state == WAITING)
    return connection.execute(update(_R).where(waiting).values(values)).rowcount == 1


def _stored(row: Row[tuple[object, ...]]) -> StoredReview:
    progress = None if row.judged is None else (row.judged, row.decisions)
    return StoredReview(row.table_id, row.state, row.asked, row.content, progress)
