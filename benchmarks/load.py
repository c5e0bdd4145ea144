"""Load test: latency of one server process with many tables.

``python -m benchmarks.load`` starts a server in its own process, seats two simulated people and two
bots at each table, and lets them play at a fixed rate of actions per second. People receive frames
through their table's socket, most of them as the page does and some as API clients do, and act
through the page's form or the API. The test measures the time from sending an action until the
other person's frame shows it. Then bots play many games to their end while the server's memory is
measured. ``--write`` stores the results in ``benchmarks/load.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from rich.console import Console
from rich.table import Table
from tests.web.wire import Reply, Wire
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from benchmarks.machine import machine
from benchmarks.server_process import Server, served
from benchmarks.turns import Page, Stream, Turn
from byzanz.arena import seeded_match

RESULTS = Path(__file__).parent / "load.md"
PACKAGES = ["starlette", "uvicorn", "websockets", "sqlalchemy", "jinja2", "msgspec"]
BOTS = ("novice", "trader")
STREAMING = 4
"""At every n-th table one of the people uses the API."""
SETTLING = 300.0
"""Seconds allowed for the bots' first moves, before the test begins."""
WARM_UP = 5.0
"""Seconds of play before the measurement."""
SAMPLES = 10
"""Number of memory measurements."""
PROBES = 0.25
"""Seconds between two new connections."""
BATCH = 20
"""The number of tables that bots play at the same time in the memory test."""
CATCHING_UP = 1.25
"""How much faster people act while the rate is below the target."""
TARGET = 0.1
"""Target of the 99th percentile, in seconds."""


@dataclass
class Figures:
    """Measurements; times are in seconds."""

    shown: list[float] = field(default_factory=list)
    """Times from sending an action to the other person's frame."""
    answered: list[float] = field(default_factory=list)
    """Times from sending an action to its response."""
    connected: list[float] = field(default_factory=list)
    """Times from opening a socket to its first frame."""
    actions: int = 0
    """Actions of people and bots."""
    frames: int = 0
    letters: int = 0
    """Characters of all frames."""
    refused: int = 0
    errors: int = 0
    cpu: float = 0.0
    """CPU time of the server."""
    memory: list[float] = field(default_factory=list)
    """The server's memory in megabytes, measured several times."""


