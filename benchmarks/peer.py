"""The same exchange on Byzanz and on boardgame.io: four people at each table act in turn.

``python -m benchmarks.peer --packages FOLDER`` plays on both servers, one after the other, on the
same machine. Each person has a socket, sees only their own cards, and acts; the next person acts
when all four have seen it. It measures the actions per second of the server's CPU time, the time
until the others see an action, the bytes of a frame on the wire, and which acknowledged actions a
server has lost after ``kill -9``. ``--write`` stores the results in ``benchmarks/peer.md``.

boardgame.io stores matches in files with node-persist. It does not start while one of them is
incomplete, so the benchmark deletes such files after each kill, and counts them.

The packages are not a dependency of Byzanz. Get them with Node.js 18 or newer in an empty folder:
``npm install boardgame.io@0.50.2 node-persist@3.1.3``. Newer releases of node-persist write only
once a second, and boardgame.io is not made for them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from tests.web.wire import Wire
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from benchmarks.machine import machine
from benchmarks.turns import Page

RESULTS = Path(__file__).parent / "peer.md"
SERVER = Path(__file__).parent / "peer" / "server.js"
PEER = "boardgame.io"
NAMESPACE = "/auction"
PATIENCE = 120.0
WARM_UP = 5.0
END = (
    "its docstring describes the measurement.\n\nByzanz commits an action to its database, renders "
    "the page of each person, and sends what changed. boardgame.io sends each person the new state "
    "as JSON, which the browser renders, and writes its files afterwards."
)
ANSWERING = 20.0
"""Seconds after which a table that is asked for counts as lost."""


@dataclass
class Figures:
    """Measurements; times are in seconds."""

    actions: int = 0
    shown: list[float] = field(default_factory=list)
    """Times from sending an action to the frame of each other person."""
    frames: int = 0
    arrived: int = 0
    """The bytes that arrived at sockets."""


class Person(ABC):
    """A person at a table, with a socket."""

    def __init__(self, play: Play) -> None:
        self.play = play
        self.version = -1
        self.asked = False
        self.over = False
        self.changed = asyncio.Event()

    def saw(self, version: int) -> None:
        """Note a frame with this version."""
        self.play.figures.frames += 1
        self.version = max(self.version, version)
        self.changed.set()

    async def reaches(self, version: int) -> float:
        """Wait until this version is shown; return when it was."""
        while self.version < version:
            self.changed.clear()
            await self.changed.wait()
        return time.perf_counter()

    def connected(self, address: str, **given: Any) -> connect:
        """Return a socket to open, whose bytes are counted."""
        figures = self.play

        class Counted(ClientConnection):
            def data_received(self, data: bytes) -> None:
                figures.figures.arrived += len(data)
                super().data_received(data)

        return connect(
            address,
            create_connection=Counted,
            max_size=None,
            proxy=None,
            ping_interval=None,
            **given,
        )

    @abstractmethod
    async def watch(self) -> None:
        """Receive frames until the socket closes."""

    @abstractmethod
    async def act(self) -> int:
        """Act and return the new version, once the server has acknowledged it."""


class Play(ABC):
    """Tables on a server that runs in its own process."""

    name: str

    def __init__(self, folder: Path, seed: int = 7) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.figures = Figures()
        self.acknowledged: dict[str, int] = {}
        """The highest version of each table that was acknowledged."""
        self.process: subprocess.Popen[str] | None = None
        self.port = 0
        self.deleted = 0
        """The number of incomplete files that were deleted."""

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Start the server and wait until it answers."""
        with socket.create_server(("127.0.0.1", 0)) as found:
            self.port = found.getsockname()[1]
        with (self.folder / "log").open("a") as log:
            command, environment = self.command()
            self.process = subprocess.Popen(
                command, stdout=log, stderr=log, text=True, env={**os.environ, **environment}
            )
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(OSError):
                    await Wire(self.url).ask("GET", "/")
                    return
                await asyncio.sleep(0.1)

    def kill(self) -> None:
        """Kill the server."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def cpu(self) -> float:
        """Return the CPU time of the server, with all its threads, in seconds."""
        assert self.process is not None
        text = Path(f"/proc/{self.process.pid}/stat").read_text()
        spent = text[text.rindex(")") + 2 :].split()[11:13]
        return sum(map(int, spent)) / os.sysconf("SC_CLK_TCK")

    async def run(self, tables: int) -> None:
        """Play at so many tables until cancelled."""
        async with asyncio.TaskGroup() as group:
            for _ in range(tables):
                group.create_task(self._play())

    async def _play(self) -> None:
        while True:
            table, people = await self.seat()
            watching = [asyncio.create_task(person.watch()) for person in people]
            try:
                await self._game(table, people)
            finally:
                for task in watching:
                    task.cancel()

    async def _game(self, table: str, people: list[Person]) -> None:
        for person in people:
            await person.reaches(0)
        while not any(person.over for person in people):
            newest = max(person.version for person in people)
            for person in people:
                await person.reaches(newest)
            actor = next((person for person in people if person.asked), None)
            if actor is None:
                await asyncio.sleep(0.01)
                continue
            sent = time.perf_counter()
            others = [person for person in people if person is not actor]
            version = await actor.act()
            self.acknowledged[table] = version
            self.figures.actions += 1
            seen = await asyncio.gather(*(person.reaches(version) for person in others))
            self.figures.shown += [at - sent for at in seen]
            await actor.reaches(version)

    @abstractmethod
    def command(self) -> tuple[list[str], dict[str, str]]:
        """Return the command of the server, and what it needs in its environment."""

    @abstractmethod
    async def seat(self) -> tuple[str, list[Person]]:
        """Create a table with four people."""

    @abstractmethod
    async def stored(self, table: str) -> int:
        """Return the version of a table."""


class ByzanzPerson(Person):
    """A person with the page of a table."""

    play: ByzanzPlay

    def __init__(self, play: ByzanzPlay, token: str) -> None:
        super().__init__(play)
        self.wire, self.token, self.table = Wire(play.url, token), token, ""
        self._page = Page()

    async def watch(self) -> None:
        address = f"ws://127.0.0.1:{self.play.port}/table/{self.table}/socket?language=en&changes"
        with suppress(OSError, EOFError, WebSocketException):
            headers = {"authorization": f"Bearer {self.token}"}
            async with self.connected(address, additional_headers=headers) as frames:
                async for text in frames:
                    heading = self._page.take(str(text))
                    self.asked, self.over = heading.asks, heading.over
                    self.saw(heading.version)

    async def act(self) -> int:
        turn = self._page.turn()
        word, cards = turn.answer(self.play.chance)
        chosen = {word: cards} if word in ("give", "take") else {"card": cards}
        form = {
            "do": word, "decision": turn.decision, "sale": turn.sale,
            "key": secrets.token_urlsafe(8), **chosen,
        }  # fmt: skip
        reply = await self.wire.ask("POST", f"/table/{self.table}/act", form=form)
        if reply.status != 200:
            raise RuntimeError(reply.content.decode())
        return int(reply.content)


class ByzanzPlay(Play):
    """Tables on Byzanz."""

    name = "Byzanz"

    def command(self) -> tuple[list[str], dict[str, str]]:
        command = [sys.executable, "-m", "benchmarks.unlimited", str(self.folder)]
        return [*command, "--port", str(self.port)], {}

    async def seat(self) -> tuple[str, list[Person]]:
        people = []
        for _ in range(4):
            made = await Wire(self.url).ask("POST", "/api/me", {})
            people.append(ByzanzPerson(self, made.data["token"]))
        seats = [{"type": "host"}, *[{"type": "open"}] * 3]
        table = (await people[0].wire.ask("POST", "/api/tables", {"seats": seats})).data["table"]
        for person in people[1:]:
            await person.wire.ask("POST", f"/api/tables/{table}/join", {})
        for person in people:
            person.table = table
        return table, list(people)

    async def stored(self, table: str) -> int:
        found = await Wire(self.url).ask("GET", f"/api/tables/{table}")
        return int(found.data["version"])


class PeerPerson(Person):
    """A client of boardgame.io, which talks Socket.IO."""

    play: PeerPlay

    def __init__(self, play: PeerPlay, match: str, seat: str) -> None:
        super().__init__(play)
        self.match, self.seat = match, seat
        self._socket: ClientConnection | None = None
        self._state: dict[str, Any] = {}

    async def watch(self) -> None:
        address = f"ws://127.0.0.1:{self.play.port}/socket.io/?EIO=4&transport=websocket"
        with suppress(OSError, EOFError, WebSocketException):
            async with self.connected(address) as self._socket:
                async for text in self._socket:
                    await self._took(str(text))

    async def _took(self, text: str) -> None:
        assert self._socket is not None
        if text.startswith("0"):
            await self._socket.send(f"40{NAMESPACE},")
        elif text == "2":
            await self._socket.send("3")
        elif text.startswith("40"):
            await self._emit("sync", self.match, self.seat, None, 4)
        elif text.startswith("42"):
            kind, match, *rest = json.loads(text[2:].partition(",")[2])
            if match == self.match and kind in ("sync", "update"):
                self._state = rest[0]["state"] if kind == "sync" else rest[0]
                self.asked = self._state["ctx"]["currentPlayer"] == self.seat
                self.saw(self._state["_stateID"])

    async def act(self) -> int:
        before, hand = self._state["_stateID"], self._state["G"]["hands"][int(self.seat)]
        move = ("bid", [self.play.chance.choice(hand)]) if hand and self._bids() else ("pass", [])
        payload = {"type": move[0], "args": move[1], "playerID": self.seat}
        action = {"type": "MAKE_MOVE", "payload": payload}
        await self._emit("update", action, before, self.match, self.seat)
        await self.reaches(before + 1)  # its own update is the acknowledgement
        return self.version

    def _bids(self) -> bool:
        return self.play.chance.random() < 0.5

    async def _emit(self, *event: Any) -> None:
        assert self._socket is not None
        await self._socket.send(f"42{NAMESPACE},{json.dumps(event)}")


class PeerPlay(Play):
    """Tables on boardgame.io."""

    name = PEER
    packages: Path

    def command(self) -> tuple[list[str], dict[str, str]]:
        files = self.folder / "files"
        return ["node", str(SERVER), str(self.port), str(files)], {
            "NODE_PATH": str(self.packages / "node_modules"), "NODE_ENV": "production",
        }  # fmt: skip

    async def start(self) -> None:
        for file in self.folder.glob("files/*"):
            try:
                json.loads(file.read_text())
            except ValueError:
                file.unlink()
                self.deleted += 1
        await super().start()

    async def seat(self) -> tuple[str, list[Person]]:
        match = secrets.token_hex(8)
        await self.stored(match)  # the first client to ask for a match creates it
        people: list[Person] = [PeerPerson(self, match, seat) for seat in "0123"]
        return match, people

    async def stored(self, table: str) -> int:
        person = PeerPerson(self, table, "0")
        watching = asyncio.create_task(person.watch())
        with suppress(TimeoutError):  # it does not answer for a match without its metadata
            async with asyncio.timeout(ANSWERING):
                await person.reaches(0)
        watching.cancel()
        return person.version


async def measured(play: Play, tables: int, seconds: float, kills: int) -> list[tuple[str, str]]:
    """Play, measure, and kill the server several times; return the rows of the table."""
    await play.start()
    try:
        playing = asyncio.create_task(play.run(tables))
        await asyncio.sleep(WARM_UP)
        before, play.figures = play.cpu(), Figures()
        await asyncio.sleep(seconds)
        found, spent = play.figures, play.cpu() - before
        lost = await _killed(play, playing, tables, kills)
    finally:
        play.kill()
    actions, frames, shown = max(1, found.actions), max(1, found.frames), sorted(found.shown) or [0]
    return [
        ("tables with four people each", f"{tables}"),
        ("actions per second", f"{found.actions / seconds:.0f}"),
        ("actions per second of CPU time", f"{found.actions / max(spent, 0.01):.0f}"),
        ("CPU time per action", f"{1000 * spent / actions:.2f} ms"),
        ("time from an action to another person's frame, p50", f"{_ms(shown, 0.5)}"),
        ("time from an action to another person's frame, p99", f"{_ms(shown, 0.99)}"),
        ("bytes per frame on the wire", f"{found.arrived / frames:,.0f}"),
        (f"acknowledged actions lost by {kills} times kill -9", lost),
        ("incomplete files after kill -9", f"{play.deleted or 'none'}"),
    ]


async def _killed(play: Play, playing: asyncio.Task[None], tables: int, kills: int) -> str:
    """Kill the server in play and start it again; return how many actions were lost, and where."""
    lost = hit = 0
    for _ in range(kills):
        play.kill()
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)
        known = dict(play.acknowledged)
        await play.start()
        stored = await asyncio.gather(*map(play.stored, known))
        for version, found in zip(known.values(), stored, strict=True):
            lost, hit = lost + max(0, version - found), hit + (found < version)
        play.acknowledged.clear()
        playing = asyncio.create_task(play.run(tables))
        await asyncio.sleep(WARM_UP)
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)
    return f"{lost} at {hit} tables" if lost else "none"


def _ms(values: list[float], part: float) -> str:
    return f"{1000 * values[min(len(values) - 1, int(part * len(values)))]:.0f} ms"


def main() -> None:
    """Run the benchmark and print the results."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--packages", type=Path, required=True, help="folder of the npm packages")
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--kills", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=1, help="how often both servers take turns")
    parser.add_argument("--write", action="store_true", help=f"keep the results in {RESULTS.name}")
    asked = parser.parse_args()
    PeerPlay.packages = asked.packages.resolve()
    made: list[Callable[[Path], Play]] = [ByzanzPlay, PeerPlay]
    columns: list[tuple[str, list[tuple[str, str]]]] = []
    for _ in range(asked.rounds):
        for make in made:
            with tempfile.TemporaryDirectory() as folder:
                play = make(Path(folder))
                rows = asyncio.run(measured(play, asked.tables, asked.seconds, asked.kills))
                columns.append((play.name, rows))
    told = machine(["starlette", "uvicorn", "websockets", "sqlalchemy", "jinja2"])
    table = Table("", *(name for name, _ in columns))
    lines = [[label, *(dict(rows)[label] for _, rows in columns)] for label, _ in columns[0][1]]
    for line in lines:
        table.add_row(*line)
    console = Console()
    console.print(table)
    for fact in told:
        console.print(fact, highlight=False)
    if asked.write:
        head = [["", *(name for name, _ in columns)], ["---", *["---:"] * len(columns)]]
        rows = [f"| {' | '.join(line)} |" for line in [*head, *lines]]
        end = f"Written by `python -m benchmarks.peer --write`; {END}"
        facts = [f"- {fact}" for fact in told]
        text = "\n".join(["# Byzanz and boardgame.io", "", *facts, "", *rows, "", end])
        RESULTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
