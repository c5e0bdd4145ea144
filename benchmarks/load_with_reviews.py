"""Load test: does the review of games slow the tables down?

``python -m benchmarks.load_with_reviews`` plays at many tables as :mod:`benchmarks.load` does while
the server reviews finished games in its processes of low priority. Phases without and with reviews
alternate in one run: the processes are stopped before a phase without reviews, and continued after
it. For both, it prints the time from an action to the other person's frame, and then the ratio of
the 99th percentiles. It needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from tests.web.wire import Wire

from benchmarks.load import BOTS, Load, quantile, spread
from benchmarks.machine import machine
from benchmarks.server_process import Server, served
from byzanz.arena import seeded_match

STARTING = 300.0
"""Seconds allowed for the bots' games, and for the first review to begin."""
ACCEPTED = 202
MOST = 1.2
"""The p99 with reviews may be this many times that without them."""


class Reviews:
    """The processes of a server that review games."""

    def __init__(self, server: Server) -> None:
        self._server = server

    async def begin(self, games: int) -> None:
        """Let bots play games, ask for their reviews, and wait until one is being made."""
        seats = [{"type": "host"}, *[{"type": "bot", "bot": "random"}] * 3]
        wire = Wire(self._server.url)
        wire = Wire(self._server.url, (await wire.ask("POST", "/api/me", {})).data["token"])
        new = {"seats": seats, "options": {"listed": True}}
        tables = [(await wire.ask("POST", "/api/tables", new)).data["table"] for _ in range(games)]
        for table in tables:
            await wire.ask("POST", f"/api/tables/{table}/leave")
        async with asyncio.timeout(STARTING):
            while (await wire.ask("GET", "/api/lobby")).data["tables"]:
                await asyncio.sleep(0.5)
            for table in tables:
                asked = await wire.ask("POST", f"/api/tables/{table}/review")
                if asked.status != ACCEPTED:
                    raise RuntimeError(f"the server answered {asked.status} to a review")
            while not any(self._processes()):
                await asyncio.sleep(0.5)
        wire.close()

    def pause(self, *, paused: bool) -> None:
        """Stop the processes, or continue them."""
        for process in self._processes():
            os.kill(process, signal.SIGSTOP if paused else signal.SIGCONT)

    def cpu(self) -> float:
        """Return the CPU time of the processes, also of those that have ended, in seconds."""
        ticks = sum(_ticks(self._server.process.pid)[2:])
        for process in self._processes():
            ticks += sum(_ticks(process))
        return ticks / os.sysconf("SC_CLK_TCK")

    def _processes(self) -> Iterator[int]:
        server = self._server.process.pid
        for task in Path(f"/proc/{server}/task").iterdir():
            yield from map(int, (task / "children").read_text().split())


def _ticks(process: int) -> list[int]:
    """Return the CPU time of a process, user and system, and of its children that have ended."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return [int(field) for field in fields[11:15]]


async def compare(asked: argparse.Namespace, console: Console) -> float:
    """Measure phases without and with reviews in turn; return the ratio of their p99."""
    shown: dict[bool, list[float]] = {False: [], True: []}
    with served() as server:
        reviews, load = Reviews(server), Load(server)
        await reviews.begin(asked.games)
        reviews.pause(paused=True)
        try:
            async with load.playing(asked.tables, asked.rate):
                for phase in range(asked.phases):
                    busy = bool(phase % 2)
                    reviews.pause(paused=not busy)
                    before = reviews.cpu()
                    found = await load.measure(asked.seconds)
                    used = reviews.cpu() - before
                    shown[busy] += found.shown
                    pace = found.actions / asked.seconds
                    console.print(
                        f"{'with' if busy else 'without'} reviews: {pace:.0f} "
                        f"actions per second, {spread(found.shown)}; errors {found.errors}; "
                        f"CPU time of reviews {used:.1f} s"
                    )
        finally:
            reviews.pause(paused=False)
    for busy, times in shown.items():
        console.print(f"{'with' if busy else 'without'} reviews, all phases: {spread(times)}")
    return quantile(shown[True], 0.99) / quantile(shown[False], 0.99)


def main() -> None:
    """Run the comparison and print its figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--tables", type=int, default=80)
    parser.add_argument("--rate", type=float, default=80, help="actions per second in all")
    parser.add_argument("--seconds", type=float, default=30, help="seconds of each phase")
    parser.add_argument("--phases", type=int, default=6, help="phases in all, half with reviews")
    parser.add_argument("--games", type=int, default=20, help="games to review")
    asked = parser.parse_args()
    console = Console(highlight=False, soft_wrap=True)
    seeded_match(4, 1, [*BOTS, *BOTS])  # compiles and caches the bots' code
    ratio = asyncio.run(compare(asked, console))
    console.print(f"p99 with reviews / without: {ratio:.2f} (at most {MOST})")
    for line in machine(["starlette", "uvicorn", "websockets"]):
        console.print(line)


if __name__ == "__main__":
    main()