class Person:
    """A simulated person at a table, with a socket for frames and a connection for actions."""

    def __init__(self, load: Load, token: str, *, streams: bool) -> None:
        self.wire = Wire(load.url, token)
        self.other: Person = self
        self.table = ""
        self._load = load
        self._token = token
        self._streams = streams
        self._shown: Page | Stream = Page()
        self._version = self._acted = 0
        self._asked = self._busy = False
        self._arrivals: deque[tuple[int, float]] = deque(maxlen=64)
        self._expected: list[tuple[int, float]] = []

    def go_to(self, table: str) -> None:
        """Send the next requests to the server of a table."""
        if table != self.table:
            self.wire.close()
            self.table, self.wire = table, Wire(self._load.url_of(table), self._token)

    async def watch(self, table: str) -> None:
        """Receive frames until the game is over."""
        self.go_to(table)
        self._version, self._acted, self._asked = 0, 0, False
        self._arrivals.clear()
        self._expected.clear()
        path = f"/table/{table}/socket?language=en&changes"
        if self._streams:
            path = f"/api/tables/{table}/stream"
        while not await self._watched(path):
            self._load.figures.errors += 1
            await asyncio.sleep(0.2)

    async def _watched(self, path: str) -> bool:
        """Receive frames; return whether the game was over before the socket closed."""
        self._shown = Stream() if self._streams else Page()
        try:
            async with self._load.socket(self.table, path, self._token) as socket:
                async for text in socket:
                    if isinstance(text, str) and self._took(text, time.perf_counter()):
                        return True
        except (EOFError, OSError, WebSocketException):
            pass
        return False

    def _took(self, text: str, now: float) -> bool:
        heading = self._shown.take(text)
        self._load.saw(self, heading.version, len(text))
        self._asked = heading.asks
        self._version = max(self._version, heading.version)
        self._arrivals.append((heading.version, now))
        due = [sent for version, sent in self._expected if version <= heading.version]
        self._load.figures.shown += [now - sent for sent in due]
        self._expected = [one for one in self._expected if one[0] > heading.version]
        self._consider()
        return heading.over

    def _consider(self) -> None:
        """Queue this person to act, if it is their turn."""
        if self._asked and not self._busy and self._version >= self._acted:
            self._busy = True
            self._load.ready.append(self)

    def expect(self, version: int, sent: float) -> None:
        """Measure the time until the frame with this version."""
        seen = next((at for found, at in self._arrivals if found >= version), None)
        if seen is None:
            self._expected.append((version, sent))
        else:
            self._load.figures.shown.append(seen - sent)

    async def act(self) -> None:
        """Send an action and measure its response time."""
        figures = self._load.figures
        turn = self._shown.turn()
        word, cards = turn.answer(self._load.chance)
        key = secrets.token_urlsafe(8)
        sent = time.perf_counter()
        try:
            reply = await self._send(turn, word, cards, key)
        except ConnectionError:
            # The server closes idle connections; send the action again, as the page does.
            reply = await self._send(turn, word, cards, key)
        if reply.status == 200:
            figures.answered.append(time.perf_counter() - sent)
            self._acted = reply.data["version"] if self._streams else int(reply.content)
            self.other.expect(self._acted, sent)
        elif reply.status == 409:
            figures.refused += 1
        else:
            figures.errors += 1
        self._busy = False
        self._consider()

    async def _send(self, turn: Turn, word: str, cards: list[str], key: str) -> Reply:
        if self._streams:
            named = {"sale": turn.sale} if word == "sell" else {"decision": turn.decision}
            body = {"action": " ".join([word, *cards]), "key": key, **named}
            return await self.wire.ask("POST", f"/api/tables/{self.table}/actions", body)
        chosen = {word: cards} if word in ("give", "take") else {"card": cards}
        form = {"do": word, "decision": turn.decision, "sale": turn.sale, "key": key, **chosen}
        return await self.wire.ask("POST", f"/table/{self.table}/act", form=form)


