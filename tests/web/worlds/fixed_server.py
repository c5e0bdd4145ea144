"""A server with a fixed clock, ids and seeds, which can load a table at any point of a game."""

from __future__ import annotations

import asyncio
import itertools
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any, TypeVar

from msgspec import structs
from sqlalchemy import Connection, insert

from byzanz.locale import LANGUAGES
from byzanz.rules import Deal, Game, Phase, State, worth
from byzanz.tables import (
    Automatic,
    BotSeat,
    Environment,
    Guest,
    Host,
    Limits,
    NewTable,
    Open,
    PreparedBid,
    PreparedTake,
    SessionKind,
    Store,
    TableOptions,
    TableService,
)
from byzanz.tables.model import commands
from byzanz.tables.model.commands import Creation
from byzanz.tables.model.table import Chair, Change, Table
from byzanz.tables.service.cluster import Cluster
from byzanz.tables.storage import cluster_rows, schema, table_rows
from byzanz.web.app import create_app
from byzanz.web.server import Server, address, listen
from tests.tables.databases import sqlite
from tests.web.server import PATIENCE, UNHURRIED

_T = TypeVar("_T")

NOW = 1_700_000_000.0
"""The fixed time of the clock."""

_EAGER = Limits(
    disconnect_grace_seconds=0,
    table_cache_seconds=0,
    tables_per_guest=10**6,
    hint_worlds=2,
    hints_per_hour_per_guest=10**6,
    hints_per_hour_per_address=10**6,
    notification_grace_seconds=0,
)
"""Limits under which absent people and unused tables are dropped at once."""

_SETTINGS = structs.replace(UNHURRIED, push_to_local_addresses=True)

NAMES = ("Ada", "Bela", "Carla", "Dirk", "Enikő", "Flavio")


@dataclass(frozen=True)
class Plan:
    """The plan for a table: its number of players, its bots and its options."""

    name: str
    players: int
    options: TableOptions
    bots: frozenset[int] = frozenset()


