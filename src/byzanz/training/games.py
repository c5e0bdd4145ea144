"""A batch of games that waits for networks to decide, on the CPU's cores."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt
import torch

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.fast import WORDS, deal, step, write_features
from byzanz.fast.batch import results_all
from byzanz.fast.cores import by_rows
from byzanz.fast.words import SEATS, TURN, Bytes, Floats, Words

from .advancing import (
    SENSIBLE,
    TRADER,
    characters,
    next_kind,
    play_at_random,
    play_sensibly,
    trade,
)


class Games(Protocol):
    """Games of any numbers of players side by side; tensors lie on the learner's device."""

    @property
    def waiting(self) -> torch.Tensor:
        """For each game the kind that is to decide, NOBODY at its end."""

    def observe(self, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The features, the masks and the seats on turn of the games at these places."""

    def step(self, places: torch.Tensor, numbers: torch.Tensor) -> None:
        """Plays a legal number in each game at these places, and on to the next decision."""

    def follow_script(self, places: torch.Tensor, script: int) -> None:
        """Plays as the script does in each game at these places, and on to the next decision."""

    def results(self) -> tuple[Words, Floats]:
        """Each seat's profit and share of the win; 0 for seats that nobody has."""


@by_rows(64)
def _deal(games: Words, players: Words, seeds: Words) -> None:
    for game in range(len(games)):
        deal(games[game], players[game], seeds[game])


@by_rows(64)
def _observe(places: Words, rows: Bytes, seats: Words, whole: tuple[Words]) -> None:
    (games,) = whole
    for place in range(len(places)):
        game = games[places[place]]
        seats[place] = game[TURN]
        write_features(game, game[TURN], rows[place])


@by_rows(64)
def _step(places: Words, numbers: Words, whole: tuple[Words]) -> None:
    (games,) = whole
    for place in range(len(places)):
        step(games[places[place]], numbers[place])


@by_rows(64)
def _follow_script(
    places: Words, script: int, whole: tuple[Words], character: tuple[Words, Words]
) -> None:
    (games,) = whole
    for place in range(len(places)):
        game = games[places[place]]
        if script == TRADER:
            trade(game, character[0], character[1])
        elif script == SENSIBLE:
            play_sensibly(game, character[0], character[1])
        else:
            play_at_random(game, character[0], character[1])


@by_rows(64)
def _go_on(places: Words, whole: tuple[Words, Words, Bytes, Words]) -> None:
    games, kinds, masks, waiting = whole
    for place in range(len(places)):
        at = places[place]
        waiting[at] = next_kind(games[at], kinds[at], masks[at])


class CpuGames:
    """Games on all cores of the CPU; what is seen of them goes to the device."""

    def __init__(
        self, players: Words, seeds: npt.NDArray[np.uint64], kinds: Words, device: torch.device
    ) -> None:
        """Deals a game for each seed, each seat played by its kind."""
        count = len(players)
        self._device = device
        self._words = np.zeros((count, WORDS), np.int64)
        self._kinds = np.ascontiguousarray(kinds, dtype=np.int64)
        self._masks = np.zeros((count, NUMBERS), np.uint8)
        self._waiting = np.zeros(count, np.int64)
        _deal(self._words, players, seeds.view(np.int64))
        self._go_on(np.arange(count))

    @property
    def waiting(self) -> torch.Tensor:
        """For each game the kind that is to decide."""
        return torch.from_numpy(self._waiting).to(self._device)

    def observe(self, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The features, the masks and the seats on turn of the games at these places."""
        at = places.cpu().numpy()
        # Memory that does not move is copied to a GPU several times as fast.
        pinned = self._device.type == "cuda"
        rows = torch.empty((len(at), FEATURES), dtype=torch.uint8, pin_memory=pinned)
        seats = np.zeros(len(at), np.int64)
        _observe(at, rows.numpy(), seats, (self._words,))
        masks = torch.from_numpy(self._masks[at])
        return (
            rows.to(self._device, non_blocking=True),
            masks.to(self._device),
            torch.from_numpy(seats).to(self._device),
        )

    def step(self, places: torch.Tensor, numbers: torch.Tensor) -> None:
        """Plays a legal number in each game at these places, and on to the next decision."""
        at = places.cpu().numpy()
        _step(at, numbers.cpu().numpy(), (self._words,))
        self._go_on(at)

    def follow_script(self, places: torch.Tensor, script: int) -> None:
        """Plays as the script does in each game at these places, and on to the next decision."""
        at = places.cpu().numpy()
        _follow_script(at, script, (self._words,), characters())
        self._go_on(at)

    def _go_on(self, places: Words) -> None:
        _go_on(places, (self._words, self._kinds, self._masks, self._waiting))

    def results(self) -> tuple[Words, Floats]:
        """Each seat's profit and share of the win; 0 for seats that nobody has."""
        profits = np.zeros((len(self._words), SEATS), np.int64)
        shares = np.zeros((len(self._words), SEATS))
        results_all(self._words, profits, shares)
        return profits, shares
