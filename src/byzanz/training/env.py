"""One environment, compiled: a game that is replaced by the next one when it ends.

Every seat is played by a policy, given by its id: ids below :data:`SCRIPTED` are networks, the
others are compiled policies ("scripts"). Moves without a choice are played without running a
network. The functions take the arrays of all envs and the index of one env, so that a loop on the
CPU and a thread on a GPU run the same code.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import FEATURES
from byzanz.fast import (
    choose,
    deal,
    layout,
    sensible,
    step,
    write_features,
    write_profits,
    write_shares,
)
from byzanz.fast.jit import part
from byzanz.fast.layout import PHASE, SEATS, TURN, Bytes, Ints, Record
from byzanz.network.forward import only_number, write_choice_mask
from byzanz.search.trader_parameters import hand_values, parameters
from byzanz.search.trader_policy import play_move, trader_move

from .observation_layout import CATEGORIES, MASK, POLICY, SEAT

LEARNER = 0
IMITATOR = 15
SCRIPTED = 16
RANDOM, SENSIBLE, TRADER = 16, 17, 18
NOBODY = 255
"""Policy ids: the learner, the imitator, three scripts and nobody. Snapshots have ids from 1 on."""

NO_ACTION = -1
"""The action of an env whose network was not run in this step; its game does not advance."""

SCRIPTS = {"random": RANDOM, "sensible": SENSIBLE, "trader": TRADER}
"""Policy ids of the scripts, by name."""

CATEGORY_COUNT = 6
"""The number of categories of players: learner, snapshot, three scripts, imitator."""

Floats = npt.NDArray[np.float32]

# The policies of a game: the policy id of each seat, and the number of the first decision that they
# make; all decisions before it are random.
FIRST_DECISION = SEATS
POLICY_FIELDS = SEATS + 1

# The next game of an env: the number of players (0 for no further games), the seed, the policies.
PLAYERS, SEED, POLICIES = 0, 1, 2
NEXT_FIELDS = POLICIES + POLICY_FIELDS

# The result of a game: the number of players (0 if none ended), then by seat the share of the win
# and the profit.
SHARES, PROFITS = 1, 1 + SEATS
RESULTS = PROFITS + SEATS


@part
def observe(env: int, games: Record, policies: Ints, to_act: Ints, observations: Bytes) -> None:
    """Write the observation of the seat whose turn it is, if a network plays it.

    The mask has already been written. For a script, only the policy id is updated.
    """
    game, observation, policy = games[env], observations[env], to_act[env]
    observation[POLICY] = policy
    if policy < SCRIPTED:
        seat, players = game[TURN], game[layout.PLAYERS]
        observation[SEAT] = seat
        write_features(game, seat, observation[:FEATURES])
        for slot in range(SEATS):
            category = 0
            if slot < players:
                other = policies[env, (seat + slot) % players]
                if other >= SCRIPTED:
                    category = other - SCRIPTED + 2
                elif other == IMITATOR:
                    category = CATEGORY_COUNT - 1
                else:
                    category = min(other, 1)
            observation[CATEGORIES + slot] = category


@part
def advance(
    env: int,
    games: Record,
    policies: Ints,
    to_act: Ints,
    observations: Bytes,
    actions: Ints,
    results: Floats,
    next_games: Ints,
) -> None:
    """Play the network's action, if there is one, and advance the game to its next decision.

    If the game ends, write its results and deal the next game; the next call clears the results.
    If there is no next game, later calls change nothing.
    """
    game, policy = games[env], to_act[env]
    players = next_games[env, PLAYERS]
    if policy == NOBODY and players == 0:
        return
    results[env, 0] = 0
    if policy < SCRIPTED:
        if actions[env] == NO_ACTION:
            return
        step(game, actions[env])
    mask = observations[env, MASK:CATEGORIES]
    following = _next_policy(game, policies[env], mask)
    if following == NOBODY:
        if policy != NOBODY:
            results[env, 0] = game[layout.PLAYERS]
            write_shares(game, results[env, SHARES:PROFITS])
            write_profits(game, results[env, PROFITS:])
        if players:
            deal(game, players, next_games[env, SEED])
            next_games[env, SEED] += 1  # the seed of the game after this one
            for field in range(POLICY_FIELDS):
                policies[env, field] = next_games[env, POLICIES + field]
            following = _next_policy(game, policies[env], mask)
    to_act[env] = following


@part
def _next_policy(game: Record, policies: Ints, mask: Bytes) -> int:
    """Advance to the next decision; return the id of its policy, or NOBODY if the game is over."""
    if not _advance_to_choice(game, mask):
        return NOBODY
    if policies[FIRST_DECISION] > 0 and game[layout.LAID] == 0:
        policies[FIRST_DECISION] -= 1
    return policies[game[TURN]] if policies[FIRST_DECISION] == 0 else RANDOM


@part
def _advance_to_choice(game: Record, mask: Bytes) -> bool:
    """Play forced moves up to the next choice and write its mask; return whether there is one."""
    while game[PHASE] != layout.OVER:
        write_choice_mask(game, mask)
        number = only_number(mask)
        if number < 0:
            return True
        step(game, number)
    return False


@part
def play_random(game: Record, values: Ints, parameters: Ints) -> None:  # noqa: ARG001
    """Play a random legal action."""
    step(game, choose(game))


@part
def play_sensible(game: Record, values: Ints, parameters: Ints) -> None:  # noqa: ARG001
    """Play an action of the compiled engine's sensible policy."""
    step(game, sensible(game))


@part
def play_trader(game: Record, values: Ints, parameters: Ints) -> None:
    """Play the trader's action; a whole bid is one action."""
    play_move(game, trader_move(game, values, parameters[game[layout.PLAYERS] - 3]))


SCRIPT_STEPS: dict[int, Any] = {
    RANDOM: play_random, SENSIBLE: play_sensible, TRADER: play_trader,
}  # fmt: skip
"""The function that plays a step of each script, by policy id."""


@lru_cache(maxsize=1)
def trader_parameters() -> tuple[Ints, Ints]:
    """Return the trader's table of hand values, and its parameters for 3 to 6 players."""
    return hand_values(), np.stack([parameters(players) for players in (3, 4, 5, 6)])
