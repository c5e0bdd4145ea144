"""Token buckets and counts of sockets that processes share, as rows of a PostgreSQL database.

These functions run in the store's transactions. Times are those of the database server.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, Double, cast, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from . import schema

_B, _O = schema.budgets, schema.open_sockets
_ROWS = 1000
"""The number of rows in one statement."""


class Spent(NamedTuple):
    """What a process took from a bucket, and the size and rate of the bucket."""

    tokens: float
    burst: float
    per_second: float


def spend(connection: Connection, spent: Mapping[str, Spent]) -> dict[str, float]:
    """Take tokens from these buckets, and return what is left in them."""
    now = connection.scalar(select(cast(func.extract("epoch", func.clock_timestamp()), Double)))
    found: dict[str, float] = {}
    items = sorted(spent.items())  # in the same order in all processes, so that none deadlocks
    for first in range(0, len(items), _ROWS):
        rows = [
            {"key": key, "tokens": burst - tokens, "at": now, "burst": burst, "per_second": rate}
            for key, (tokens, burst, rate) in items[first : first + _ROWS]
        ]
        new = insert(_B).values(rows)
        gained = func.greatest(0.0, new.excluded.at - _B.c.at) * new.excluded.per_second
        before = func.least(new.excluded.burst, _B.c.tokens + gained)
        left = before - (new.excluded.burst - new.excluded.tokens)
        upsert = new.on_conflict_do_update(
            index_elements=[_B.c.key],
            set_={
                "tokens": left,
                "at": new.excluded.at,
                "burst": new.excluded.burst,
                "per_second": new.excluded.per_second,
            },
        )
        returned = connection.execute(upsert.returning(_B.c.key, _B.c.tokens))
        found |= {row.key: row.tokens for row in returned}
    return found


def drop_full(connection: Connection) -> None:
    """Delete the buckets that are full again."""
    now = cast(func.extract("epoch", func.clock_timestamp()), Double)
    connection.execute(
        delete(_B).where(_B.c.tokens + (now - _B.c.at) * _B.c.per_second >= _B.c.burst)
    )


def count_sockets(
    connection: Connection, process: str, counts: Mapping[str, int], asked: Collection[str]
) -> dict[str, int]:
    """Store this process's numbers of open sockets.

    Returns the number of sockets that the other processes have open, for each key in ``asked``.
    Nothing is stored for a process that is no longer registered.
    """
    gone = [key for key, count in counts.items() if not count]
    there = schema.processes.c.id == process
    if connection.scalar(select(func.count()).select_from(schema.processes).where(there)):
        rows = [
            {"process": process, "key": key, "sockets": count}
            for key, count in sorted(counts.items())
            if count
        ]
        if gone:
            connection.execute(delete(_O).where(_O.c.process == process, _O.c.key.in_(gone)))
        if rows:
            new = insert(_O)
            stored = {"sockets": new.excluded.sockets}
            keys = [_O.c.process, _O.c.key]
            connection.execute(new.on_conflict_do_update(index_elements=keys, set_=stored), rows)
    if not asked:
        return {}
    others = select(_O.c.key, func.sum(_O.c.sockets)).where(
        _O.c.key.in_(asked), _O.c.process != process
    )
    return {key: int(count) for key, count in connection.execute(others.group_by(_O.c.key))}
