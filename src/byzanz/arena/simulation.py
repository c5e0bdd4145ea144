"""Many games in a row: the same records from the same seed, however many processes play them."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import cycle, islice

from byzanz.bots import UnknownBot, check_bot
from byzanz.notation import write_plays, write_record
from byzanz.rules import Deal, Result, branch

from .match import seeded_match
from .workers import players, stoppable

FAST_POLICIES = ("random", "sensible")
"""What the compiled engine can play by itself."""

_CHUNK = 16


@dataclass(frozen=True)
class Simulation:
    """What to play. Bots sit in the order given, repeated if there are fewer than players."""

    players: int
    games: int
    seed: int
    bots: tuple[str, ...] = ("random",)
    record: bool = False
    fast: bool = False
    """On the compiled engine, by its own policies, instead of the readable one with bots."""

    def __post_init__(self) -> None:
        if not self.bots:
            raise ValueError("a simulation needs at least one bot")
        for name in self.bots:
            if not self.fast:
                check_bot(name)
            elif name not in FAST_POLICIES:
                raise UnknownBot.among(name, FAST_POLICIES)

    @property
    def seats(self) -> tuple[str, ...]:
        """The bots by seat."""
        return tuple(islice(cycle(self.bots), self.players))


@dataclass(frozen=True)
class Simulated:
    """One game played."""

    result: Result
    record: str
    """Its record; empty if none was asked for."""


def game_seed(seed: int, number: int) -> int:
    """The seed of game ``number`` (from 0) of a simulation: the first has the simulation's own.

    The others are 53 bits long, which every reader of JSON keeps exactly.
    """
    return branch(seed, number) >> 11 if number else seed


def simulate(simulation: Simulation, jobs: int = 1) -> Generator[Simulated]:
    """The games of a simulation, in order.

    Whoever stops listening stops the processes. Raises PlayersLost if one of them is killed.
    """
    if jobs == 1:
        for number in range(simulation.games):
            yield _played(simulation, number)
        return
    numbers = iter(range(simulation.games))
    chunks = iter(lambda: tuple(islice(numbers, _CHUNK)), ())
    with players(min(jobs, -(-simulation.games // _CHUNK))) as pool:
        # A few chunks ahead of what was yielded, and no more: memory stays constant.
        ahead: deque[Future[list[Simulated]]] = deque()
        for chunk in chunks:
            ahead.append(pool.submit(stoppable, _played_all, simulation, chunk))
            if len(ahead) >= 4 * jobs:
                yield from ahead.popleft().result()
        while ahead:
            yield from ahead.popleft().result()


def _played_all(simulation: Simulation, numbers: Sequence[int]) -> list[Simulated]:
    return [_played(simulation, number) for number in numbers]


def _played(simulation: Simulation, number: int) -> Simulated:
    seed = game_seed(simulation.seed, number)
    seats = simulation.seats
    names = [f"{bot} {seat}" for seat, bot in enumerate(seats)]
    extra: dict[str, object] = {"seed": seed, "bots": list(seats)}
    if simulation.fast:
        # Imported here: only this asks for the compiler.
        from .fast_match import fast_match  # noqa: PLC0415

        plays, result = fast_match(simulation.players, seed, seats)
        if not simulation.record:
            return Simulated(result, "")
        deal = Deal.from_seed(simulation.players, seed)
        return Simulated(
            result, write_plays(deal, plays, result, names, extra | {"engine": "fast"})
        )
    game = seeded_match(simulation.players, seed, seats)
    return Simulated(game.result, write_record(game, names, extra) if simulation.record else "")
