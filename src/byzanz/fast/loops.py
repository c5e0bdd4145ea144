"""Loops over many games, on all cores: each function applies a single-game function to all rows.

``games`` is an array with one row per game (:func:`byzanz.fast.rows_of`).
"""

from __future__ import annotations

from collections.abc import Callable

from numba import njit

from byzanz.encoding.numbers import CONFIRM, NUMBERS

from .chance import next_seed
from .layout import CHANCE, OVER, PHASE, PLAYERS, TURN, Bytes, Floats, Ints, Record
from .legal import choose, write_mask
from .observe import write_features
from .parallel import by_rows
from .play import deal, step
from .results import write_profits, write_shares
from .sensible import sensible
from .worlds import deal_unseen

# The minimum number of whole games, or of single steps, for each core: starting a thread takes as
# long as playing one or two games.
_GAMES, _STEPS = 4, 256


@by_rows(_STEPS)
def deal_all(games: Record, players: int, seeds: Ints) -> None:
    """Deal each game from its seed."""
    for game in range(len(games)):
        deal(games[game], players, seeds[game])


@by_rows(_STEPS)
def step_all(games: Record, numbers: Ints) -> None:
    """Play one legal action number in each game that is not over."""
    for game in range(len(games)):
        if games[game, PHASE] != OVER:
            step(games[game], numbers[game])


@by_rows(_STEPS)
def choose_all(games: Record, numbers: Ints) -> None:
    """Draw a legal action number for each game that is not over."""
    for game in range(len(games)):
        if games[game, PHASE] != OVER:
            numbers[game] = choose(games[game])


@by_rows(_STEPS)
def mask_all(games: Record, masks: Bytes) -> None:
    """Write the mask of the seat to act in each game."""
    for game in range(len(games)):
        write_mask(games[game], masks[game])


@by_rows(_STEPS)
def features_all(games: Record, rows: Bytes) -> None:
    """Write the features of the seat to act in each game (seat 0 once the game is over)."""
    for game in range(len(games)):
        turn = games[game, TURN]
        write_features(games[game], max(0, turn), rows[game])


@njit(inline="always")
def _finish(game: Record, policy: Callable[[Record], int]) -> tuple[int, int]:
    """Play a game to its end with a policy; return how many steps and whole actions it took."""
    steps, actions = 0, 0
    while game[PHASE] != OVER:
        number = policy(game)
        step(game, number)
        steps += 1
        actions += number >= CONFIRM
    return steps, actions


@by_rows(_GAMES)
def finish_all(games: Record, steps: Ints, actions: Ints) -> None:
    """Play each game to its end at random; write how many steps and whole actions it took."""
    for game in range(len(games)):
        steps[game], actions[game] = _finish(games[game], choose)


@by_rows(_GAMES)
def finish_sensibly_all(games: Record, steps: Ints, actions: Ints) -> None:
    """Play each game to its end with the sensible policy, like :func:`finish_all`.

    It is a separate function so that it is compiled only when it is used.
    """
    for game in range(len(games)):
        steps[game], actions[game] = _finish(games[game], sensible)


@by_rows(_STEPS)
def results_all(games: Record, profits: Ints, shares: Floats) -> None:
    """Write each seat's current profit and its share of the win."""
    for game in range(len(games)):
        write_profits(games[game], profits[game])
        write_shares(games[game], shares[game])


@by_rows(_STEPS)
def check_all(games: Record, numbers: Ints, masks: Bytes, illegal: Bytes) -> None:
    """Write each game's mask, and set ``illegal`` to 1 where a number is illegal in a running game.

    Numbers of games that are over are not checked.
    """
    for game in range(len(games)):
        write_mask(games[game], masks[game])
        number = numbers[game]
        legal = 0 <= number < NUMBERS and masks[game, number] == 1
        illegal[game] = games[game, PHASE] != OVER and not legal


@by_rows(_STEPS)
def redeal_all(games: Record, which: Bytes) -> None:
    """Deal new games where ``which`` is 1, from seeds that the games' random generators draw."""
    for game in range(len(games)):
        if which[game]:
            seed = next_seed(games[game])
            deal(games[game], games[game, PLAYERS], seed)


@by_rows(_STEPS)
def deal_unseen_all(games: Record, seats: Ints) -> None:
    """Shuffle, in each game, the cards that the given seat has not seen."""
    for game in range(len(games)):
        deal_unseen(games[game], seats[game])


@by_rows(_STEPS)
def reseed_all(games: Record, seeds: Ints) -> None:
    """Set the state of each game's random generator."""
    for game in range(len(games)):
        games[game, CHANCE] = seeds[game]
