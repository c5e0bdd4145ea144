"""Load test: how many actions a second do several server processes reach on one database?

``python -m benchmarks.scaling --processes 1 2`` measures two ways to send requests to N processes
on a new PostgreSQL database. ``any``: ``byzanz serve --workers N``, where any process gets a
request. ``by-table``: N single servers, where all requests of a table go to the same one, as from a
proxy that hashes the table's id. Simulated people, in processes of their own, play at many tables
and act as soon as it is their turn, as in :mod:`benchmarks.load`. It prints the actions per second,
the time from an action to the other person's frame, and the processor time of the servers, of
PostgreSQL and of the people. ``--write`` stores the results in ``benchmarks/scaling.md`` and draws
``docs/pictures/scaling.svg``. It needs Linux and what the tests need.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from tests.tables.databases import Postgres
from tests.web.browser.process import ServerProcess
from tests.web.several import SeveralProcesses

from benchmarks.load import BOTS, WARM_UP, Load, quantile, spread
from benchmarks.machine import machine
from benchmarks.server_process import Server
from byzanz.arena import seeded_match
from byzanz.arena.charts import svg

RESULTS = Path(__file__).parent / "scaling.md"
PICTURE = Path(__file__).parents[1] / "docs" / "pictures" / "scaling.svg"
PACKAGES = ["starlette", "uvicorn", "websockets", "sqlalchemy", "psycopg", "msgspec"]
RATE = 10_000.0
"""The asked actions per second, which are more than any server reaches."""
UNLIMITED = {
    **{
        f"BYZANZ_{whose}_RATE_{what}": "1000000000"
        for whose in ("GUEST", "ADDRESS", "NEW_GUEST", "FILE")
        for what in ("BURST", "PER_SECOND")
    },
    **{
        f"BYZANZ_{limit}": "100000"
        for limit in ("SOCKETS_PER_ADDRESS", "CONNECTIONS_PER_ADDRESS", "TABLES_PER_GUEST")
    },
}
SETTLING = 120.0
"""Seconds that servers may take until they are idle."""
IDLE = 0.15
"""Servers that use less than this part of a core have nothing left to prepare."""
WAYS = {
    "any": "Any process gets a request",
    "by-table": "One process gets all requests of a table",
}
COLOURS = {"any": svg.PALE, "by-table": svg.ACCENT}
COLUMNS = (
    "processes", "actions per second", "to the other person's frame", "errors",
    "cores: servers", "PostgreSQL", "people", "CPU per action",
)  # fmt: skip


def wait_until_idle() -> None:
    """Wait until the servers have loaded their bots and compiled their pages."""
    until, before = time.monotonic() + SETTLING, processor_seconds()["servers"]
    while time.monotonic() < until:
        time.sleep(3)
        now = processor_seconds()["servers"]
        if now - before < IDLE * 3:
            return
        before = now


class Unmeasured(Server):
    """Servers whose processor time is measured by another process."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def metric(self, name: str) -> float:  # noqa: ARG002
        """Return 0."""
        return 0.0


async def people(urls: list[str], tables: int, seconds: float, seed: int) -> None:
    """Play; print the figures of the measured seconds as JSON."""
    load = Load(Unmeasured(urls[0]), seed, urls)
    async with load.playing(tables, RATE):
        await asyncio.sleep(WARM_UP)
        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        found = await load.measure(seconds)
        figures = {"actions": found.actions, "shown": found.shown, "errors": found.errors}
        print(json.dumps(figures), flush=True)


def processor_seconds() -> dict[str, float]:
    """Return the processor time of each kind of process so far."""
    found = {"servers": 0.0, "PostgreSQL": 0.0, "people": 0.0}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except (OSError, UnicodeDecodeError):
            continue  # it has ended
        kind = next((kind for kind, word in KINDS.items() if word in command), None)
        if kind is not None:
            found[kind] += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


KINDS = {
    "people": "benchmarks.scaling --people",
    "servers": "byzanz serve",
    "PostgreSQL": "postgres",
}


def started_servers(
    stack: ExitStack, folder: Path, database: str, processes: int, *, by_table: bool
) -> list[str]:
    """Start the servers and return their addresses."""
    if not by_table:
        together = SeveralProcesses(folder, database, processes)
        stack.callback(together.close)
        together.start()
        return [together.url]
    urls = []
    for number in range(processes):
        own = folder / str(number)
        own.mkdir()
        single = ServerProcess(own, database)
        stack.callback(single.close)
        single.start()
        urls.append(single.url)
    return urls


