"""Houses for tests: their clock, ids and deals are fixed, and people are played for."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

from byzanz.bots import make_bot
from byzanz.rules import Action, Bid, Chance, Deal
from byzanz.tables import (
    Accepted,
    Answer,
    BotSeat,
    Host,
    House,
    Limits,
    NewTable,
    Open,
    Sight,
    Sources,
    Stage,
    Store,
    TableOptions,
)

EAGER = Limits(stand_in="greedy", grace_seconds=0, tick_seconds=0.02, sweep_seconds=1e12)
"""What tests need: nobody waits for anything."""


class Clock:
    """A clock that stands until it is set on."""

    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


def sources(clock: Clock | None = None, seed: int = 1, prefix: str = "id") -> Sources:
    """Sources that give the same every time."""
    numbers, keys, seeds = count(1), count(1), count(seed)
    return Sources(
        clock=clock or Clock(),
        ids=lambda: f"{prefix}-{next(numbers):04}",
        keys=lambda: f"key-{prefix}-{next(keys):04}",
        seeds=lambda: next(seeds),
        deal=lambda players: Deal.from_seed(players, seed),
    )


def house(
    url: str, clock: Clock | None = None, *, seed: int = 1, prefix: str = "id", **settings: object
) -> House:
    """A house on the database, as eager as a test."""
    given: dict[str, object] = {"limits": EAGER, "sources": sources(clock, seed, prefix)}
    return House(Store.open(url), **{**given, **settings})  # type: ignore[arg-type]


def limits(**changes: object) -> Limits:
    """The limits of tests, some of them changed."""
    return replace(EAGER, **changes)  # type: ignore[arg-type]


async def seated(
    home: House, people: int = 3, bots: int = 0, options: TableOptions | None = None
) -> tuple[str, list[str]]:
    """A table in play with so many people, who come first, and bots; and the people's ids."""
    guests = [(await home.welcome(f"Guest {number}", "en")).id for number in range(people)]
    seats = (Host(), *[Open()] * (people - 1), *[BotSeat("greedy")] * bots)
    table = await home.create(guests[0], NewTable(seats, options or TableOptions()))
    for guest in guests[1:]:
        await home.join(table, guest)
    return table, guests


def chosen(sight: Sight, seed: int = 0) -> Action:
    """A sensible action of the seat that looks, which is to act."""
    assert sight.view is not None
    return make_bot("greedy", seed).choose(sight.view)


def wild(sight: Sight, chance: Chance) -> Action:
    """Any action of the seat that looks, which is to act."""
    assert sight.view is not None
    options = sight.view.options
    if options.bids and chance.below(2):
        return Bid(chance.choice(options.bids[:6]))
    return chance.choice(options.answers + options.sales)


async def act(home: House, table: str, guest: str, action: Action, key: str) -> Answer:
    """The answer to an action that names what it answers as it is now."""
    sight = await home.look(table, guest)
    return await home.act(table, guest, action, decision=sight.decision, sale=sight.sale, key=key)


async def play_out(home: House, table: str, guests: list[str], most: int = 1000) -> int:
    """The people's game played on, to its end or for so many actions; how many were theirs."""
    for played in range(most):
        sight = await home.look(table)
        if sight.stage is not Stage.PLAYING:
            return played
        seats = {(await home.look(table, guest)).seat: guest for guest in guests}
        mine = [seat for seat in sight.waiting_for if seat in seats]
        if not mine:
            await bots_done(home, table, guests)
            continue
        guest = seats[mine[0]]
        action = chosen(await home.look(table, guest))
        answer = await act(home, table, guest, action, f"{sight.version}")
        assert isinstance(answer, Accepted), answer
    return most


async def bots_done(home: House, table: str, guests: list[str]) -> Sight:
    """The table once it waits for a person, or is over."""
    async with home.watch(table) as sights:
        async for sight in sights:
            people = [seat.seat for seat in sight.sitters if seat.bot is None]
            if sight.stage is not Stage.PLAYING or set(people) & set(sight.waiting_for):
                return sight
    raise AssertionError("the watch ended before the bots were done")
