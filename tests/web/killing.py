"""Kill the server again and again with ``kill -9`` while people and bots play.

``python -m tests.web.killing --kills 200`` starts ``byzanz serve``, lets people play at several
tables through the API and bots by themselves at others, kills the server at random moments and
starts it again on the same database. A person who gets no answer repeats the request with the
same key. ``--workers 3`` kills one of three processes on PostgreSQL each time, often the one that
plays the bots; the others play on. In the end all games must be finished. The log of each game must
contain exactly those actions of people that were accepted, in their order and without a gap. What a
viewer has seen must never be revoked.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import random
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from sqlalchemy import Row, select
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from byzanz.bots import make_bot
from byzanz.notation import judge, read_view, write_action
from byzanz.rules import Action, Sell
from byzanz.tables import Stage
from byzanz.tables.storage import schema
from byzanz.tables.storage.store import make_engine, snapshot
from tests.tables.databases import Postgres
from tests.web.browser.process import ServerProcess
from tests.web.several import Replaced, RestartedDatabase, SeveralProcesses

from .wire import Reply, Wire

PATIENCE = 180.0
"""Seconds to wait for an answer before the test fails."""
PLAYED_OUT = 180.0
"""Seconds after the last kill within which all games must be finished."""
LONGEST_LIFE = 0.8
"""The maximum number of seconds before a server is killed."""

PARTIES = (("random", "novice"), ("greedy", "random"), ("novice", "greedy"))
"""The bots at each table at which two people play."""
BOTS_ALONE = 2
"""The number of tables without people at the same time."""


@dataclass(frozen=True)
class Request:
    """A person's action and the answer to it."""

    body: dict[str, Any]
    seat: int
    told: tuple[int, int | str]
    """The status, and the version after the action or the code of the refusal."""
    answered: float

    @property
    def accepted(self) -> bool:
        return self.told[0] == 200


class Shown:
    """What one viewer has seen of a table. It may grow, but nothing may be revoked."""

    def __init__(self) -> None:
        self._version = 0
        self._course: list[Any] = []

    def show(self, table_view: dict[str, Any]) -> None:
        assert table_view["version"] >= self._version, "the version decreased"
        course = table_view["view"]["course"]
        assert course[: len(self._course)] == self._course, "an event that was shown has changed"
        self._version, self._course = table_view["version"], course


class Person:
    """A person who plays through the API and repeats each request until it is answered."""

    def __init__(self, url: str, token: str, seed: int) -> None:
        self.wires = [Wire(url, token) for _ in range(2)]
        self.chance = random.Random(seed)
        self.bot = make_bot("random", seed)
        self.requests: defaultdict[str, list[Request]] = defaultdict(list)
        self.unanswered = 0
        self.longest = 0.0
        """The longest time in seconds until a request was answered."""
        self.allows_errors = False
        """Whether a request that fails because of a server error is repeated."""

    async def ask(self, method: str, path: str, body: Any = None, wire: int = 0) -> Reply:
        """Return the server's answer; repeat the request if the server is killed first."""
        began = time.monotonic()
        until = began + PATIENCE
        while time.monotonic() < until:
            try:
                reply = await self.wires[wire].ask(method, path, body)
            except ConnectionRefusedError:
                await asyncio.sleep(0.1)
            except ConnectionError:
                self.unanswered += 1
                await asyncio.sleep(0.1)
            else:
                if reply.status >= 500 and self.allows_errors:
                    self.unanswered += 1
                elif reply.status != 429:
                    assert reply.status < 500, reply.content
                    self.longest = max(self.longest, time.monotonic() - began)
                    return reply
                await asyncio.sleep(0.5)
        raise AssertionError("the server does not answer")

    def close(self) -> None:
        for wire in self.wires:
            wire.close()

    async def play(self, table: str) -> None:
        """Play at the table until the game is finished."""
        shown = Shown()
        while True:
            table_view = (await self.ask("GET", f"/api/tables/{table}")).data
            shown.show(table_view)
            if table_view["stage"] == Stage.FINISHED:
                return
            action = self._choice(table_view)
            if action is None:
                await asyncio.sleep(0.02)
            else:
                await self._act(table, table_view, action)
                await self._repeat(table)

    def _choice(self, table_view: dict[str, Any]) -> Action | None:
        if table_view["seat"] in table_view["waiting_for"]:
            return self.bot.choose(read_view(table_view["view"]))
        if table_view["view"]["legal"]["sell"]:
            return self.bot.sale(read_view(table_view["view"]))
        return None

    async def _act(self, table: str, table_view: dict[str, Any], action: Action) -> None:
        """Send the action, sometimes twice at once as by a double click, and note the answer."""
        named = "sale" if isinstance(action, Sell) else "decision"
        key = f"key-{len(self.requests[table])}"
        body = {"action": write_action(action), "key": key, named: table_view[named]}
        copies = 2 if self.chance.random() < 0.15 else 1
        told = set(await asyncio.gather(*(self._send(table, body, copy) for copy in range(copies))))
        assert len(told) == 1, f"one key, several answers: {told}"
        self.requests[table].append(Request(body, table_view["seat"], told.pop(), time.time()))

    async def _repeat(self, table: str) -> None:
        """Sometimes send an earlier request again; the answer must be the same."""
        if self.chance.random() < 0.1:
            request = self.chance.choice(self.requests[table])
            assert await self._send(table, request.body) == request.told

    async def _send(self, table: str, body: dict[str, Any], wire: int = 0) -> tuple[int, int | str]:
        reply = await self.ask("POST", f"/api/tables/{table}/actions", body, wire)
        return reply.status, reply.data.get("version") or reply.data["error"]["code"]


