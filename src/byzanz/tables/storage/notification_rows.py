"""Notification targets and notices as rows of the database.

These functions run in the store's transactions.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from sqlalchemy import Connection, delete, func, insert, select, update

from byzanz.tables.model.notices import Notice, NoticeKind
from byzanz.tables.model.table import Stage
from byzanz.tables.model.targets import Channel, Target

from . import schema

_AT_ONCE = 20
"""The maximum number of notices sent at the same time."""
_MAX_ATTEMPTS = 5
_RETRY_SECONDS = 60.0
"""The time until the second attempt; it doubles with every further attempt."""


class DueNotice(NamedTuple):
    """A notice that is to be sent now."""

    target: Target
    language: str
    """The language of the guest."""
    table: str
    kind: NoticeKind
    occasion: int
    last: bool
    """Whether this is the last attempt to send it."""


def targets_of(connection: Connection, guest: str) -> tuple[Target, ...]:
    """Return the guest's targets, oldest first."""
    t = schema.notification_targets
    found = connection.execute(select(t).where(t.c.guest == guest).order_by(t.c.created, t.c.id))
    return tuple(_target(row) for row in found)


def load_target(connection: Connection, target: str) -> Target | None:
    """Return the target with this id; None if there is none."""
    t = schema.notification_targets
    row = connection.execute(select(t).where(t.c.id == target)).one_or_none()
    return None if row is None else _target(row)


def add_target(connection: Connection, target: Target, most: int) -> Target | None:
    """Store a target; return None if the guest has too many.

    A target that the guest has already added keeps its id. A browser belongs to only one guest, and
    a guest has only one e-mail address, so a new target replaces the previous one.
    """
    t = schema.notification_targets
    same = (t.c.channel == target.channel) & (t.c.address == target.address)
    row = connection.execute(select(t).where(same, t.c.guest == target.guest)).one_or_none()
    if row is not None:
        values = {
            "push_keys": _written(target.keys),
            "kinds": " ".join(target.kinds),
            "session": target.session,
        }
        connection.execute(update(t).where(t.c.id == row.id).values(values))
        return load_target(connection, row.id)
    mine = (t.c.channel == target.channel) & (t.c.guest == target.guest)
    connection.execute(delete(t).where(same if target.channel is Channel.PUSH else mine))
    count = select(func.count()).select_from(t).where(t.c.guest == target.guest)
    if (connection.scalar(count) or 0) >= most:
        return None
    connection.execute(
        insert(t).values(
            id=target.id,
            guest=target.guest,
            channel=target.channel,
            address=target.address,
            push_keys=_written(target.keys),
            kinds=" ".join(target.kinds),
            confirmed=target.confirmed,
            created=target.created,
            session=target.session,
        )
    )
    return target


def confirm_target(connection: Connection, target: str) -> Target | None:
    """Store that the guest has confirmed the address; return the target, or None if it is gone."""
    t = schema.notification_targets
    connection.execute(update(t).where(t.c.id == target).values(confirmed=True))
    return load_target(connection, target)


def choose_kinds(connection: Connection, target: str, kinds: Iterable[NoticeKind]) -> None:
    """Change which kinds of notices the target gets."""
    t = schema.notification_targets
    connection.execute(update(t).where(t.c.id == target).values(kinds=" ".join(kinds)))


def drop_target(connection: Connection, target: str) -> bool:
    """Delete the target with its notices; return whether there was one."""
    t = schema.notification_targets
    return bool(connection.execute(delete(t).where(t.c.id == target)).rowcount)


def drop_unconfirmed(connection: Connection, before: float) -> None:
    """Delete the addresses that were given before this time and never confirmed."""
    t = schema.notification_targets
    connection.execute(delete(t).where(~t.c.confirmed, t.c.created < before))


def tables_with_targets(connection: Connection) -> tuple[str, ...]:
    """Return the unfinished tables of guests who get notifications."""
    t, s, at = schema.notification_targets, schema.seats, schema.tables
    query = (
        select(at.c.id)
        .join(s, s.c.table_id == at.c.id)
        .join(t, t.c.guest == s.c.guest)
        .where(at.c.stage.in_((Stage.OPEN, Stage.PLAYING)), t.c.confirmed)
    )
    return tuple(connection.scalars(query.distinct()))


def queue_notice(connection: Connection, notice: Notice, table: str, now: float) -> int:
    """Make the notice due for the guest's targets; return the number of these targets.

    Only confirmed targets that want this kind get it. No target gets the same notice twice.
    """
    n, queued = schema.notices, 0
    for target in targets_of(connection, notice.guest):
        if not target.confirmed or notice.kind not in target.kinds:
            continue
        mine = _is(target.id, table, notice.kind)
        told = connection.scalar(select(n.c.occasion).where(mine))
        if told == notice.occasion:
            continue
        values = {"occasion": notice.occasion, "attempts": 0, "due": now}
        if told is None:
            key = {"target": target.id, "table_id": table, "kind": notice.kind}
            connection.execute(insert(n).values(**key, **values))
            queued += 1
        else:  # unless another process has just done the same
            unchanged = mine & (n.c.occasion == told)
            queued += connection.execute(update(n).where(unchanged).values(values)).rowcount
    return queued


def claim_notices(connection: Connection, now: float) -> tuple[DueNotice, ...]:
    """Return notices that are due, and make them due again later in case sending fails.

    A notice that has failed too often is given up.
    """
    n, t, g = schema.notices, schema.notification_targets, schema.guests
    query = (
        select(n, t, g.c.language)
        .join(t, t.c.id == n.c.target)
        .join(g, g.c.id == t.c.guest)
        .where(n.c.due <= now)
        .order_by(n.c.due)
        .limit(_AT_ONCE)
        .with_for_update(of=n, skip_locked=True)  # for another process; SQLite ignores it
    )
    found = []
    for row in connection.execute(query).all():
        kind = NoticeKind(row.kind)
        given_up = row.attempts >= _MAX_ATTEMPTS
        later = None if given_up else now + _RETRY_SECONDS * 2**row.attempts
        values = {"attempts": row.attempts + 1, "due": later}
        connection.execute(update(n).where(_is(row.target, row.table_id, kind)).values(values))
        if not given_up:
            last = row.attempts == _MAX_ATTEMPTS - 1
            due = DueNotice(_target(row), row.language, row.table_id, kind, row.occasion, last)
            found.append(due)
    return tuple(found)


def finish_notice(connection: Connection, due: DueNotice) -> None:
    """Store that this notice need not be sent again. A newer one of its kind stays due."""
    n = schema.notices
    mine = _is(due.target.id, due.table, due.kind)
    connection.execute(update(n).where(mine, n.c.occasion == due.occasion).values(due=None))


def next_due(connection: Connection) -> float | None:
    """Return the time at which the next notice is due; None if there is none."""
    due: float | None = connection.scalar(select(func.min(schema.notices.c.due)))
    return due


def _is(target: str, table: str, kind: NoticeKind) -> Any:
    n = schema.notices
    return (n.c.target == target) & (n.c.table_id == table) & (n.c.kind == kind)


def _target(row: Any) -> Target:
    keys = None if row.push_keys is None else tuple(row.push_keys.split())
    return Target(
        id=row.id,
        guest=row.guest,
        channel=Channel(row.channel),
        address=row.address,
        keys=keys,
        kinds=tuple(NoticeKind(kind) for kind in row.kinds.split()),
        confirmed=row.confirmed,
        created=row.created,
        session=row.session,
    )


def _written(keys: tuple[str, str] | None) -> str | None:
    return None if keys is None else " ".join(keys)
