"""Let two processes race for each action of a table: exactly one wins.

``python -m tests.tables.races --races 2000 --url postgresql`` plays games of three people. Two
services on one database request every action at the same time: the same action, another legal one,
or the same request. The log must contain each decision once and be legal.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from byzanz.notation import parse_action, write_action
from byzanz.rules import Action, Bid, Chance, Done, Game, Reason, Sell, options
from byzanz.tables import Accepted, Limits, Refused, Store, TableReason, TableService
from byzanz.tables.storage.table_rows import load_table

from .databases import database
from .services import open_service, seated

_LOST = {TableReason.STALE_DECISION, TableReason.FINISHED, Reason.ALREADY_DONE.value}
"""The codes that the loser of a race gets."""


@dataclass(frozen=True)
class Ask:
    """A request for one process."""

    table: str
    guest: str
    action: str
    decision: int
    sale: int
    key: str


def race(url: str, races: int, seed: int = 1) -> int:
    """Return how many races were run; raises AssertionError unless each had one winner."""
    return asyncio.run(_race(url, races, seed))


async def _race(url: str, races: int, seed: int) -> int:
    spawning = multiprocessing.get_context("spawn")
    async with open_service(url, automatic=False):
        pass  # creates the schema
    start = spawning.Barrier(2)
    lines, racers = [], []
    for _ in range(2):
        here, there = spawning.Pipe()
        racer = spawning.Process(target=_racer, args=(url, start, there), daemon=True)
        racer.start()
        lines.append(here)
        racers.append(racer)
    chance, run = Chance(seed), 0
    try:
        async with _second_service(url, Limits(tables_per_guest=10**9)) as service:
            while run < races:
                run = await _game(service, lines, chance, run, races)
    finally:
        for line in lines:
            line.send(None)
        for racer in racers:
            racer.join(30)
    return run


async def _game(
    service: TableService, lines: list[Connection], chance: Chance, run: int, races: int
) -> int:
    """Play one game of races; return how many were run in all."""
    table, guests = await seated(service, people=3)
    game, decision = await _dealt(service, table), 0
    sales = [0, 0, 0]
    while not game.over and run < races:
        seat = chance.choice(game.state.waiting_for)
        kind = run % 3
        choices = _choices(game, seat, chance)
        first = chance.choice(choices)
        action = [first, chance.choice(choices) if kind == 1 else first]
        keys = [f"{run}", f"{run}" if kind == 2 else f"{run}b"]
        asks = [
            Ask(table, guests[seat], write_action(act), decision, sales[seat], key)
            for act, key in zip(action, keys, strict=True)
        ]
        for line, ask in zip(lines, asks, strict=True):
            line.send(ask)
        answers = [line.recv() for line in lines]
        won = [answer for answer in answers if isinstance(answer, int)]
        if kind == 2:
            assert len(won) == 2, answers
            assert won[0] == won[1], "a repeated request gets the same answer"
        else:
            assert len(won) == 1, answers
            lost = next(answer for answer in answers if not isinstance(answer, int))
            assert lost in _LOST, lost
        winner = action[0] if isinstance(answers[0], int) else action[1]
        before = game.state
        game = game.play(seat, winner)
        run += 1
        if isinstance(winner, Sell):
            sales[seat] += 1
            after = game.state
            decision += (before.phase, before.turn) != (after.phase, after.turn)
        elif not isinstance(winner, Done):
            decision += 1
    stored = await _dealt(service, table)
    assert stored.plays == game.plays, "the log contains the winners, once and in order"
    return run


def _choices(game: Game, seat: int, chance: Chance) -> Sequence[Action]:
    """Return legal actions of one kind: sales, bids or the others."""
    may = options(game.state, seat)
    if may.sales and chance.below(4) == 0:
        return may.sales
    if may.bids and chance.below(2):
        return [Bid(cards) for cards in may.bids[:8]]
    return may.answers


async def _dealt(service: TableService, table: str) -> Game:
    """Return the stored game."""
    found = await service.store.run(lambda connection: load_table(connection, table))
    assert found is not None
    assert found.game is not None
    return found.game


def _second_service(url: str, limits: Limits = Limits()) -> TableService:  # noqa: B008
    return TableService(Store.open(url), limits=limits, alone=False, automatic=False)


def _racer(url: str, start: Barrier, line: Connection) -> None:
    asyncio.run(_racing(url, start, line))


async def _racing(url: str, start: Barrier, line: Connection) -> None:
    async with _second_service(url) as service:
        while (ask := await asyncio.to_thread(line.recv)) is not None:
            await service.look(ask.table)  # loads the table, which the other process then changes
            start.wait(60)
            answer = await service.act(
                ask.table,
                ask.guest,
                parse_action(ask.action),
                decision=ask.decision,
                sale=ask.sale,
                key=ask.key,
            )
            match answer:
                case Accepted():
                    line.send(answer.version)
                case Refused():
                    line.send(answer.code.value)


def main() -> int:
    """Run races on the database that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--races", type=int, default=2000)
    parser.add_argument("--url", help="a URL, or sqlite or postgresql for a new database")
    given = parser.parse_args()
    with database(given.url) as url:
        run = race(url, given.races)
    sys.stdout.write(f"{run} races of two processes, one winner each\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