@dataclass
class FixedServer:
    """A running server, its people and the deal of its next table."""

    service: TableService
    app: Any
    url: str
    loop: asyncio.AbstractEventLoop
    dealt: list[Deal]
    """The deals; the last one is for the next table."""
    people: tuple[Guest, ...] = ()
    tokens: tuple[str, ...] = ()
    """The bearer tokens of the people."""
    deal_secret: str = "11" * 32
    """The secret of loaded tables; the two worlds have different ones."""
    cluster: Cluster | None = None
    others: tuple[FixedServer, ...] = ()
    """Other processes that serve the same database."""

    @property
    def hosts(self) -> tuple[str, str, str]:
        """Where the viewer sends requests, where it opens sockets, and where others play."""
        urls = [self.url, *(other.url for other in self.others)]
        one, two, three = (urls * 3)[:3] if len(urls) < 3 else urls[:3]
        return (
            one.removeprefix("http://"),
            two.removeprefix("http://"),
            three.removeprefix("http://"),
        )

    def do(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Run a coroutine in the server's event loop and return its result."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def token(self, seat: int) -> str:
        """Return the bearer token of the person on this seat."""
        return self.tokens[seat]

    def load(self, course: Course, step: int, observer: int | None = None) -> None:
        """Store the table as it is after ``step`` actions of the course.

        Everybody but the observer has prepared an answer that depends on their hand. The server
        has nothing of the table in memory, so it replays the log for the next request.
        """
        at = course.tables[step]
        assert at.game is not None
        state = Game.replay(course.deal, at.game.plays).state
        chairs = tuple(
            chair if seat == observer or chair.guest is None else _with_secrets(chair, state, seat)
            for seat, chair in enumerate(at.chairs)
        )
        game = replace(at.game, deal=course.deal)
        table = replace(at, game=game, chairs=chairs, deal_secret=self.deal_secret)

        def job(connection: Connection) -> None:
            table_rows.add_table(connection, table)
            if step:
                connection.execute(insert(schema.log), course.lines[:step])

        self.clear(table.id)
        self._evict()  # a process may have read the old table once more before it was deleted
        self.do(self.service.store.run(job))

    def wait_for_presence(self, table: str, seat: int) -> None:
        """Wait until all processes can read that this seat's person has the table open."""
        if not self.others:
            return
        guest = self.people[seat].id
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            found = self.do(self.service.store.run(lambda c: cluster_rows.presence(c, [table], "")))
            if guest in found.get(table, {}) and found[table][guest].connected:
                return
            time.sleep(0.01)
        raise AssertionError("the person's presence is not stored")

    def clear(self, table: str) -> None:
        """Delete the table."""

        self._evict()
        self.do(self.service.store.run(lambda connection: table_rows.drop_table(connection, table)))

    def _evict(self) -> None:
        """Remove all tables from the memory of all processes, once they are not used."""
        for server in (self, *self.others):
            server.do(server._until_unused())

    async def _until_unused(self) -> None:
        """Wait until no table is used, and remove all from memory."""
        while self.service.figures["watches"]:
            await asyncio.sleep(0.001)
        self.service.maintenance.evict()
        async with asyncio.timeout(PATIENCE):
            while self.service.figures["tables"]:  # another process has just changed it
                assert self.others or self.service.store.sharable, "a table is still in memory"
                await asyncio.sleep(0.001)
                self.service.maintenance.evict()


def _with_secrets(chair: Chair, state: State, seat: int) -> Chair:
    """Return the chair with a prepared answer and settings that depend on the hand."""
    goods = [card for card in state.players[seat].hand if card.worth]
    if not goods or state.phase is not Phase.AUCTION:
        kind = goods[0].kind.letter if goods else "M"
        return replace(chair, prepared=PreparedTake(state.round, kind))
    prepared = PreparedBid(state.round, state.stack[-1], worth(tuple(goods)), (str(goods[-1]),))
    settings = Automatic(take_last=len(goods) % 2 == 0, pass_beaten=goods[0].worth > 1)
    return replace(chair, prepared=prepared, automatic=settings)


@dataclass(frozen=True)
class Course:
    """A game at a table: the table after each number of actions, and its log."""

    game: Game
    deal: Deal
    """The deal of the game, or another one with the same actions."""
    plan: Plan
    tables: tuple[Table, ...]
    lines: tuple[dict[str, object], ...]

    @classmethod
    def of(cls, game: Game, plan: Plan, people: tuple[Guest, ...]) -> Course:
        """Return the course of this game at a table of these people."""
        seats = [BotSeat("greedy") if seat in plan.bots else Open() for seat in range(plan.players)]
        wanted = NewTable((Host(), *seats[1:]), plan.options)
        table = commands.create(people[0], wanted, Creation(plan.name, lambda _: game.deal, 1, NOW))
        for seat in table.open_seats:
            table = commands.join(table, people[seat], seat, lambda _: game.deal, NOW)
        tables, lines = [table], []
        for play in game.plays:
            change = commands.act_as_bot(tables[-1], play.seat, play.action, NOW)
            tables.append(change.table)
            lines.append(_line(change))
        return cls(game, game.deal, plan, tuple(tables), tuple(lines))


def _line(change: Change) -> dict[str, object]:
    entry = change.entry
    assert entry is not None
    return {
        "table_id": change.table.id,
        "number": entry.number,
        "at": entry.at,
        "seat": entry.seat,
        "action": entry.action,
        "by": entry.by,
    }


@contextmanager
def fixed_server(folder: Path) -> Iterator[FixedServer]:
    """Run a server on a free port, with a database in the folder."""
    with _running(sqlite(folder), _EAGER, []) as server:
        _add_people(server)
        yield server


@contextmanager
def three_processes(url: str) -> Iterator[FixedServer]:
    """Run three servers on a PostgreSQL database, which tell each other what they change.

    They are threads of one process, but share nothing but the database and the deals.
    """
    dealt: list[Deal] = []
    # Otherwise a player who acts is present, which is a second frame of another process.
    limits = structs.replace(_EAGER, polling_presence_seconds=0)
    with ExitStack() as stack:
        servers = [stack.enter_context(_running(url, limits, dealt)) for _ in range(3)]
        for server in servers:
            cluster = Cluster(
                server.service.store,
                server.service._tables,
                server.service._environment,
                resumed=lambda _: None,
                released=lambda: None,
                forget_guest=server.service.guests.uncache,
            )
            server.do(cluster.start())
            stack.callback(lambda s=server, c=cluster: s.do(c.close()))  # type: ignore[misc]
            server.cluster = cluster
        while not all(each.cluster and each.cluster.figures["processes"] == 3 for each in servers):
            time.sleep(0.01)
        first, *others = servers
        first.others = tuple(others)
        _add_people(first)
        yield first


def _add_people(server: FixedServer) -> None:
    """Create the people who play, and their tokens."""
    guests = server.service.guests
    languages = zip(NAMES, itertools.cycle(LANGUAGES), strict=False)
    found = [server.do(guests.create(name, code)) for name, code in languages]
    server.people = tuple(
        guest if place % 2 else server.do(guests.choose_avatar(guest.id, 11 - place))
        for place, guest in enumerate(found)
    )
    secrets = [server.do(guests.sessions.add_token(guest.id))[0] for guest in found]
    signer = server.app.state.signer
    server.tokens = tuple(signer.sign(each, SessionKind.TOKEN) for each in secrets)


@contextmanager
def _running(url: str, limits: Limits, dealt: list[Deal]) -> Iterator[FixedServer]:
    """Run a server on a free port."""
    numbers, keys = itertools.count(1), itertools.count(1)
    environment = Environment(
        clock=lambda: NOW,
        ids=lambda: f"id-{next(numbers):04}",
        keys=lambda: f"key-{next(keys)}",
        seeds=lambda: 1,
        deal=lambda _: dealt[-1],
    )
    service = TableService(Store.open(url), environment=environment, limits=limits, automatic=False)
    app = create_app(service, _SETTINGS, clock=lambda: NOW)
    listening = listen("127.0.0.1", 0)
    listening.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    loop, ready = asyncio.new_event_loop(), threading.Event()
    running = Server(app, listening, ready=ready.set)
    server = FixedServer(service, app, address(listening).rstrip("/"), loop, dealt)
    thread = threading.Thread(target=lambda: loop.run_until_complete(running.run_until_stopped()))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        yield server
    finally:
        running.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()
        loop.close()


@contextmanager
def two_servers(folder: Path) -> Iterator[tuple[FixedServer, FixedServer]]:
    """Run two equal servers: one for the true deal, one for the other."""
    for name in ("one", "other"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    with fixed_server(folder / "one") as one, fixed_server(folder / "other") as other:
        other.deal_secret = "22" * 32
        yield one, other
