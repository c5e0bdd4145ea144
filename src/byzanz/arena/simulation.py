"""Simulations: many games from one seed. The number of processes does not change the games."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import cycle, islice

from byzanz.bots import UnknownBot, check_bot
from byzanz.notation import write_record
from byzanz.rules import Chance, Result, branch

from .game import seeded_match
from .workers import run_stoppable, worker_pool

FAST_POLICIES = ("random", "sensible", "trader", "emperor")
"""Policies of the compiled engine."""

_CHUNK = 16
_MIXING = 0x5EA7
"""A constant that makes the draw of the bots independent of the deals."""


@dataclass(frozen=True)
class Simulation:
    """The games to play. Bots sit in the given order, and are repeated if there are too few.

    Raises ValueError or UnknownBot if the bots cannot play.
    """

    players: int
    games: int
    seed: int
    bots: tuple[str, ...] = ("random",)
    record: bool = False
    fast: bool = False
    """Whether policies of the compiled engine play instead of bots."""
    mixed: bool = False
    """Whether the bot of each seat is drawn at random in each game, whatever the given order."""

    def __post_init__(self) -> None:
        if not self.bots:
            raise ValueError("a simulation needs at least one bot")
        if len(self.bots) > self.players and not self.mixed:
            raise ValueError(
                f"{len(self.bots)} bots cannot sit at a table for {self.players}; give at most one "
                "for each seat"
            )
        for name in self.bots:
            if not self.fast:
                check_bot(name)
            elif name not in FAST_POLICIES:
                raise UnknownBot.among(name, FAST_POLICIES)

    @property
    def seats(self) -> tuple[str, ...]:
        """The bots' names by seat."""
        return tuple(islice(cycle(self.bots), self.players))

    def seating(self, number: int) -> tuple[str, ...]:
        """Return the bots of game ``number`` (from 0), by seat."""
        if not self.mixed:
            return self.seats
        chance = Chance(branch(self.seed ^ _MIXING, number))
        return tuple([chance.choice(self.bots) for _ in range(self.players)])


@dataclass(frozen=True)
class Simulated:
    """One game of a simulation."""

    result: Result
    record: str
    """The game's record; empty unless requested."""
    bots: tuple[str, ...]
    """The bots by seat."""


def game_seed(seed: int, number: int) -> int:
    """Return the seed of game ``number`` (from 0) of a simulation.

    Game 0 has the simulation's own seed. The seeds of other games have 53 bits, which every JSON
    reader keeps exactly.
    """
    return branch(seed, number) >> 11 if number else seed


def simulate(simulation: Simulation, jobs: int = 1) -> Generator[Simulated]:
    """Play a simulation and yield its games in order.

    Closing the iterator stops the processes. Raises WorkersLost if a process is killed.
    """
    if simulation.fast:
        yield from _simulate_fast(simulation, jobs)
        return
    if jobs == 1:
        for number in range(simulation.games):
            yield _play(simulation, number)
        return
    numbers = iter(range(simulation.games))
    chunks = iter(lambda: tuple(islice(numbers, _CHUNK)), ())
    with worker_pool(min(jobs, -(-simulation.games // _CHUNK))) as pool:
        # The number of pending chunks is limited, so memory use stays constant.
        pending: deque[Future[list[Simulated]]] = deque()
        for chunk in chunks:
            pending.append(pool.submit(run_stoppable, _play_all, simulation, chunk))
            if len(pending) >= 4 * jobs:
                yield from pending.popleft().result()
        while pending:
            yield from pending.popleft().result()


def _play_all(simulation: Simulation, numbers: Sequence[int]) -> list[Simulated]:
    return [_play(simulation, number) for number in numbers]


def _simulate_fast(simulation: Simulation, threads: int) -> Generator[Simulated]:
    # Imported here because the module loads the compiler.
    from .fast_games import play_blocks  # noqa: PLC0415

    number = 0
    for block in play_blocks(simulation, threads, lambda block: block):
        for game in range(len(block)):
            winners = int(block.winners[game])
            result = Result(
                tuple(block.profits[game, : simulation.players].tolist()),
                tuple([seat for seat in range(simulation.players) if winners >> seat & 1]),
            )
            record = block.record(game) if simulation.record else ""
            yield Simulated(result, record, simulation.seating(number))
            number += 1


def _play(simulation: Simulation, number: int) -> Simulated:
    seed = game_seed(simulation.seed, number)
    seats = simulation.seating(number)
    names = [f"{bot} {seat}" for seat, bot in enumerate(seats)]
    extra: dict[str, object] = {"seed": seed, "bots": list(seats)}
    game = seeded_match(simulation.players, seed, seats)
    record = write_record(game, names, extra) if simulation.record else ""
    return Simulated(game.result, record, seats)
