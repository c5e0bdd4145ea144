"""The compiled policies that play the other seats of an environment.

``random`` plays all legal numbers with equal probability, ``sensible`` is a cheap heuristic,
``trader`` compares hands like the bot of this name, and ``emperor`` plays the network's most
probable numbers. All of them read only what their seat may know, and none sells out of turn.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from functools import cache

import numpy as np
from numba import get_num_threads

from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import choose, sensible, step
from byzanz.fast.convert import unpacked
from byzanz.fast.jit import entry
from byzanz.fast.layout import OVER, PHASE, PLAYERS, SEATS, TURN, Ints, Record
from byzanz.fast.parallel import by_rows, thread_pool
from byzanz.network import Network
from byzanz.network.forward import MOST_NUMBERS, decide
from byzanz.search.trader_parameters import hand_values, parameters
from byzanz.search.trader_policy import play_move, trader_move

from .engines import CompiledGame, ReadableGame

CALLER, RANDOM, SENSIBLE, TRADER, EMPEROR = -1, 0, 1, 2, 3
"""Who plays a seat: the caller of the environment, or a policy."""

POLICIES = {"random": RANDOM, "sensible": SENSIBLE, "trader": TRADER, "emperor": EMPEROR}
"""The policies by name, weakest first."""

_EMPEROR_GAMES = 4
"""The minimum number of an emperor's decisions for each core."""

Trader = tuple[Ints, Ints]
"""The trader's table of hand values and its parameters."""


def check_policies(names: Sequence[str | None]) -> None:
    """Raise ValueError if one of the names is not that of a policy; None is the caller."""
    for name in names:
        if name is not None and name not in POLICIES:
            raise ValueError(f"there is no policy '{name}'; there are {', '.join(POLICIES)}")


@entry
def play_plain(game: Record, actors: Ints) -> None:
    """Play the seats of the random and the sensible policy until another one is on turn."""
    while game[PHASE] != OVER:
        actor = actors[game[TURN]]
        if actor == RANDOM:
            step(game, choose(game))
        elif actor == SENSIBLE:
            step(game, sensible(game))
        else:
            return


@entry
def play_traders(game: Record, actors: Ints, trader: Trader) -> None:
    """Play also the traders' seats. It is a separate function, because it takes long to compile."""
    while True:
        play_plain(game, actors)
        if game[PHASE] == OVER or actors[game[TURN]] != TRADER:
            return
        play_move(game, trader_move(game, trader[0], trader[1]))


@by_rows(fewest=4)
def _play_plain_all(games: Record, actors: Ints) -> None:
    for place in range(len(games)):
        play_plain(games[place], actors[place])


@by_rows(fewest=4)
def _play_traders_all(games: Record, actors: Ints, trader: Trader) -> None:
    for place in range(len(games)):
        play_traders(games[place], actors[place], trader)


def play_all(games: Record, actors: Ints) -> None:
    """Play all games until the caller's seats are on turn, on all cores.

    ``actors`` has a row for each game: who plays each seat.
    """
    if not len(games):
        return
    highest, rows = actors.max(), np.arange(len(games))
    while True:
        if highest < TRADER:
            _play_plain_all(games, actors)
        else:
            _play_traders_all(games, actors, _trader(int(games[0, PLAYERS])))
        if highest < EMPEROR:
            return
        waiting = np.flatnonzero(
            (games[:, PHASE] != OVER) & (actors[rows, games[:, TURN]] == EMPEROR)
        )
        if not len(waiting):
            return
        _play_emperors(games, waiting)


def play_single(game: CompiledGame | ReadableGame, actors: Ints) -> None:
    """Play one game, on either engine, until the caller's seat is on turn."""
    if isinstance(game, ReadableGame):
        while game.turn >= 0 and actors[game.turn] != CALLER:
            record = game.record
            for number in numbers_of_policy(record, int(actors[game.turn])):
                game.play(number)
            game.keep_chance(record)
        return
    record = game.record
    while True:
        if actors.max() < TRADER:
            play_plain(record, actors)
        else:
            play_traders(record, actors, _trader(game.players))
        if record[PHASE] == OVER or actors[record[TURN]] != EMPEROR:
            break
        _decide(record)
    game.refresh()


def numbers_of_policy(record: Record, policy: int) -> list[int]:
    """Return the action numbers of a policy's decision.

    The numbers are not played on the record, except those of the emperor.
    """
    if policy == RANDOM:
        return [int(choose(record))]
    if policy == SENSIBLE:
        return [int(sensible(record))]
    if policy == TRADER:
        move = int(trader_move(record, *_trader(int(record[PLAYERS]))))
        return [move] if move >= 0 else [*map(int, unpacked(-move)), CONFIRM]
    return _decide(record)


@cache
def _trader(players: int) -> Trader:
    return hand_values(), parameters(players)


def _decide(game: Record) -> list[int]:
    """Play one decision of an emperor and return its action numbers."""
    network = getattr(_THREAD, "network", None)
    if network is None:
        network = _THREAD.network = Network.load()
    numbers = np.zeros(MOST_NUMBERS, np.int64)
    count = decide(network.arrays, network.workspace, game, 0.0, 0.0, numbers)
    return [int(number) for number in numbers[:count]]


_THREAD = threading.local()
"""The network of each thread, because threads must not share a workspace."""


def _play_emperors(games: Record, places: Ints) -> None:
    """Play one decision of an emperor in each of these games, on all cores."""

    def some(part: int) -> None:
        for place in places[part::parts]:
            _decide(games[place])

    parts = max(1, min(get_num_threads(), len(places) // _EMPEROR_GAMES))
    pool = thread_pool(os.getpid())
    jobs = [pool.submit(some, part) for part in range(1, parts)]
    some(0)
    for job in jobs:
        job.result()


def actors_at(seat: int, opponents: Sequence[str], players: int) -> Ints:
    """Return who plays each seat of a table where the caller has one seat.

    Opponents start on the caller's left; if there are more seats than names, names are repeated.
    """
    actors = np.full(SEATS, CALLER, dtype=np.int64)
    for place in range(players - 1):
        actors[(seat + 1 + place) % players] = POLICIES[opponents[place % len(opponents)]]
    return actors
