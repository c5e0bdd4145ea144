"""Kernels of the compiled engine on a GPU: each thread has one game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

if not hasattr(np, "row_stack"):  # numba-cuda uses this name, which NumPy removed
    np.row_stack = np.vstack

from numba import cuda, float64, int64, uint8

from byzanz.encoding.features import FEATURES
from byzanz.encoding.numbers import NUMBERS

from .chance import next_seed
from .digest import digest_of_game
from .layout import (
    OVER,
    PHASE,
    PLAYERS,
    RECORD_LENGTH,
    SEATS,
    TURN,
    Bytes,
    Floats,
    Ints,
    Record,
)
from .legal import choose, write_mask
from .observe import write_features
from .play import deal, step
from .policy_ids import RANDOM
from .results import write_profits, write_shares
from .sensible import sensible

__all__ = [
    "PLAY_KERNELS",
    "THREADS",
    "check_numbers",
    "choose_numbers",
    "cuda",
    "deal_games",
    "digest_games",
    "finish_games",
    "observe_games",
    "redeal_games",
    "step_games",
    "write_results",
    "write_status",
]

Flags = npt.NDArray[np.bool_]

THREADS = 128
"""The number of threads in a block."""


@cuda.jit
def digest_games(players: int, policy: int, digests: Ints) -> None:
    """Write the digests of a policy's games with seeds from 0 on."""
    seed = cuda.grid(1)
    if seed < len(digests):
        game = cuda.local.array(RECORD_LENGTH, int64)
        mask = cuda.local.array(NUMBERS, uint8)
        row = cuda.local.array(FEATURES, uint8)
        digests[seed] = digest_of_game(game, mask, row, players, int64(seed), policy)


@cuda.jit
def deal_games(games: Record, players: int, seeds: Ints) -> None:
    """Deal each game from its seed."""
    place = cuda.grid(1)
    if place < len(games):
        deal(games[place], players, seeds[place])


@cuda.jit
def redeal_games(games: Record, which: Bytes) -> None:
    """Deal new games where ``which`` is true, from seeds that their random generators draw."""
    place = cuda.grid(1)
    if place < len(games) and which[place]:
        seed = next_seed(games[place])
        deal(games[place], games[place, PLAYERS], seed)


@cuda.jit
def choose_numbers(games: Record, numbers: Ints) -> None:
    """Draw a legal action number for each game that is not over."""
    place = cuda.grid(1)
    if place < len(games) and games[place, PHASE] != OVER:
        numbers[place] = choose(games[place])


@cuda.jit
def check_numbers(games: Record, numbers: Ints, masks: Bytes, illegal: Flags, count: Ints) -> None:
    """Write each game's mask, mark illegal numbers of games that are not over, and count them."""
    place = cuda.grid(1)
    if place < len(games):
        write_mask(games[place], masks[place])
        number = numbers[place]
        legal = 0 <= number < NUMBERS and masks[place, number] == 1
        illegal[place] = games[place, PHASE] != OVER and not legal
        if illegal[place]:
            cuda.atomic.add(count, 0, 1)


@cuda.jit
def step_games(  # noqa: PLR0913, PLR0917 - kernels take only arrays and numbers
    games: Record,
    numbers: Ints,
    autoreset: bool,
    terminated: Flags,
    rewards: Floats,
    profits: Ints,
) -> None:
    """Play a legal number in each game that is not over; where it ends, write its results."""
    place = cuda.grid(1)
    if place < len(games):
        terminated[place] = False
        for seat in range(rewards.shape[1]):
            rewards[place, seat] = 0
            profits[place, seat] = 0
        if games[place, PHASE] != OVER:
            step(games[place], numbers[place])
            if games[place, PHASE] == OVER:
                terminated[place] = True
                shares = cuda.local.array(SEATS, float64)
                earned = cuda.local.array(SEATS, int64)
                write_shares(games[place], shares)
                write_profits(games[place], earned)
                for seat in range(rewards.shape[1]):
                    rewards[place, seat] = shares[seat]
                    profits[place, seat] = earned[seat]
                if autoreset:
                    seed = next_seed(games[place])
                    deal(games[place], games[place, PLAYERS], seed)


@cuda.jit
def observe_games(games: Record, masks: Bytes, rows: Bytes) -> None:
    """Write the masks and features of the seats to act."""
    place = cuda.grid(1)
    if place < len(games):
        write_mask(games[place], masks[place])
        turn = games[place, TURN]
        write_features(games[place], max(0, turn), rows[place])


@cuda.jit
def write_status(games: Record, turns: Ints, over: Flags) -> None:
    """Write the seats to act, and which games are over."""
    place = cuda.grid(1)
    if place < len(games):
        turns[place] = games[place, TURN]
        over[place] = games[place, PHASE] == OVER


@cuda.jit
def write_results(games: Record, profits: Ints, shares: Floats) -> None:
    """Write each seat's current profit and share of the win."""
    place = cuda.grid(1)
    if place < len(games):
        won = cuda.local.array(SEATS, float64)
        earned = cuda.local.array(SEATS, int64)
        write_shares(games[place], won)
        write_profits(games[place], earned)
        for seat in range(shares.shape[1]):
            shares[place, seat] = won[seat]
            profits[place, seat] = earned[seat]


@cuda.jit
def finish_games(games: Record, policy: int) -> None:
    """Play all games to their end with a policy."""
    place = cuda.grid(1)
    if place < len(games):
        game = cuda.local.array(RECORD_LENGTH, int64)
        for field in range(RECORD_LENGTH):
            game[field] = games[place, field]
        while game[PHASE] != OVER:
            step(game, choose(game) if policy == RANDOM else sensible(game))
        for field in range(RECORD_LENGTH):
            games[place, field] = game[field]


def _play_kernel(policy: Callable[[Record], int]) -> Any:
    """Return a kernel for one policy; a kernel with less code loads its instructions faster."""

    @cuda.jit
    def kernel(players: int, first: int, games: int, steps: Ints) -> None:
        # All threads of a warp deal together: dealing is slow and would stall the other threads.
        place = cuda.grid(1)
        if place < len(steps):
            game = cuda.local.array(RECORD_LENGTH, int64)
            count = 0
            for number in range(games):
                deal(game, players, int64(first + number * len(steps) + place))
                while game[PHASE] != OVER:
                    step(game, policy(game))
                    count += 1
            steps[place] = count

    return kernel


PLAY_KERNELS = {"random": _play_kernel(choose), "sensible": _play_kernel(sensible)}
"""Kernels that play many games and count their steps, by policy."""
