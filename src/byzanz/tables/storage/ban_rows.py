"""Bans, and the pseudonyms of guests' addresses, as rows of the database.

These functions run in the store's transactions.
"""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, bindparam, delete, insert, or_, select, update

from byzanz.tables.model.bans import Ban

from . import schema

_SALT = "address-salt"


def add_ban(connection: Connection, ban: Ban) -> None:
    """Insert the ban. It replaces an earlier ban of the same guest, range or pseudonym."""
    remove_bans(connection, ban.target)
    connection.execute(insert(schema.bans).values({name: getattr(ban, name) for name in _NAMES}))


def remove_bans(connection: Connection, target: str) -> int:
    """Delete the bans with this id, or of this guest, range or pseudonym; return how many."""
    b = schema.bans
    named = or_(*[column == target for column in (b.c.id, b.c.guest, b.c.network, b.c.client)])
    return connection.execute(delete(b).where(named)).rowcount


def load_bans(connection: Connection, now: float | None = None) -> tuple[Ban, ...]:
    """Return all bans in force at the time ``now``, newest first; if it is None, ended ones too."""
    b = schema.bans
    query = select(b).order_by(b.c.created.desc(), b.c.id)
    bans = [Ban(**row) for row in connection.execute(query).mappings()]
    return tuple(ban for ban in bans if now is None or ban.lasts(now))


def address_salt(connection: Connection, made: str, now: float, lifetime: float) -> str:
    """Return the salt of the pseudonyms; store ``made`` if there is none or it is too old.

    A new salt gives every address a new pseudonym, so old pseudonyms and bans of them are deleted.
    """
    s = schema.secrets
    stored: str | None = connection.scalar(select(s.c.value).where(s.c.name == _SALT))
    if stored is not None:
        since, _, salt = stored.partition(":")
        if abs(now - float(since)) < lifetime:
            return salt
    connection.execute(delete(s).where(s.c.name == _SALT))
    connection.execute(insert(s).values(name=_SALT, value=f"{now:.0f}:{made}"))
    connection.execute(update(schema.guests).values(client=None))
    connection.execute(delete(schema.bans).where(schema.bans.c.client.is_not(None)))
    return made


def save_clients(connection: Connection, clients: Mapping[str, str]) -> None:
    """Store the pseudonyms of the addresses that these guests use."""
    g = schema.guests
    changed = update(g).where(g.c.id == bindparam("the_guest")).values(client=bindparam("the_name"))
    rows = [{"the_guest": guest, "the_name": name} for guest, name in clients.items()]
    connection.execute(changed, rows)


_NAMES = ("id", "guest", "network", "client", "reason", "created", "expires")
