"""Guests as rows of the database. These functions run in the store's transactions."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select, update

from byzanz.tables.model.guests import Guest
from byzanz.tables.model.sessions import digest_of

from . import schema
from .rating_rows import drop_ratings
from .session_rows import drop_sessions


def add_guest(connection: Connection, guest: Guest) -> None:
    """Insert a guest."""
    row = {"id": guest.id, "name": guest.name, "language": guest.language}
    more = {"created": guest.created, "seen": guest.seen, "avatar": guest.avatar}
    connection.execute(insert(schema.guests).values(**row, **more, old_sign_ins=False))


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


def drop_guest(connection: Connection, guest: str) -> tuple[str, ...]:
    """Delete the guest, their results, ratings, tries, sessions, links and stored answers.

    Bans of the guest and their push endpoints and e-mail addresses are deleted too; bans of network
    addresses stay. Reviews that the guest asked for stay with their games, without the guest.
    Returns the digests of the sessions.
    """
    reviews = schema.reviews
    connection.execute(update(reviews).where(reviews.c.guest == guest).values(guest=None))
    connection.execute(delete(schema.results).where(schema.results.c.guest == guest))
    drop_ratings(connection, guest)
    d, t = schema.shared_deals, schema.tries
    connection.execute(delete(t).where(t.c.guest == guest))
    connection.execute(update(d).where(d.c.host == guest).values(host=None))
    connection.execute(delete(schema.answers).where(schema.answers.c.guest == guest))
    connection.execute(delete(schema.passes).where(schema.passes.c.guest == guest))
    sessions = drop_sessions(connection, guest)
    connection.execute(delete(schema.admissions).where(schema.admissions.c.guest == guest))
    connection.execute(delete(schema.bans).where(schema.bans.c.guest == guest))
    targets = schema.notification_targets
    connection.execute(delete(targets).where(targets.c.guest == guest))
    connection.execute(delete(schema.presence).where(schema.presence.c.guest == guest))
    connection.execute(delete(schema.guests).where(schema.guests.c.id == guest))
    return sessions


def guests_unseen(connection: Connection, before: float) -> tuple[str, ...]:
    """Return the guests whose last visit was before that time."""
    g = schema.guests
    return tuple(connection.scalars(select(g.c.id).where(g.c.seen < before)))


def add_pass(connection: Connection, guest: str, token: str, expires: float) -> None:
    """Store this as the guest's only valid token. Only its digest is stored."""
    connection.execute(delete(schema.passes).where(schema.passes.c.guest == guest))
    connection.execute(
        insert(schema.passes).values(digest=digest_of(token), guest=guest, expires=expires)
    )


def use_pass(connection: Connection, token: str, now: float) -> Guest | None:
    """Delete the token and return its guest; None if it is unknown, used or expired."""
    p = schema.passes
    row = connection.execute(select(p).where(p.c.digest == digest_of(token))).one_or_none()
    if row is None:
        return None
    used = connection.execute(delete(p).where(p.c.digest == row.digest))
    return load_guest(connection, row.guest) if used.rowcount and now < row.expires else None
