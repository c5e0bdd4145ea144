"""Table services for tests, with a fixed clock, ids and deals, and helpers that play."""

from __future__ import annotations

import asyncio
from itertools import count

import msgspec

from byzanz.bots import make_bot
from byzanz.rules import Action, Deal
from byzanz.tables import (
    Accepted,
    Answer,
    BotSeat,
    Environment,
    Host,
    Limits,
    NewTable,
    Open,
    Stage,
    Store,
    TableOptions,
    TableService,
    TableView,
)

EAGER = Limits(
    substitute_bot="greedy",
    disconnect_grace_seconds=0,
    polling_presence_seconds=0,
    clock_interval_seconds=0.02,
    cleanup_interval_seconds=1e12,
)
"""Limits with which tests do not have to wait."""


class Clock:
    """A clock that stands still until it is set."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def environment(clock: Clock | None = None, seed: int = 1, prefix: str = "id") -> Environment:
    """Return an environment that gives the same values every time."""
    numbers, keys, seeds = count(1), count(1), count(seed)
    return Environment(
        clock=clock or Clock(),
        ids=lambda: f"{prefix}-{next(numbers):04}",
        keys=lambda: f"key-{prefix}-{next(keys):04}",
        seeds=lambda: next(seeds),
        deal=lambda players: Deal.from_seed(players, seed),
    )


def open_service(
    url: str, clock: Clock | None = None, *, seed: int = 1, prefix: str = "id", **settings: object
) -> TableService:
    """Return a service on the database, with limits for tests."""
    given: dict[str, object] = {"limits": EAGER, "environment": environment(clock, seed, prefix)}
    return TableService(Store.open(url), **{**given, **settings})  # type: ignore[arg-type]


def limits(**changes: object) -> Limits:
    """Return the limits for tests, with these changes."""
    return msgspec.structs.replace(EAGER, **changes)


async def seated(
    service: TableService, people: int = 3, bots: int = 0, options: TableOptions | None = None
) -> tuple[str, list[str]]:
    """Create a table in play, people first and then bots; return its id and the people's ids."""
    guests = [(await service.guests.create(f"Guest {number}", "en")).id for number in range(people)]
    seats = (Host(), *[Open()] * (people - 1), *[BotSeat("greedy")] * bots)
    table = await service.create(guests[0], NewTable(seats, options or TableOptions()))
    for guest in guests[1:]:
        await service.join(table, guest)
    return table, guests


def chosen(table_view: TableView, seed: int = 0) -> Action:
    """Return a sensible action for the viewer, whose turn it is."""
    assert table_view.view is not None
    return make_bot("greedy", seed).choose(table_view.view)


async def act(service: TableService, table: str, guest: str, action: Action, key: str) -> Answer:
    """Play an action that names the current decision, and return the answer."""
    table_view = await service.look(table, guest)
    return await service.act(
        table, guest, action, decision=table_view.decision, sale=table_view.sale, key=key
    )


async def play_out(
    service: TableService,
    table: str,
    guests: list[str],
    most: int = 1000,
    viewer: str | None = None,
) -> int:
    """Play for the people to the end, or ``most`` actions; return how many they played.

    A shared deal needs its player as the viewer; otherwise a spectator looks at the table.
    """
    seats = {(await service.look(table, guest)).seat: guest for guest in guests}
    for played in range(most):
        table_view = await service.look(table, viewer)
        if table_view.stage is not Stage.PLAYING:
            return played
        mine = [seat for seat in table_view.waiting_for if seat in seats]
        if not mine:
            await bots_done(service, table, guests, viewer)
            continue
        guest = seats[mine[0]]
        action = chosen(await service.look(table, guest))
        answer = await act(service, table, guest, action, f"{table_view.version}")
        assert isinstance(answer, Accepted), answer
    return most


async def holds(service: TableService, table: str) -> None:
    """Wait until the service plays the table's bots and enforces its time limits."""
    async with asyncio.timeout(30):
        while not service._tables.peers.holds(table):
            await asyncio.sleep(0.01)


async def bots_done(
    service: TableService, table: str, guests: list[str], viewer: str | None = None
) -> TableView:
    """Wait until the table waits for a person or is over, and return its view."""
    async with service.subscribe(table, viewer) as table_views:
        async for table_view in table_views:
            people = [seat.seat for seat in table_view.sitters if seat.bot is None]
            if table_view.stage is not Stage.PLAYING or set(people) & set(table_view.waiting_for):
                return table_view
    raise AssertionError("the subscription ended before the bots were done")