def measure(
    postgres: Postgres, way: str, processes: int, asked: argparse.Namespace
) -> dict[str, Any]:
    """Measure a number of server processes; return the figures."""
    generators = max(1, min(processes, asked.generators))
    tables = asked.tables * processes // generators
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        by_table = way == "by-table"
        urls = started_servers(stack, folder, postgres.fresh(), processes, by_table=by_table)
        wait_until_idle()
        command = [sys.executable, "-m", "benchmarks.scaling", "--people", *urls]
        command += ["--tables", str(tables), "--seconds", str(asked.seconds)]
        started = [
            stack.enter_context(
                subprocess.Popen(
                    [*command, "--seed", str(number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for number in range(generators)
        ]
        stack.callback(lambda: [each.terminate() for each in started])
        for each in started:
            assert each.stdout is not None
            if each.stdout.readline() != "ready\n":
                raise RuntimeError("the simulated people could not play")
        before, began = processor_seconds(), time.monotonic()
        for each in started:
            assert each.stdin is not None
            each.stdin.write("\n")
            each.stdin.flush()
        found = [json.loads(each.stdout.readline()) for each in started if each.stdout]
        seconds = time.monotonic() - began
        used = {kind: spent - before[kind] for kind, spent in processor_seconds().items()}
    actions = sum(one["actions"] for one in found)
    shown = [each for one in found for each in one["shown"]]
    return {
        "way": way,
        "processes": processes,
        "generators": generators,
        "rate": actions / asked.seconds,
        "shown": spread(shown),
        "p99": quantile(shown, 0.99),
        "errors": sum(one["errors"] for one in found),
        "cores": {kind: spent / seconds for kind, spent in used.items()},
        "cpu": used["servers"] / max(1, actions),
    }


def row(found: dict[str, Any]) -> list[str]:
    """Return the cells of a line of the table."""
    cores = [f"{found['cores'][kind]:.1f}" for kind in ("servers", "PostgreSQL", "people")]
    first = [str(found["processes"]), f"{found['rate']:.0f}", found["shown"]]
    return [*first, str(found["errors"]), *cores, f"{1000 * found['cpu']:.1f} ms"]


def drawn(results: list[dict[str, Any]], told: str) -> str:
    """Return a chart of actions per second over processes, with a curve for each way."""
    width, height, left, bottom = 640, 420, 70, 330
    most_x = max(one["processes"] for one in results)
    most_y = max([1.0, *(one["rate"] for one in results)]) * 1.15

    def at(processes: float, rate: float) -> svg.Point:
        return left + processes / most_x * (width - left - 40), bottom - rate / most_y * 270

    parts = [svg.text(left, 30, "Actions per second of N server processes", size=16, bold=True)]
    step = 10 ** (len(str(int(most_y))) - 1)
    for rate in range(0, int(most_y) + 1, step if most_y > 2 * step else step // 2 or 1):
        parts.append(svg.line([at(0, rate), at(most_x, rate)], svg.GRID))
        parts.append(svg.text(left - 8, at(0, rate)[1] + 4, str(rate), anchor="end"))
    for number in sorted({one["processes"] for one in results}):
        x = at(number, 0)[0]
        parts.append(svg.text(x, bottom + 18, str(number), anchor="middle"))
    for place, (way, colour) in enumerate(COLOURS.items()):
        found = [one for one in results if one["way"] == way]
        points = [at(one["processes"], one["rate"]) for one in found]
        parts.append(svg.line(points, colour, width=2))
        for one, (x, y) in zip(found, points, strict=True):
            label = f"{one['rate']:.0f}/s, p99 {1000 * one['p99']:.0f} ms"
            parts.append(svg.circle(x, y, 4, colour))
            above = way == "by-table"
            end = above or x > width - 150
            place_of_label = (x - 8, y - 6) if above else (x if end else x + 8, y + 18)
            anchor = "end" if end else "start"
            if one["processes"] > 1:
                parts.append(svg.text(*place_of_label, label, size=11, anchor=anchor))
        parts.append(svg.text(left + 250 * place, bottom + 60, WAYS[way], size=12, fill=colour))
    parts.append(svg.text((left + width) / 2, bottom + 38, "server processes", anchor="middle"))
    parts.append(svg.text(left, bottom + 80, told, size=11, fill=svg.PALE))
    return svg.document(width, height, "Actions per second over server processes", parts)


def main() -> None:
    """Run the benchmark, print the results and write them with ``--write``."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--tables", type=int, default=60, help="tables for each server process")
    parser.add_argument("--generators", type=int, default=6, help="most processes of people")
    parser.add_argument("--seconds", type=float, default=20, help="seconds of measurement")
    parser.add_argument("--write", action="store_true", help=f"keep the results in {RESULTS.name}")
    parser.add_argument("--send", nargs="+", choices=WAYS, default=list(WAYS), help="ways to send")
    parser.add_argument("--people", metavar="URL", nargs="+", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=7, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.people:
        asyncio.run(people(asked.people, asked.tables, asked.seconds, asked.seed))
        return
    os.environ.update(UNLIMITED)
    console = Console(width=150)
    seeded_match(4, 1, [*BOTS, *BOTS])  # compiles and caches the bots' code
    results = []
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # started by root, PostgreSQL runs as another user
        with Postgres(Path(folder)) as postgres:
            for way in asked.send:
                table = Table(*COLUMNS, title=WAYS[way])
                for processes in asked.processes:
                    results.append(measure(postgres, way, processes, asked))
                    table.add_row(*row(results[-1]))
                    console.print(" ".join(row(results[-1])), style="dim", highlight=False)
                console.print(table)
    told = machine(PACKAGES)
    for line in told:
        console.print(line, highlight=False)
    if asked.write:
        _write(results, told, asked)


def _write(results: list[dict[str, Any]], told: list[str], asked: argparse.Namespace) -> None:
    generators = sorted({(one["processes"], one["generators"]) for one in results})
    people = ", ".join(f"{most} for {processes}" for processes, most in generators)
    settings = (
        f"{asked.tables} tables for each server process, {asked.seconds:.0f} s each, after "
        f"{2 * WARM_UP:.0f} s of play; processes of simulated people: {people}"
    )
    lines = ["# Several processes", ""]
    lines += [f"- {line}" for line in [*told, settings]]
    lines += ["- PostgreSQL on the same machine, without waiting for the disk (fsync off)", ""]
    for way, title in WAYS.items():
        found = [one for one in results if one["way"] == way]
        lines += [f"## {title}", "", f"| {' | '.join(COLUMNS)} |", "|" + " ---: |" * len(COLUMNS)]
        lines += [*(f"| {' | '.join(row(one))} |" for one in found), ""]
    lines += [f"![Actions per second over server processes](../docs/pictures/{PICTURE.name})", ""]
    lines += ["Written by `python -m benchmarks.scaling --write`."]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    PICTURE.write_text(drawn(results, told[0]), encoding="utf-8")


if __name__ == "__main__":
    main()