async def spectate(url: str, table: str) -> None:
    """Watch the table's stream to the end, and check that nothing shown is revoked."""
    shown, address = Shown(), f"{url.replace('http', 'ws', 1)}/api/tables/{table}/stream"
    while True:
        try:
            async with connect(address, max_size=None) as stream:
                async for text in stream:
                    table_view = msgspec.json.decode(text)
                    shown.show(table_view)
                    if table_view["stage"] == Stage.FINISHED:
                        return
        except (EOFError, OSError, WebSocketException):
            await asyncio.sleep(0.1)


@dataclass
class Outcome:
    """The number of kills, and what the final check counted."""

    kills: int = 0
    starts: list[float] = field(default_factory=list)
    """Seconds that each start took."""
    found: Counter[str] = field(default_factory=Counter)
    longest: float = 0.0
    """The longest time in seconds between two actions of a game."""
    resumed: float = 0.0
    """The longest time in seconds from a kill until a game went on, if no other kill followed."""
    longest_wait: float = 0.0
    """The longest time in seconds until a request was answered, repetitions included."""


class Killing:
    """A server that is killed again and again, and the people who use it."""

    def __init__(self, server: ServerProcess, seed: int, *, allows_errors: bool = False) -> None:
        self.server = server
        self.allows_errors = allows_errors
        self.chance = random.Random(seed)
        self.people: list[Person] = []
        self.killed: list[float] = []
        self.ending = asyncio.Event()
        """Set after the last kill: games are played out, and no new ones begin."""
        self.outcome = Outcome()

    async def run(self, kills: int) -> Outcome:
        """Kill the server this often; raise AssertionError if anything was lost."""
        await self._start()
        parties = [await self._founded(bots) for bots in PARTIES]
        host = await self._person()
        try:
            async with asyncio.timeout(None) as limit, asyncio.TaskGroup() as group:
                for people, table in parties:
                    group.create_task(self._party(people, table))
                group.create_task(self._bots_alone(host))
                for _ in range(kills):
                    await asyncio.sleep(self.chance.uniform(0, LONGEST_LIFE))
                    await self._kill()
                    await self._start()
                self.ending.set()
                limit.reschedule(asyncio.get_running_loop().time() + PLAYED_OUT)
            await self._audit()
        finally:
            for person in self.people:
                person.close()
        return self.outcome

    async def _start(self) -> None:
        began = time.perf_counter()
        await asyncio.to_thread(self.server.start)
        self.outcome.starts.append(time.perf_counter() - began)

    async def _kill(self) -> None:
        await asyncio.to_thread(self.server.kill)
        self.killed.append(time.time())
        self.outcome.kills += 1

    async def _person(self) -> Person:
        """Return a new person."""
        wire = Wire(self.server.url)
        token = (await wire.ask("POST", "/api/me", {})).data["token"]
        wire.close()
        self.people.append(Person(self.server.url, token, self.chance.randrange(1 << 32)))
        self.people[-1].allows_errors = self.allows_errors
        return self.people[-1]

    async def _founded(self, bots: tuple[str, ...]) -> tuple[list[Person], str]:
        """Create a table for two people and these bots; return the people and the table."""
        host, friend = people = [await self._person() for _ in range(2)]
        seats = [{"type": "host"}, {"type": "open"}, *({"type": "bot", "bot": b} for b in bots)]
        table: str = (await host.ask("POST", "/api/tables", {"seats": seats})).data["table"]
        await friend.ask("POST", f"/api/tables/{table}/join", {})
        return people, table

    async def _party(self, people: list[Person], table: str) -> None:
        """Play games at this table and its rematches until the test ends."""
        while True:
            await asyncio.gather(
                *(person.play(table) for person in people), spectate(self.server.url, table)
            )
            if self.ending.is_set():
                return
            table = (await people[0].ask("POST", f"/api/tables/{table}/rematch", {})).data["table"]

    async def _bots_alone(self, host: Person) -> None:
        """Keep some tables going at which only bots play; only the lobby's list shows them."""
        seats = [{"type": "host"}, *({"type": "bot", "bot": "random"} for _ in range(3))]
        new = {"seats": seats, "options": {"listed": True}}
        while True:
            for mine in (await host.ask("GET", "/api/me/tables")).data["tables"]:
                await host.ask("POST", f"/api/tables/{mine['table']}/leave")
            listed = (await host.ask("GET", "/api/lobby")).data["tables"]
            if self.ending.is_set() and not listed:
                return
            if not self.ending.is_set() and len(listed) < BOTS_ALONE:
                await host.ask("POST", "/api/tables", new)
            await asyncio.sleep(0.2)

    async def _audit(self) -> None:
        """Check that every table is finished and that its log is complete and correct."""
        t, log, found = schema.tables, schema.log, self.outcome.found
        engine = make_engine(self.server.database)
        with snapshot(engine) as connection:
            stages = connection.execute(select(t.c.id, t.c.stage)).all()
            lines: defaultdict[str, list[Row[Any]]] = defaultdict(list)
            for line in connection.execute(select(log).order_by(log.c.table_id, log.c.number)):
                lines[line.table_id].append(line)
        engine.dispose()
        for table, stage in stages:
            assert stage == Stage.FINISHED, f"a table is not finished: {stage}"
            self._audit_log(table, lines[table])
            record = await self.people[0].ask("GET", f"/api/tables/{table}/record")
            (verdict,) = judge(io.BytesIO(record.content))
            assert verdict.error is None, verdict
            assert verdict.record is not None
            recorded = [(play.seat, write_action(play.action)) for play in verdict.record.plays]
            assert recorded == [(line.seat, line.action) for line in lines[table]]
            found["tables"] += 1
        found["unanswered"] = sum(person.unanswered for person in self.people)
        self.outcome.longest_wait = max(person.longest for person in self.people)

    def _audit_log(self, table: str, lines: list[Row[Any]]) -> None:
        assert [line.number for line in lines] == list(range(len(lines))), "a gap"
        pauses = [later.at - line.at for line, later in pairwise(lines)]
        self.outcome.longest = max([self.outcome.longest, *pauses])
        resumed = [
            later.at - max(kills)
            for line, later in pairwise(lines)
            if (kills := [kill for kill in self.killed if line.at <= kill <= later.at])
        ]
        self.outcome.resumed = max([self.outcome.resumed, *resumed])
        asked = [request for person in self.people for request in person.requests[table]]
        accepted = sorted((r for r in asked if r.accepted), key=lambda request: request.told[1])
        stored = [line for line in lines if line.by == "person"]
        assert [(request.seat, request.body["action"]) for request in accepted] == [
            (line.seat, line.action) for line in stored
        ], "the accepted actions are not the stored ones"
        self.outcome.found += Counter(
            actions=len(lines),
            accepted=len(accepted),
            refused=len(asked) - len(accepted),
            # Stored before a kill and answered after it: the answer went to a repeated request.
            saved=sum(
                any(line.at <= kill <= request.answered for kill in self.killed)
                for line, request in zip(stored, accepted, strict=True)
            ),
        )


