"""Many games at once, on all cores: each function does to every row what its namesake does to one.

``games`` is an array of rows of words, one row a game (:func:`byzanz.fast.words_of`).
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

from . import layout as w
from .convert import Records, words_of
from .layout import (
    OVER,
    PHASE,
    RECORD,
    SEATS,
    TURN,
    Bytes,
    Floats,
    Words,
)
from .legal import choose, write_mask
from .observe import write_features
from .parallel import by_rows
from .play import deal, step
from .policies import POLICIES
from .results import write_profits, write_shares
from .sensible import sensible

# The fewest for a core: in the time that it takes to wake one up, a game or two are played whole.
_GAMES, _MOMENTS = 4, 256


@by_rows(_MOMENTS)
def deal_all(games: Words, players: int, seeds: Words) -> None:
    """Deals each game anew from its seed."""
    for game in range(len(games)):
        deal(games[game], players, seeds[game])


@by_rows(_MOMENTS)
def step_all(games: Words, numbers: Words) -> None:
    """Plays one legal number in each game that is not over."""
    for game in range(len(games)):
        if games[game, PHASE] != OVER:
            step(games[game], numbers[game])


@by_rows(_MOMENTS)
def choose_all(games: Words, numbers: Words) -> None:
    """Draws a legal number for each game that is not over."""
    for game in range(len(games)):
        if games[game, PHASE] != OVER:
            numbers[game] = choose(games[game])


@by_rows(_MOMENTS)
def mask_all(games: Words, masks: Bytes) -> None:
    """Writes the mask of each game's seat on turn."""
    for game in range(len(games)):
        write_mask(games[game], masks[game])


@by_rows(_MOMENTS)
def features_all(games: Words, rows: Bytes) -> None:
    """Writes the features of each game's seat on turn (seat 0 once it is over)."""
    for game in range(len(games)):
        turn = games[game, TURN]
        write_features(games[game], max(0, turn), rows[game])


@njit(inline="always")
def _finished(game: Words, policy: Callable[[Words], int]) -> tuple[int, int]:
    """Plays the game to its end by a policy; counts single-card steps and whole actions."""
    steps, actions = 0, 0
    while game[PHASE] != OVER:
        number = policy(game)
        step(game, number)
        steps += 1
        actions += number >= CONFIRM
    return steps, actions


@by_rows(_GAMES)
def finish_all(games: Words, steps: Words, actions: Words) -> None:
    """Plays each game to its end at random; counts single-card steps and whole actions."""
    for game in range(len(games)):
        steps[game], actions[game] = _finished(games[game], choose)


@by_rows(_GAMES)
def finish_sensibly_all(games: Words, steps: Words, actions: Words) -> None:
    """Plays each game to its end sensibly; a function of its own, compiled only if asked for."""
    for game in range(len(games)):
        steps[game], actions[game] = _finished(games[game], sensible)


@by_rows(_MOMENTS)
def results_all(games: Words, profits: Words, shares: Floats) -> None:
    """Writes each seat's profit and its share of the win, as the cards lie now."""
    for game in range(len(games)):
        write_profits(games[game], profits[game])
        write_shares(games[game], shares[game])


class Batch:
    """Games of one number of players side by side, with arrays for what is seen of them."""

    def __init__(self, players: int, seeds: npt.ArrayLike) -> None:
        """Deals one game for each seed (unsigned 64-bit numbers); raises IllegalDeal (R2.1)."""
        setup_for(players)
        dealt = np.asarray(seeds, dtype=np.uint64)
        self.players = players
        self.records: Records = np.zeros(len(dealt), dtype=RECORD)
        self.words = words_of(self.records)
        self.masks = np.zeros((len(dealt), NUMBERS), dtype=np.uint8)
        self.rows = np.zeros((len(dealt), FEATURES), dtype=np.uint8)
        deal_all(self.words, players, dealt.view(np.int64))

    def __len__(self) -> int:
        return len(self.records)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.words = words_of(self.records)  # a copy's words are its own records' memory again

    @property
    def turns(self) -> Words:
        """The seat to act in each game; -1 where it is over."""
        return self.words[:, w.TURN]

    @property
    def over(self) -> npt.NDArray[np.bool_]:
        """Which games are over."""
        return np.asarray(self.words[:, PHASE] == OVER)

    def deal(self, places: Words, seeds: npt.ArrayLike) -> None:
        """Deals the games at these places anew."""
        fresh = np.zeros((len(places), w.WORDS), dtype=np.int64)
        deal_all(fresh, self.players, np.asarray(seeds, dtype=np.uint64).view(np.int64))
        self.words[places] = fresh

    def observe(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """The masks and the features of the seats on turn; the same two arrays each time."""
        mask_all(self.words, self.masks)
        features_all(self.words, self.rows)
        return self.masks, self.rows

    def step(self, numbers: npt.ArrayLike) -> None:
        """Plays one number in each game; raises ValueError, changing nothing, if one is illegal."""
        chosen = np.asarray(numbers, dtype=np.int64)
        mask_all(self.words, self.masks)
        going = ~self.over
        legal = (chosen >= 0) & (chosen < NUMBERS)
        legal[legal] = self.masks[legal, chosen[legal]] == 1
        if np.any(going & ~legal):
            raise ValueError(f"illegal numbers in games {np.flatnonzero(going & ~legal)[:10]}")
        step_all(self.words, chosen)

    def choose(self) -> Words:
        """A legal number for each game, all equally likely."""
        numbers = np.zeros(len(self), dtype=np.int64)
        choose_all(self.words, numbers)
        return numbers

    def finish(self, policy: str = "random") -> tuple[int, int]:
        """Plays all games to their end by a policy; counts single-card steps and whole actions."""
        steps = np.zeros(len(self), dtype=np.int64)
        actions = np.zeros(len(self), dtype=np.int64)
        finish = (finish_all, finish_sensibly_all)[POLICIES[policy]]
        finish(self.words, steps, actions)
        return int(steps.sum()), int(actions.sum())

    def results(self) -> tuple[Words, npt.NDArray[np.float64]]:
        """Each seat's profit and share of the win, as the cards lie now."""
        profits = np.zeros((len(self), SEATS), dtype=np.int64)
        shares = np.zeros((len(self), SEATS))
        results_all(self.words, profits, shares)
        return profits[:, : self.players], shares[:, : self.players]
