"""The policies of an environment that use the network: ``emperor``, ``level1`` to ``level9``.

Each game's own random generator seeds the decisions of the levels, so a copy of a game continues
exactly as the original does.
"""

from __future__ import annotations

import os
import threading

import numpy as np
from numba import get_num_threads

from byzanz.bots import LEVELS, SEARCHING_BOTS, Bot, load_bot
from byzanz.encoding import numbers_of
from byzanz.fast import step
from byzanz.fast.chance import next_seed
from byzanz.fast.convert import row_to_moment
from byzanz.fast.jit import entry
from byzanz.fast.layout import Ints, Record
from byzanz.fast.parallel import thread_pool
from byzanz.network import Network
from byzanz.network.forward import MOST_NUMBERS, decide
from byzanz.rules import SEEDS, Chance, view

EMPEROR = 3
"""The lowest id of a policy that uses the network."""

_LEVELS = [name for name in LEVELS if name not in SEARCHING_BOTS]

NETWORK_POLICIES = {"emperor": EMPEROR} | {
    name: EMPEROR + level for level, name in enumerate(_LEVELS, 1)
}
"""The ids of the policies that use the network, by name."""

_FEWEST = 4
"""The minimum number of decisions for each core."""

_THREAD = threading.local()
"""The network and the levels of each thread, because threads must not share a workspace."""


def play_network(game: Record, policy: int) -> list[int]:
    """Play one decision of a policy and return its action numbers."""
    if policy != EMPEROR:
        return _play_level(game, _LEVELS[policy - EMPEROR - 1])
    network = getattr(_THREAD, "network", None)
    if network is None:
        network = _THREAD.network = Network.load()
    numbers = np.zeros(MOST_NUMBERS, np.int64)
    count = decide(network.arrays, network.workspace, game, 0.0, 0.0, numbers)
    return [int(number) for number in numbers[:count]]


def play_network_all(games: Record, places: Ints, policies: Ints) -> None:
    """In each game in ``places``, play one decision with that game's entry in ``policies``.

    The games are divided among all cores.
    """

    def some(part: int) -> None:
        for place in places[part::parts]:
            play_network(games[place], int(policies[place]))

    parts = max(1, min(get_num_threads(), len(places) // _FEWEST))
    pool = thread_pool(os.getpid())
    jobs = [pool.submit(some, part) for part in range(1, parts)]
    some(0)
    for job in jobs:
        job.result()


def _play_level(game: Record, name: str) -> list[int]:
    """Play one decision of a level, from the view of the seat to act; return its action numbers."""
    bot = _level(name)
    bot.reseed(int(_draw_seed(game)) % SEEDS)
    state = row_to_moment(game).state
    numbers = numbers_of(bot.choose(view(state, state.turn)))
    for number in numbers:
        step(game, number)
    return list(numbers)


@entry
def _draw_seed(game: Record) -> int:
    return next_seed(game)


def _level(name: str) -> Bot:
    """Return this thread's bot of a level."""
    levels: dict[str, Bot] = _THREAD.__dict__.setdefault("levels", {})
    if name not in levels:
        levels[name] = load_bot(name)(Chance(0))
    return levels[name]
