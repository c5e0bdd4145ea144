"""A server with fixed clock, ids and chance, whose table can be laid at any point of a game."""

from __future__ import annotations

import asyncio
import itertools
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from socket import IPPROTO_TCP, TCP_NODELAY
from typing import Any, TypeVar

from sqlalchemy import Connection, insert

from byzanz.locale import LANGUAGES
from byzanz.notation import write_action
from byzanz.rules import Deal, Game
from byzanz.tables import (
    BotSeat,
    Guest,
    Host,
    House,
    Limits,
    NewTable,
    Open,
    Sources,
    Store,
    TableOptions,
)
from byzanz.tables.model.commands import Founding, founded, joined, moved
from byzanz.tables.model.table import Change, Table
from byzanz.tables.storage import schema, table_rows
from byzanz.web.app import create_app
from byzanz.web.server import Server, address, listen
from tests.web.server import PATIENCE, UNHURRIED

_T = TypeVar("_T")

NOW = 1_700_000_000.0
"""The time, always."""

_EAGER = Limits(grace_seconds=0, cool_seconds=0, tables_per_guest=10**6)
"""Who goes away is gone at once, and so is a table that nobody looks at."""

NAMES = ("Ada", "Bela", "Carla", "Dirk", "Enikő", "Flavio")


@dataclass(frozen=True)
class Plan:
    """A table to be: how many sit at it, which of them are bots, and its options."""

    name: str
    players: int
    options: TableOptions
    bots: frozenset[int] = frozenset()


@dataclass
class Stage:
    """A server that runs, the people who play on it, and the deal of its next table."""

    house: House
    app: Any
    url: str
    loop: asyncio.AbstractEventLoop
    dealt: list[Deal]
    """The last is what the next table gets."""
    people: tuple[Guest, ...] = ()

    def do(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What the work gives, done where the server runs."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(PATIENCE)

    def token(self, seat: int) -> str:
        """What proves to be the person of this seat."""
        token: str = self.app.state.seals.token(self.people[seat].id)
        return token

    def lay(self, course: Course, step: int) -> None:
        """The table is in the database after so many actions of the course.

        The server holds nothing of it in memory: what it tells next is the replay of the log.
        """
        at = course.tables[step]
        assert at.game is not None
        table = replace(at, game=replace(at.game, deal=course.deal))

        def job(connection: Connection) -> None:
            table_rows.drop_table(connection, table.id)
            table_rows.add_table(connection, table)
            if step:
                connection.execute(insert(schema.log), course.lines[:step])

        async def laid() -> None:
            await self._unwatched()
            await self.house.store.run(job)

        self.do(laid())

    def clear(self, table: str) -> None:
        """The table was never there."""

        async def cleared() -> None:
            await self._unwatched()
            await self.house.store.run(lambda connection: table_rows.drop_table(connection, table))

        self.do(cleared())

    async def _unwatched(self) -> None:
        """No table is watched or held in memory."""
        while self.house.figures["watches"]:
            await asyncio.sleep(0.001)
        await self.house.upkeep.tick()
        assert not self.house.figures["tables"], "a table is still held in memory"


@dataclass(frozen=True)
class Course:
    """A game as a table lives it: the table after each number of actions, and its log."""

    game: Game
    deal: Deal
    """The game's, or another in which the same was played."""
    plan: Plan
    tables: tuple[Table, ...]
    lines: tuple[dict[str, object], ...]

    @classmethod
    def of(cls, game: Game, plan: Plan, people: tuple[Guest, ...]) -> Course:
        """The whole course of this game at a table of these people."""
        seats = [BotSeat("greedy") if seat in plan.bots else Open() for seat in range(plan.players)]
        wanted = NewTable((Host(), *seats[1:]), plan.options)
        table = founded(people[0], wanted, Founding(plan.name, lambda _: game.deal, 1, NOW))
        for seat in table.open_seats:
            table = joined(table, people[seat], seat, lambda _: game.deal, NOW)
        tables, lines = [table], []
        for play in game.plays:
            change = moved(tables[-1], play.seat, play.action, NOW)
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
        "action": write_action(entry.action),
        "by": entry.by,
    }


@contextmanager
def staged(folder: Path) -> Iterator[Stage]:
    """A server on a port of its own, with a database in the folder."""
    numbers, dealt = itertools.count(1), list[Deal]()
    sources = Sources(
        clock=lambda: NOW,
        ids=lambda: f"id-{next(numbers):04}",
        keys=lambda: "a key for cookies",
        seeds=lambda: 1,
        deal=lambda _: dealt[-1],
    )
    store = Store.open(f"sqlite:///{folder / 'byzanz.db'}")
    house = House(store, sources=sources, limits=_EAGER, automatic=False)
    app = create_app(house, UNHURRIED, clock=lambda: NOW)
    listening = listen("127.0.0.1", 0)
    listening.setsockopt(IPPROTO_TCP, TCP_NODELAY, 1)
    loop, ready = asyncio.new_event_loop(), threading.Event()
    server = Server(app, listening, ready=ready.set)
    stage = Stage(house, app, address(listening).rstrip("/"), loop, dealt)
    thread = threading.Thread(target=lambda: loop.run_until_complete(server.run_until_stopped()))
    thread.start()
    try:
        assert ready.wait(PATIENCE)
        speaking = zip(NAMES, itertools.cycle(LANGUAGES), strict=False)
        stage.people = tuple([stage.do(house.welcome(name, code)) for name, code in speaking])
        yield stage
    finally:
        server.stop()
        thread.join(PATIENCE)
        assert not thread.is_alive()
        loop.close()


@contextmanager
def two_stages(folder: Path) -> Iterator[tuple[Stage, Stage]]:
    """Two servers alike: for the world as it is, and for the others."""
    for name in ("one", "other"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    with staged(folder / "one") as one, staged(folder / "other") as other:
        yield one, other