class Load:
    """People at many tables of one server.

    With ``urls`` there are several servers with one database, and all requests of a table go to
    the same one.
    """

    def __init__(self, server: Server, seed: int = 7, urls: Sequence[str] = ()) -> None:
        self.server, self.url = server, server.url
        self._urls = urls or [server.url]
        self.chance = random.Random(seed)
        self.figures = Figures()
        self.ready: deque[Person] = deque()
        """People whose turn it is, the longest waiting first."""
        self._versions: dict[str, int] = {}
        self._host = Wire(server.url)

    def url_of(self, table: str) -> str:
        """Return the address of the server for a table."""
        return self._urls[crc32(table.encode()) % len(self._urls)]

    def socket(self, table: str, path: str, token: str | None = None) -> connect:
        """Return a socket to open."""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        address = self.url_of(table).replace("http", "ws", 1) + path
        return connect(address, additional_headers=headers, max_size=None, proxy=None)

    def saw(self, person: Person, version: int, letters: int) -> None:
        """Count a frame; versions that were not seen before are actions."""
        known = self._versions.get(person.table, version)
        self._versions[person.table] = max(version, known)
        self.figures.actions += max(0, version - known)
        self.figures.frames += 1
        self.figures.letters += letters

    async def run(self, tables: int, rate: float, seconds: float) -> Figures:
        """Play at a number of tables with a rate of actions per second; return the figures."""
        async with self.playing(tables, rate):
            return await self.measure(seconds)

    @asynccontextmanager
    async def playing(self, tables: int, rate: float) -> AsyncIterator[None]:
        """Play at a number of tables with a rate of actions per second."""
        async with asyncio.TaskGroup() as group:
            parties = []
            for number in range(tables):
                people = await self._people(streams=number % STREAMING == 0)
                table = await self._founded(people)
                parties.append(group.create_task(self._party(people, table)))
            async with asyncio.timeout(SETTLING):
                while len(self.ready) < tables:  # until every table waits for a person
                    await asyncio.sleep(0.1)
            playing = group.create_task(self._pace(rate))
            probing = group.create_task(self._probe())
            await asyncio.sleep(WARM_UP)
            yield
            for task in [playing, probing, *parties]:
                task.cancel()

    async def measure(self, seconds: float) -> Figures:
        """Return the figures of the next seconds."""
        before = await self.server.cpu()
        measured = self.figures = Figures()
        for _ in range(SAMPLES):
            await asyncio.sleep(seconds / SAMPLES)
            measured.memory.append(await self.server.memory())
        self.figures = Figures()
        measured.cpu = await self.server.cpu() - before
        return measured

    async def _people(self, *, streams: bool) -> list[Person]:
        tokens = [(await self._host.ask("POST", "/api/me", {})).data["token"] for _ in range(2)]
        people = [Person(self, tokens[0], streams=False), Person(self, tokens[1], streams=streams)]
        people[0].other, people[1].other = people[1], people[0]
        return people

    async def _founded(self, people: list[Person]) -> str:
        host, friend = people
        seats = [{"type": "host"}, {"type": "open"}, *({"type": "bot", "bot": b} for b in BOTS)]
        table: str = (await host.wire.ask("POST", "/api/tables", {"seats": seats})).data["table"]
        friend.go_to(table)
        await friend.wire.ask("POST", f"/api/tables/{table}/join", {})
        return table

    async def _party(self, people: list[Person], table: str) -> None:
        """Play one game after another."""
        while True:
            await asyncio.gather(*(person.watch(table) for person in people))
            self._versions.pop(table, None)
            reply = await people[0].wire.ask("POST", f"/api/tables/{table}/rematch", {})
            table = reply.data["table"]

    async def _pace(self, rate: float) -> None:
        """Let people act as often as needed to reach the rate of actions."""
        acting: set[asyncio.Task[None]] = set()
        sent, share = 0, 0.5
        began, before = time.perf_counter(), self.figures.actions
        done = 0
        while True:
            await asyncio.sleep(1 / (CATCHING_UP * rate * share))
            if self.figures.actions < before:
                before = 0  # the figures were replaced
            done, before = done + self.figures.actions - before, self.figures.actions
            if sent > rate:
                share = min(1.0, max(0.1, sent / max(1, done)))
            due = rate * (time.perf_counter() - began)
            if self.ready and done + len(acting) < due:
                sent += 1
                task = asyncio.create_task(self.ready.popleft().act())
                acting.add(task)
                task.add_done_callback(acting.discard)

    async def _probe(self) -> None:
        """Open new sockets to random tables at a fixed interval."""
        while True:
            await asyncio.sleep(PROBES)
            table = self.chance.choice(list(self._versions))
            began = time.perf_counter()
            try:
                async with self.socket(table, f"/table/{table}/socket") as socket:
                    await socket.recv()
            except (EOFError, OSError, WebSocketException):
                self.figures.errors += 1
            else:
                self.figures.connected.append(time.perf_counter() - began)


async def loaded(tables: int, rate: float, seconds: float) -> list[tuple[str, str]]:
    """Run the load test and return the rows of its table."""
    with served() as server:
        found = await Load(server).run(tables, rate, seconds)
    actions, frames = max(1, found.actions), max(1, found.frames)
    return [
        ("tables with two people and two bots each", f"{tables}"),
        ("actions per second", f"{found.actions / seconds:.0f}"),
        ("actions per second by people", f"{len(found.answered) / seconds:.0f}"),
        ("time from an action to the other person's frame", spread(found.shown)),
        ("time from an action to its answer", spread(found.answered)),
        ("time from a new socket to its first frame", spread(found.connected)),
        (
            f"p99 to the other person's frame, as a share of {1000 * TARGET:.0f} ms",
            f"{quantile(found.shown, 0.99) / TARGET:.2f}",
        ),
        ("frames per second", f"{found.frames / seconds:.0f}"),
        ("characters per frame", f"{found.letters / frames:,.0f}"),
        ("refused actions, errors", f"{found.refused}, {found.errors}"),
        ("CPU time of the server, of one core", f"{found.cpu / seconds:.0%}"),
        ("CPU time of the server per action", f"{1000 * found.cpu / actions:.1f} ms"),
        ("memory of the server", f"{found.memory[0]:.0f} to {found.memory[-1]:.0f} MB"),
    ]