def run(kills: int, seed: int, folder: Path, database: str | None = None) -> Outcome:
    """Kill a server this often, on a SQLite database in the folder if no other is named."""
    return run_on(ServerProcess(folder, database), kills, seed)


def run_on(server: ServerProcess, kills: int, seed: int, *, allows_errors: bool = False) -> Outcome:
    """Kill this server so often, or do to it whatever its ``kill`` does."""
    try:
        return asyncio.run(Killing(server, seed, allows_errors=allows_errors).run(kills))
    finally:
        server.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--postgresql", action="store_true", help="use PostgreSQL, not SQLite")
    parser.add_argument("--workers", type=int, default=1, help="processes, on PostgreSQL")
    parser.add_argument(
        "--how",
        choices=("kill", "replace", "restart-database"),
        default="kill",
        help="with --workers: kill one process, replace all of them as an operator would, or crash "
        "and restart PostgreSQL",
    )
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = ServerProcess(folder)
        if options.postgresql or options.workers > 1:
            postgres = stack.enter_context(Postgres(folder / "postgresql"))
            server = ServerProcess(folder, postgres.fresh())
        if options.workers > 1:
            kind = {"kill": SeveralProcesses, "replace": Replaced}.get(options.how)
            several = (folder, server.database, options.workers, options.seed)
            server = kind(*several) if kind else RestartedDatabase(*several, postgres)
        allows_errors = options.how == "restart-database"
        outcome = run_on(server, options.kills, options.seed, allows_errors=allows_errors)
    found = outcome.found
    starts = sorted(outcome.starts)
    Console().print(
        f"{outcome.kills} kills (a start took {starts[len(starts) // 2]:.1f} s, at most "
        f"{starts[-1]:.1f} s): {found['tables']} games finished and legal, "
        f"{found['actions']:,} actions without a gap. All {found['accepted']:,} accepted actions "
        f"of people are stored once, and none of the {found['refused']} refused ones is stored. "
        f"{found['unanswered']:,} requests got no answer because the server was killed; "
        f"{found['saved']:,} of their actions were already stored, and the repeated requests got "
        f"the stored answers. After a kill, games went on within {outcome.resumed:.1f} s unless "
        f"another kill followed. The longest pause in a game was {outcome.longest:.1f} s, "
        f"and the longest wait for an answer {outcome.longest_wait:.1f} s."
    )


if __name__ == "__main__":
    main()
