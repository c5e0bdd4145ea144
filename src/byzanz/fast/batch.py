"""Batches of games, played on all cores: each function applies a single-game function to all rows.

``games`` is an array with one row per game (:func:`byzanz.fast.rows_of`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit

from byzanz.encoding.features import FEATURES
from byzanz.encoding.numbers import CONFIRM, NUMBERS
from byzanz.rules.deal import setup_for

from . import layout
from .convert import Records, rows_of
from .layout import (
    OVER,
    PHASE,
    RECORD,
    SEATS,
    TURN,
    Bytes,
    Floats,
    Ints,
    Record,
)
from .legal import choose, write_mask
from .observe import write_features
from .parallel import by_rows
from .play import deal, step
from .policy_ids import POLICIES
from .results import write_profits, write_shares
from .sensible import sensible

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
    """Write the legal-action mask of each game's seat on turn."""
    for game in range(len(games)):
        write_mask(games[game], masks[game])


@by_rows(_STEPS)
def features_all(games: Record, rows: Bytes) -> None:
    """Write the features of each game's seat on turn (seat 0 once the game is over)."""
    for game in range(len(games)):
        turn = games[game, TURN]
        write_features(games[game], max(0, turn), rows[game])


@njit(inline="always")
def _finish(game: Record, policy: Callable[[Record], int]) -> tuple[int, int]:
    """Play a game to its end by a policy; return how many steps and whole actions it took."""
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
    """Play each game to its end by the sensible policy, like :func:`finish_all`.

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


class Batch:
    """A batch of games with the same number of players, and arrays for their observations.

    ``records`` is the structured array of all games, ``games`` the same memory as rows of integers.
    """

    def __init__(self, players: int, seeds: npt.ArrayLike) -> None:
        """Deal one game for each seed (unsigned 64-bit).

        Raises IllegalDeal if there is no game for this number of players (R2.1).
        """
        setup_for(players)
        dealt = np.asarray(seeds, dtype=np.uint64)
        self.players = players
        self.records: Records = np.zeros(len(dealt), dtype=RECORD)
        self.games = rows_of(self.records)
        self.masks = np.zeros((len(dealt), NUMBERS), dtype=np.uint8)
        self.rows = np.zeros((len(dealt), FEATURES), dtype=np.uint8)
        deal_all(self.games, players, dealt.view(np.int64))

    def __len__(self) -> int:
        return len(self.records)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.games = rows_of(self.records)  # shares memory with this object's records

    @property
    def turns(self) -> Ints:
        """The seat to act in each game; -1 if it is over."""
        return self.games[:, layout.TURN]

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games are over."""
        return np.asarray(self.games[:, PHASE] == OVER)

    def deal(self, places: Ints, seeds: npt.ArrayLike) -> None:
        """Deal new games at these places."""
        fresh = np.zeros((len(places), layout.RECORD_LENGTH), dtype=np.int64)
        deal_all(fresh, self.players, np.asarray(seeds, dtype=np.uint64).view(np.int64))
        self.games[places] = fresh

    def observe(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return the masks and features of the seats on turn.

        Every call overwrites and returns the same two arrays.
        """
        mask_all(self.games, self.masks)
        features_all(self.games, self.rows)
        return self.masks, self.rows

    def step(self, numbers: npt.ArrayLike) -> None:
        """Play one action number in each game.

        Raises ValueError and changes nothing if a number is illegal.
        """
        chosen = np.asarray(numbers, dtype=np.int64)
        mask_all(self.games, self.masks)
        going = ~self.over
        legal = (chosen >= 0) & (chosen < NUMBERS)
        legal[legal] = self.masks[legal, chosen[legal]] == 1
        if np.any(going & ~legal):
            raise ValueError(
                f"illegal action numbers in games {np.flatnonzero(going & ~legal)[:10]}"
            )
        step_all(self.games, chosen)

    def choose(self) -> Ints:
        """Return a legal action number for each game, drawn uniformly."""
        numbers = np.zeros(len(self), dtype=np.int64)
        choose_all(self.games, numbers)
        return numbers

    def finish(self, policy: str = "random") -> tuple[int, int]:
        """Play all games to their end; return how many steps and whole actions they took.

        ``policy`` is ``random`` or ``sensible``. A step is one action number.
        """
        steps = np.zeros(len(self), dtype=np.int64)
        actions = np.zeros(len(self), dtype=np.int64)
        finish = (finish_all, finish_sensibly_all)[POLICIES[policy]]
        finish(self.games, steps, actions)
        return int(steps.sum()), int(actions.sum())

    def results(self) -> tuple[Ints, npt.NDArray[np.float64]]:
        """Return each seat's current profit and share of the win."""
        profits = np.zeros((len(self), SEATS), dtype=np.int64)
        shares = np.zeros((len(self), SEATS))
        results_all(self.games, profits, shares)
        return profits[:, : self.players], shares[:, : self.players]