async def finished(tables: int) -> list[tuple[str, str]]:
    """Let bots play tables to their end; return rows with the server's memory."""
    new = {
        "seats": [{"type": "host"}, *[{"type": "bot", "bot": "random"}] * 2],
        "options": {"listed": True},
    }
    told = []
    with served("--cool", "1") as server:
        wire = Wire(server.url)
        wire = Wire(server.url, (await wire.ask("POST", "/api/me", {})).data["token"])
        for done in range(0, tables, BATCH):
            for _ in range(BATCH):
                table = (await wire.ask("POST", "/api/tables", new)).data["table"]
                await wire.ask("POST", f"/api/tables/{table}/leave")
            while (await wire.ask("GET", "/api/lobby")).data["tables"]:
                await asyncio.sleep(0.2)
            await asyncio.sleep(2.5)  # until the tables are removed from memory
            held = await server.metric("byzanz_tables")
            told.append(
                (
                    f"{done + BATCH} finished tables, {held:.0f} in memory",
                    f"{await server.memory():.0f} MB",
                )
            )
        wire.close()
    return told


def spread(seconds: Sequence[float]) -> str:
    """Return the median and the high quantiles of times, in milliseconds."""
    marks = [1000 * quantile(seconds, part) for part in (0.5, 0.95, 0.99)]
    return "p50 {:.1f} ms, p95 {:.1f} ms, p99 {:.1f} ms".format(*marks)


def quantile(seconds: Sequence[float], part: float) -> float:
    """Return a quantile of the values."""
    return sorted(seconds)[min(len(seconds) - 1, int(part * len(seconds)))] if seconds else 0.0


def keep(told: list[str], parts: dict[str, list[tuple[str, str]]]) -> None:
    """Write the results to the file."""
    lines = ["# Load", "", *[f"- {line}" for line in told]]
    for title, rows in parts.items():
        lines += ["", f"## {title}", "", "| | |", "| --- | ---: |"]
        lines += [f"| {name} | {value} |" for name, value in rows]
    lines += [
        "",
        "Written by `python -m benchmarks.load --write`; its docstring describes the measurement.",
    ]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    """Run the benchmarks, print the results and write them with ``--write``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--rate", type=float, default=200, help="actions per second in all")
    parser.add_argument("--seconds", type=float, default=60, help="seconds of measurement")
    parser.add_argument("--finished", type=int, default=300, help="tables for the memory test")
    parser.add_argument("--write", action="store_true", help=f"keep the results in {RESULTS.name}")
    asked = parser.parse_args()
    console = Console()
    told = machine(PACKAGES)
    parts: dict[str, list[tuple[str, str]]] = {}
    if asked.seconds:
        console.print("measuring the load ...", style="dim")
        seeded_match(4, 1, [*BOTS, *BOTS])  # compiles and caches the bots' code
        parts["Under load"] = asyncio.run(loaded(asked.tables, asked.rate, asked.seconds))
    if asked.finished:
        console.print("measuring the memory ...", style="dim")
        parts["Memory after finished tables"] = asyncio.run(finished(asked.finished))
    for title, rows in parts.items():
        table = Table(title=title, show_header=False)
        for row in rows:
            table.add_row(*row)
        console.print(table)
    for line in told:
        console.print(line, highlight=False)
    if asked.write:
        keep(told, parts)


if __name__ == "__main__":
    main()
