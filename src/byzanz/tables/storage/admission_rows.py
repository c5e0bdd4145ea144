"""The guests who may see tables with a password.

These functions run in the store's transactions.
"""

from __future__ import annotations

from sqlalchemy import Connection, insert, select

from . import schema


def is_admitted(connection: Connection, table: str, guest: str) -> bool:
    """Return whether the guest has given the table's password, or had a seat there."""
    a, s = schema.admissions, schema.seats
    given = select(a.c.guest).where(a.c.table_id == table, a.c.guest == guest)
    seated = select(s.c.guest).where(s.c.table_id == table, s.c.guest == guest)
    return any(connection.scalar(query) is not None for query in (given, seated))


def admit(connection: Connection, table: str, guest: str) -> None:
    """Store that the guest has given the table's password."""
    if not is_admitted(connection, table, guest):
        connection.execute(insert(schema.admissions).values(table_id=table, guest=guest))
