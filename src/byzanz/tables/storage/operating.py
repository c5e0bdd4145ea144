"""Tasks for the operator: find guests and tables, and manage bans. The server may be running."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from ipaddress import IPv4Network
from secrets import token_hex
from typing import Any

from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, Select, and_, func, select

from byzanz.tables.model.bans import Ban, parse_network
from byzanz.tables.model.table import Stage

from . import ban_rows, schema
from .migrations import UnknownSchema, current, known
from .store import make_engine, snapshot

_CLIENT = re.compile("[0-9a-f]{12}")
"""The form of the pseudonym of a network address."""
_WIDEST = {4: 8, 6: 16}
"""The shortest prefix length of a range that can be banned, for each IP version."""


class NotOperated(Exception):
    """Raised when a task of the operator is not possible. Nothing has changed."""


class GuestRow(Struct, frozen=True, kw_only=True):
    """A guest as the operator sees them. Times are in seconds since 1970."""

    guest: str
    name: str | None
    language: str
    created: float
    seen: float
    address: str | None
    """The pseudonym of the network address of the last visit, as in the log."""
    tables: int
    """The number of tables at which the guest has a seat."""
    unfinished: int
    banned: bool


class TableRow(Struct, frozen=True, kw_only=True):
    """A table as the operator sees it. Times are in seconds since 1970."""

    table: str
    stage: str
    created: float
    active: float
    host: str | None
    guests: tuple[str, ...]
    names: tuple[str | None, ...]
    bots: int
    listed: bool
    locked: bool


class _Filter(Struct, frozen=True, kw_only=True):
    name: str | None = None
    """A part of the name of the guest or of a player; case does not matter."""
    created_since: float | None = None
    created_before: float | None = None
    most: int = 100

    def created(self, query: Select[Any], column: ColumnElement[float]) -> Select[Any]:
        """Return the query, restricted to rows that were created in the wanted period."""
        if self.created_since is not None:
            query = query.where(column >= self.created_since)
        return query if self.created_before is None else query.where(column < self.created_before)

    def named(self, names: Iterable[str | None]) -> bool:
        """Return whether one of the names contains the wanted part."""
        if self.name is None:
            return True
        part = self.name.casefold()
        return any(name is not None and part in name.casefold() for name in names)


class GuestFilter(_Filter, frozen=True, kw_only=True):
    """A filter for guests. None matches every value."""

    least_tables: int | None = None
    address: str | None = None
    """The pseudonym of a network address."""


class TableFilter(_Filter, frozen=True, kw_only=True):
    """A filter for tables. None matches every value."""

    guest: str | None = None
    """A guest who hosts the table or has a seat."""
    stage: Stage | None = None
    least_people: int | None = None


def ban(url: str | None, target: str, reason: str = "", seconds: float | None = None) -> Ban:
    """Ban a guest, a range of network addresses or the pseudonym of an address.

    Raises NotOperated if the database has no such guest or the range is too wide.
    """
    now = time.time()
    expires = None if seconds is None else now + seconds
    network = parse_network(target)
    if network is not None and network.prefixlen < _WIDEST[network.version]:
        kind = "IPv4" if isinstance(network, IPv4Network) else "IPv6"
        raise NotOperated(
            f"the range is too wide: /{_WIDEST[network.version]} or longer for {kind}"
        )
    client = target if network is None and _CLIENT.fullmatch(target) else None
    guest = target if network is None and client is None else None
    made = Ban(
        id=token_hex(4),
        guest=guest,
        network=None if network is None else str(network),
        client=client,
        reason=reason,
        created=now,
        expires=expires,
    )
    with _writing(url) as connection:
        g = schema.guests
        if guest and connection.scalar(select(g.c.id).where(g.c.id == guest)) is None:
            raise NotOperated(f"the database has no guest '{guest}'")
        ban_rows.add_ban(connection, made)
    return made


def unban(url: str | None, target: str) -> None:
    """Lift the bans with this id, or of this guest, range or pseudonym.

    Raises NotOperated if there are none.
    """
    network = parse_network(target)
    with _writing(url) as connection:
        if not ban_rows.remove_bans(connection, target if network is None else str(network)):
            raise NotOperated(f"there is no ban of '{target}'")


def list_bans(url: str | None) -> tuple[Ban, ...]:
    """Return all bans in force, newest first."""
    with _reading(url) as connection:
        return ban_rows.load_bans(connection, time.time())


def find_guests(url: str | None, wanted: GuestFilter = GuestFilter()) -> list[GuestRow]:  # noqa: B008
    """Return the guests that match the filter, newest first."""
    g, s, t = schema.guests, schema.seats, schema.tables
    seated = func.count(s.c.table_id)
    unfinished = func.count(t.c.id).filter(t.c.stage.in_([Stage.OPEN, Stage.PLAYING]))
    query = (
        select(g, seated.label("tables"), unfinished.label("unfinished"))
        .select_from(g)
        .outerjoin(s, and_(s.c.guest == g.c.id, s.c.gone.is_(False)))
        .outerjoin(t, t.c.id == s.c.table_id)
        .group_by(*g.c)
        .order_by(g.c.created.desc(), g.c.id)
    )
    query = wanted.created(query, g.c.created)
    if wanted.address is not None:
        query = query.where(g.c.client == wanted.address)
    if wanted.least_tables is not None:
        query = query.having(seated >= wanted.least_tables)
    found: list[GuestRow] = []
    with _reading(url) as connection:
        banned = {each.guest for each in ban_rows.load_bans(connection, time.time())}
        for row in connection.execute(query):
            if wanted.named([row.name]) and len(found) < wanted.most:
                found.append(
                    GuestRow(
                        guest=row.id,
                        name=row.name,
                        language=row.language,
                        created=row.created,
                        seen=row.seen,
                        address=row.client,
                        tables=row.tables,
                        unfinished=row.unfinished,
                        banned=row.id in banned,
                    )
                )
    return found


def find_tables(url: str | None, wanted: TableFilter = TableFilter()) -> list[TableRow]:  # noqa: B008
    """Return the tables that match the filter, newest first."""
    t, s = schema.tables, schema.seats
    columns = [t.c[name] for name in ("id", "stage", "created", "active", "host", "listed")]
    query: Select[Any] = select(*columns, t.c.password.is_not(None).label("locked"))
    query = wanted.created(query, t.c.created)
    if wanted.stage is not None:
        query = query.where(t.c.stage == wanted.stage)
    if wanted.guest is not None:
        seated = select(s.c.table_id).where(s.c.guest == wanted.guest)
        query = query.where((t.c.host == wanted.guest) | t.c.id.in_(seated))
    found: list[TableRow] = []
    with _reading(url) as connection:
        for row in connection.execute(query.order_by(t.c.created.desc(), t.c.id)).all():
            if len(found) == wanted.most:
                break
            chairs = connection.execute(
                select(s.c.guest, s.c.name, s.c.bot)
                .where(s.c.table_id == row.id)
                .order_by(s.c.seat)
            ).all()
            people = [chair for chair in chairs if chair.guest is not None]
            enough = len(people) >= (wanted.least_people or 0)
            if enough and wanted.named(chair.name for chair in chairs):
                found.append(
                    TableRow(
                        table=row.id,
                        stage=row.stage,
                        created=row.created,
                        active=row.active,
                        host=row.host,
                        guests=tuple(chair.guest for chair in people),
                        names=tuple(chair.name for chair in people),
                        bots=sum(chair.bot is not None for chair in chairs),
                        listed=row.listed,
                        locked=bool(row.locked),
                    )
                )
    return found


@contextmanager
def _reading(url: str | None) -> Iterator[Connection]:
    engine = make_engine(url, create=False)
    try:
        with snapshot(engine) as connection:
            _check_schema(connection)
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _writing(url: str | None) -> Iterator[Connection]:
    engine = make_engine(url, create=False)
    try:
        with engine.begin() as connection:
            _check_schema(connection)
            yield connection
    finally:
        engine.dispose()


def _check_schema(connection: Connection) -> None:
    """Raise NotOperated if there is no schema or an older one, UnknownSchema if it is newer."""
    found = current(connection)
    if found is None:
        raise NotOperated("the database has no Byzanz data")
    if found not in known():
        raise UnknownSchema(found)
    if found != known()[-1]:
        raise NotOperated(
            "the database is of an older version: start the server once to upgrade it"
        )
