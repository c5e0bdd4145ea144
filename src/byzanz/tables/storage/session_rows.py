"""Sessions as rows of the database. These functions run in the store's transactions."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, insert, select, update

from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.sessions import Label, Session, SessionKind

from . import schema


def add_device(
    connection: Connection, session: Session, most: int, replaced: Session | None = None
) -> tuple[str, ...]:
    """Insert a device. If there are more than ``most``, end the least recently used ones.

    The new session can replace the one that the same browser had before. If both belong to the same
    guest, the browser keeps getting notifications. Returns the digests of the sessions that were
    ended.
    """
    _insert(connection, session)
    s = schema.sessions
    if replaced is not None:
        if replaced.guest == session.guest:
            t = schema.notification_targets
            mine = update(t).where(t.c.session == replaced.digest)
            connection.execute(mine.values(session=session.digest))
        end_session(connection, replaced.digest)
    devices = _current(session.guest, session.seen) & (s.c.kind == SessionKind.DEVICE)
    others = select(s.c.digest).where(devices, s.c.digest != session.digest)
    surplus = tuple(connection.scalars(others.order_by(s.c.seen.desc()).offset(most - 1)))
    for digest in surplus:
        end_session(connection, digest)
    return surplus if replaced is None else (replaced.digest, *surplus)


def add_token(connection: Connection, session: Session, most: int) -> None:
    """Insert a token; raises Declined if the guest has too many."""
    s = schema.sessions
    tokens = _current(session.guest, session.seen) & (s.c.kind == SessionKind.TOKEN)
    if (connection.scalar(select(func.count()).where(tokens)) or 0) >= most:
        raise Declined(TableReason.TOO_MANY_TOKENS, most=most)
    _insert(connection, session)


def adopt_session(connection: Connection, session: Session) -> Session | None:
    """Return the session of an old cookie or token; create it if it is used for the first time.

    Returns None if the guest has ended it, or no longer accepts old cookies and tokens.
    """
    s, g = schema.sessions, schema.guests
    row = connection.execute(select(s).where(s.c.digest == session.digest)).one_or_none()
    if row is not None:
        return None if row.ended else _session(row)
    if not connection.scalar(select(g.c.old_sign_ins).where(g.c.id == session.guest)):
        return None
    _insert(connection, session, old=True)
    return session


def load_session(connection: Connection, digest: str) -> Session | None:
    """Return the session with this digest; None if there is none or it has ended."""
    s = schema.sessions
    row = connection.execute(select(s).where(s.c.digest == digest, ~s.c.ended)).one_or_none()
    return None if row is None else _session(row)


def save_session(connection: Connection, session: Session) -> None:
    """Update the session's expiry and the time of its last use."""
    s = schema.sessions
    changed = {"seen": session.seen, "expires": session.expires}
    connection.execute(update(s).where(s.c.digest == session.digest).values(changed))


def sessions_of(connection: Connection, guest: str, now: float) -> tuple[Session, ...]:
    """Return the guest's sessions, the most recently used ones first."""
    s = schema.sessions
    rows = connection.execute(
        select(s).where(_current(guest, now)).order_by(s.c.seen.desc(), s.c.created.desc())
    )
    return tuple(_session(row) for row in rows)


def end_session(connection: Connection, digest: str) -> None:
    """End a session and stop notifications to its browser.

    An old cookie or token is remembered, so that it cannot be used again.
    """
    s = schema.sessions
    _drop_targets(connection, [digest])
    connection.execute(update(s).where(s.c.digest == digest, s.c.old).values(ended=True))
    connection.execute(delete(s).where(s.c.digest == digest, ~s.c.old))


def end_sessions(connection: Connection, guest: str, keep: str | None) -> tuple[str, ...]:
    """End all sessions of the guest but one; return the digests of those that were ended.

    Cookies and tokens of earlier versions that have not been used since the upgrade are ended too.
    """
    s, g = schema.sessions, schema.guests
    found = connection.scalars(select(s.c.digest).where(s.c.guest == guest, s.c.digest != keep))
    ended = tuple(found)
    for digest in ended:
        end_session(connection, digest)
    connection.execute(update(g).where(g.c.id == guest).values(old_sign_ins=False))
    return ended


def drop_expired_sessions(connection: Connection, now: float) -> tuple[str, ...]:
    """Delete all sessions that have expired, and return their digests."""
    s = schema.sessions
    expired = tuple(connection.scalars(select(s.c.digest).where(s.c.expires <= now)))
    connection.execute(delete(s).where(s.c.expires <= now))
    _drop_targets(connection, expired)
    return expired


def drop_sessions(connection: Connection, guest: str) -> tuple[str, ...]:
    """Delete all sessions of a guest, and return their digests."""
    s = schema.sessions
    found = tuple(connection.scalars(select(s.c.digest).where(s.c.guest == guest)))
    connection.execute(delete(s).where(s.c.guest == guest))
    return found


def missing(connection: Connection, digests: Collection[str]) -> frozenset[str]:
    """Return the digests that belong to no usable session."""
    s = schema.sessions
    usable = select(s.c.digest).where(s.c.digest.in_(digests), ~s.c.ended)
    return frozenset(digests) - frozenset(connection.scalars(usable))


def _drop_targets(connection: Connection, digests: Collection[str]) -> None:
    """Delete the notification targets that were added in these sessions."""
    t = schema.notification_targets
    connection.execute(delete(t).where(t.c.session.in_(digests)))


def _current(guest: str, now: float) -> ColumnElement[bool]:
    s = schema.sessions
    return (s.c.guest == guest) & ~s.c.ended & (s.c.expires > now)


def _insert(connection: Connection, session: Session, *, old: bool = False) -> None:
    row = {
        "digest": session.digest,
        "guest": session.guest,
        "kind": session.kind,
        "name": session.label.name,
        "browser": session.label.browser,
        "system": session.label.system,
        "created": session.created,
        "seen": session.seen,
        "expires": session.expires,
        "old": old,
        "ended": False,
    }
    connection.execute(insert(schema.sessions).values(row))


def _session(row: Any) -> Session:
    label = Label(row.name, row.browser, row.system)
    kind = SessionKind(row.kind)
    return Session(row.digest, row.guest, kind, label, row.created, row.seen, row.expires)
