"""Guests as rows of the database. These functions are jobs for the store."""

from __future__ import annotations

import hashlib

from sqlalchemy import Connection, delete, insert, select, update

from byzanz.tables.model.guests import Guest

from . import schema


def add_guest(connection: Connection, guest: Guest) -> None:
    """Insert a guest."""
    row = {"id": guest.id, "name": guest.name, "language": guest.language}
    more = {"created": guest.created, "seen": guest.seen, "avatar": guest.avatar}
    connection.execute(insert(schema.guests).values(**row, **more))


def load_guest(connection: Connection, guest: str) -> Guest | None:
    """Return the guest with this id; None if there is none."""
    g = schema.guests
    row = connection.execute(select(g).where(g.c.id == guest)).one_or_none()
    if row is None:
        return None
    return Guest(row.id, row.name, row.language, row.created, row.seen, row.avatar)


def save_guest(connection: Connection, guest: Guest) -> None:
    """Update the guest's name, language, portrait and last visit."""
    g = schema.guests
    changed = {
        "name": guest.name,
        "language": guest.language,
        "seen": guest.seen,
        "avatar": guest.avatar,
    }
    connection.execute(update(g).where(g.c.id == guest.id).values(changed))


def drop_guest(connection: Connection, guest: str) -> None:
    """Delete the guest, their results and tries, their tokens and the answers to their requests.

    Reviews that the guest asked for stay with their games, without the guest.
    """
    reviews = schema.reviews
    connection.execute(update(reviews).where(reviews.c.guest == guest).values(guest=None))
    connection.execute(delete(schema.results).where(schema.results.c.guest == guest))
    d, t = schema.shared_deals, schema.tries
    connection.execute(delete(t).where(t.c.guest == guest))
    connection.execute(update(d).where(d.c.host == guest).values(host=None))
    connection.execute(delete(schema.answers).where(schema.answers.c.guest == guest))
    connection.execute(delete(schema.passes).where(schema.passes.c.guest == guest))
    connection.execute(delete(schema.presence).where(schema.presence.c.guest == guest))
    connection.execute(delete(schema.guests).where(schema.guests.c.id == guest))


def guests_unseen(connection: Connection, before: float) -> tuple[str, ...]:
    """Return the guests whose last visit was before that time."""
    g = schema.guests
    return tuple(connection.scalars(select(g.c.id).where(g.c.seen < before)))


def add_pass(connection: Connection, guest: str, token: str, expires: float) -> None:
    """Make this the guest's only valid token. Only its digest is stored."""
    connection.execute(delete(schema.passes).where(schema.passes.c.guest == guest))
    connection.execute(
        insert(schema.passes).values(digest=_digest(token), guest=guest, expires=expires)
    )


def use_pass(connection: Connection, token: str, now: float) -> Guest | None:
    """Delete the token and return its guest; None if it is unknown, used or expired."""
    p = schema.passes
    row = connection.execute(select(p).where(p.c.digest == _digest(token))).one_or_none()
    if row is None:
        return None
    used = connection.execute(delete(p).where(p.c.digest == row.digest))
    return load_guest(connection, row.guest) if used.rowcount and now < row.expires else None


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
