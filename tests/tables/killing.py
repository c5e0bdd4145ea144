"""Kill a service under load again and again: no acknowledged action may be lost.

``python -m tests.tables.killing --kills 200 --url postgresql`` runs a process that plays many
tables at once, with people and bots, and prints each action when it is acknowledged. It kills the
process with SIGKILL and examines the database: every acknowledged action must be in its log once,
and the log must have no gap and be legal. The next process continues from there.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

from sqlalchemy import select

from byzanz.notation import write_action
from byzanz.rules import Chance
from byzanz.tables import Accepted, Limits, Stage, Store, TableService
from byzanz.tables.storage import schema
from byzanz.tables.storage.store import make_engine
from byzanz.tables.storage.table_rows import load_table

from .databases import database
from .services import chosen, seated

TABLES = 12
_LIMITS = Limits(substitute_bot="greedy", tables_per_guest=10**9)


def kill_often(url: str, kills: int, seed: int = 1) -> int:
    """Return how many actions were acknowledged; raises AssertionError if one was lost."""
    chance, acknowledged = Chance(seed), 0
    for _ in range(kills):
        actions = list(_killed(url, 1 + chance.below(60)))
        acknowledged += len(actions)
        _examine(url, actions)
    return acknowledged


def _killed(url: str, actions: int) -> Iterator[tuple[str, int, str]]:
    """Run a process, kill it after some actions, and yield the acknowledged ones."""
    command = [sys.executable, "-m", "tests.tables.killing", "--serve", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "serving\n"
        lines = [process.stdout.readline().strip() for _ in range(actions)]
        process.kill()
        lines += process.stdout.read().split("\n")[:-1]  # the last line may be cut off
    for line in lines:
        table, number, action = line.split(" ", 2)
        yield table, int(number), action


def _examine(url: str, acknowledged: list[tuple[str, int, str]]) -> None:
    """Raise AssertionError unless the logs are complete and contain the acknowledged actions."""
    engine = make_engine(url)
    log = schema.log
    with engine.connect() as connection:
        rows = connection.execute(
            select(log.c.table_id, log.c.number, log.c.action).order_by(
                log.c.table_id, log.c.number
            )
        ).all()
        logs: dict[str, list[str]] = {}
        for table, number, action in rows:
            actions = logs.setdefault(table, [])
            assert number == len(actions), f"{table} has a gap before {number}"
            actions.append(action)
        for table, number, action in acknowledged:
            assert logs[table][number] == action, f"{table} lost {number}"
        for table in logs:
            assert load_table(connection, table) is not None  # all actions are legal
    engine.dispose()


async def _serve(url: str) -> None:
    """Play tables until killed, and print acknowledged actions."""
    async with _service(url) as service:
        tables = await _unfinished(service)
        while len(tables) < TABLES:
            tables.append(await seated(service, people=2, bots=1))
        _print_line("serving")
        await asyncio.gather(*[_play(service, *table) for table in tables])


def _service(url: str) -> TableService:
    return TableService(Store.open(url), limits=_LIMITS)


async def _unfinished(service: TableService) -> list[tuple[str, list[str]]]:
    """Return the tables in play that the last process left, with their people."""

    def job(connection):  # noqa: ANN001, ANN202
        t, s = schema.tables, schema.seats
        found = connection.execute(
            select(t.c.id, s.c.guest)
            .join(s)
            .where(t.c.stage == Stage.PLAYING, s.c.guest.is_not(None))
            .order_by(t.c.id, s.c.seat)
        )
        people: dict[str, list[str]] = {}
        for table, guest in found:
            people.setdefault(table, []).append(guest)
        return list(people.items())

    return await service.store.run(job)


async def _play(service: TableService, table: str, guests: list[str]) -> None:
    """Play for the table's people, game after game."""
    while True:
        async with service.subscribe(table) as table_views:
            async for table_view in table_views:
                if table_view.stage is Stage.FINISHED:
                    break
                await _act(service, table, guests, table_view.version)
        table = await service.rematch(table, guests[0])


async def _act(service: TableService, table: str, guests: list[str], version: int) -> None:
    for guest in guests:
        table_view = await service.look(table, guest)
        if table_view.version != version or table_view.seat not in table_view.waiting_for:
            continue
        action = chosen(table_view)
        answer = await service.act(
            table,
            guest,
            action,
            decision=table_view.decision,
            sale=table_view.sale,
            key=os.urandom(8).hex(),
        )
        if isinstance(answer, Accepted) and answer.table_view.version == answer.version:
            _print_line(f"{table} {answer.table_view.number - 1} {write_action(action)}")


def _print_line(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> int:
    """Kill services on the database that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--url", help="a URL, or sqlite or postgresql for a new database")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.serve:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(given.serve))
        return 0
    with database(given.url) as url:
        kept = kill_often(url, given.kills)
    sys.stdout.write(f"{given.kills} kills, {kept} acknowledged actions, none lost\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
