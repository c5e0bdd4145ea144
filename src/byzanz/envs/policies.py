"""The compiled policies that play the other seats of an environment.

``random`` draws each number uniformly from the legal ones, ``sensible`` is a fast heuristic,
``trader`` compares hands as the bot of that name does, ``emperor`` plays the network's most
probable numbers, and ``level1`` to ``level9`` decide as the bots of those names do. Every policy
reads only what its seat may know, and none sells out of turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import choose, sensible, step
from byzanz.fast.convert import unpacked
from byzanz.fast.jit import entry
from byzanz.fast.layout import OVER, PHASE, PLAYERS, SEATS, TURN, Ints, Record
from byzanz.fast.parallel import by_rows
from byzanz.search.trader_parameters import hand_values, parameters
from byzanz.search.trader_policy import play_move, trader_move

from .engines import CompiledGame, ReadableGame
from .network_policies import EMPEROR, NETWORK_POLICIES, play_network, play_network_all

CALLER, RANDOM, SENSIBLE, TRADER = -1, 0, 1, 2
"""Who plays a seat: the caller of the environment, or a policy."""

POLICIES = {"random": RANDOM, "sensible": SENSIBLE, "trader": TRADER, **NETWORK_POLICIES}
"""The ids of the policies by name; those from :data:`EMPEROR` on use the network."""

Trader = tuple[Ints, Ints]
"""The trader's table of hand values and its parameters."""


def check_policies(names: Sequence[str | None]) -> None:
    """Raise ValueError if one of the names is not a policy; None is the caller."""
    for name in names:
        if name is not None and name not in POLICIES:
            raise ValueError(f"there is no policy '{name}'; there are {', '.join(POLICIES)}")


@entry
def play_plain(game: Record, actors: Ints) -> None:
    """Play for the seats of the random and sensible policies until it is another seat's turn."""
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
    """Play like :func:`play_plain`, and also for the seats of the trader policy.

    It is a separate function because it takes long to compile.
    """
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
    """Play all games, on all cores, until it is the turn of one of the caller's seats.

    ``actors`` has one row for each game, which says who plays each seat.
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
        on_turn = actors[rows, games[:, TURN]]
        waiting = np.flatnonzero((games[:, PHASE] != OVER) & (on_turn >= EMPEROR))
        if not len(waiting):
            return
        play_network_all(games, waiting, on_turn)


def play_single(game: CompiledGame | ReadableGame, actors: Ints) -> None:
    """Play one game, on either engine, until it is the caller's turn."""
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
        if record[PHASE] == OVER or actors[record[TURN]] < EMPEROR:
            break
        play_network(record, int(actors[record[TURN]]))
    game.refresh()


def numbers_of_policy(record: Record, policy: int) -> list[int]:
    """Return the action numbers of a policy's decision.

    A policy that uses the network also plays the numbers on the engine record; others do not.
    """
    if policy == RANDOM:
        return [int(choose(record))]
    if policy == SENSIBLE:
        return [int(sensible(record))]
    if policy == TRADER:
        move = int(trader_move(record, *_trader(int(record[PLAYERS]))))
        return [move] if move >= 0 else [*map(int, unpacked(-move)), CONFIRM]
    return play_network(record, policy)


@cache
def _trader(players: int) -> Trader:
    return hand_values(), parameters(players)


def actors_at(seat: int, opponents: Sequence[str], players: int) -> Ints:
    """Return who plays each seat of a table where the caller has one seat.

    Opponents start on the caller's left; if there are more seats than names, names are repeated.
    """
    actors = np.full(SEATS, CALLER, dtype=np.int64)
    for place in range(players - 1):
        actors[(seat + 1 + place) % players] = POLICIES[opponents[place % len(opponents)]]
    return actors
