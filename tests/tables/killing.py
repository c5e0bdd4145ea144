"""A house under load is killed, again and again: nothing that was acknowledged is lost.

``python -m tests.tables.killing --kills 200 --url postgresql`` runs a process that plays many
tables at once, people and bots, and tells of each action when it is acknowledged; kills it with
SIGKILL in the middle; and looks into the database. Every acknowledged action must stand in its log
once, the log must have no gap and play out legally, and the next process goes on from there.
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
from byzanz.tables import Accepted, House, Limits, Stage, Store
from byzanz.tables.storage import schema
from byzanz.tables.storage.store import make_engine
from byzanz.tables.storage.table_rows import load_table

from .databases import database
from .hosting import chosen, seated

TABLES = 12
_LIMITS = Limits(stand_in="greedy", tables_per_guest=10**9)


def kill_often(url: str, kills: int, seed: int = 1) -> int:
    """How many actions were acknowledged; raises AssertionError if one of them was lost."""
    chance, acknowledged = Chance(seed), 0
    for _ in range(kills):
        told = list(_killed(url, 1 + chance.below(60)))
        acknowledged += len(told)
        _examine(url, told)
    return acknowledged


def _killed(url: str, actions: int) -> Iterator[tuple[str, int, str]]:
    """What a process acknowledged, table, number and action; killed after so many or some more."""
    command = [sys.executable, "-m", "tests.tables.killing", "--serve", url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "serving\n"
        lines = [process.stdout.readline().strip() for _ in range(actions)]
        process.kill()
        lines += process.stdout.read().split("\n")[:-1]  # the last may be cut off, and not told
    for line in lines:
        table, number, action = line.split(" ", 2)
        yield table, int(number), action


def _examine(url: str, told: list[tuple[str, int, str]]) -> None:
    """Raises AssertionError unless the logs are whole and hold what was told."""
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
        for table, number, action in told:
            assert logs[table][number] == action, f"{table} lost {number}"
        for table in logs:
            assert load_table(connection, table) is not None  # it plays out legally
    engine.dispose()


async def _serve(url: str) -> None:
    """Plays tables until killed, and tells of what is acknowledged."""
    async with _house(url) as home:
        tables = await _unfinished(home)
        while len(tables) < TABLES:
            tables.append(await seated(home, people=2, bots=1))
        _tell("serving")
        await asyncio.gather(*[_play(home, *table) for table in tables])


def _house(url: str) -> House:
    return House(Store.open(url), limits=_LIMITS)


async def _unfinished(home: House) -> list[tuple[str, list[str]]]:
    """The tables that the process before left in play, and who sits there."""

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

    return await home.store.run(job)


async def _play(home: House, table: str, guests: list[str]) -> None:
    """The table's people play on, game after game."""
    while True:
        async with home.watch(table) as sights:
            async for sight in sights:
                if sight.stage is Stage.FINISHED:
                    break
                await _act(home, table, guests, sight.version)
        table = await home.rematch(table, guests[0])


async def _act(home: House, table: str, guests: list[str], version: int) -> None:
    for guest in guests:
        sight = await home.look(table, guest)
        if sight.version != version or sight.seat not in sight.waiting_for:
            continue
        action = chosen(sight)
        answer = await home.act(
            table, guest, action, decision=sight.decision, sale=sight.sale, key=os.urandom(8).hex()
        )
        if isinstance(answer, Accepted) and answer.sight.version == answer.version:
            _tell(f"{table} {answer.sight.number - 1} {write_action(action)}")


def _tell(line: str) -> None:
    os.write(1, f"{line}\n".encode())


def main() -> int:
    """Kills houses on the database of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--url", help="an address, or sqlite or postgresql for a new database")
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
