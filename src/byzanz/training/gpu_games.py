"""A batch of games that lives on the GPU beside the networks: nothing is copied between them.

PyTorch owns the memory, and numba-cuda's kernels work in it, one game a thread. Both use the same
stream, so what is asked for later sees what was done before.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

if not hasattr(np, "row_stack"):  # numba-cuda still asks NumPy for its old name
    np.row_stack = np.vstack

from numba import cuda

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.fast import WORDS, deal, step, write_features, write_profits, write_shares
from byzanz.fast.words import SEATS, TURN, Bytes, Floats, Words

from .advancing import PLAYS, characters, next_kind

_THREADS = 64

warnings.filterwarnings("ignore", message="Grid size")  # when only few games still go on


def _deal(games: Words, players: Words, seeds: Words) -> None:
    place = cuda.grid(1)
    if place < len(games):
        deal(games[place], players[place], seeds[place])


def _observe(games: Words, places: Words, rows: Bytes, seats: Words) -> None:
    place = cuda.grid(1)
    if place < len(places):
        game = games[places[place]]
        seats[place] = game[TURN]
        write_features(game, game[TURN], rows[place])


def _step(games: Words, places: Words, numbers: Words) -> None:
    place = cuda.grid(1)
    if place < len(places):
        step(games[places[place]], numbers[place])


def _go_on(games: Words, places: Words, kinds: Words, masks: Bytes, waiting: Words) -> None:
    place = cuda.grid(1)
    if place < len(places):
        at = places[place]
        waiting[at] = next_kind(games[at], kinds[at], masks[at])


def _scripted(plays: Callable[[Words, Words, Words], None]) -> Callable[..., None]:
    """A kernel that follows one script: together their tables are too large for a GPU."""

    def kernel(games: Words, places: Words, values: Words, habits: Words) -> None:
        place = cuda.grid(1)
        if place < len(places):
            plays(games[places[place]], values, habits)

    return kernel


def _results(games: Words, profits: Words, shares: Floats) -> None:
    place = cuda.grid(1)
    if place < len(games):
        write_profits(games[place], profits[place])
        write_shares(games[place], shares[place])


KERNELS = (_deal, _observe, _step, _go_on, _results)
SCRIPT_KERNELS = {script: _scripted(plays) for script, plays in PLAYS.items()}
"""What runs on the GPU; compiled when it is first asked for."""


@lru_cache(maxsize=len(KERNELS) + len(SCRIPT_KERNELS))
def _compiled(kernel: Callable[..., None]) -> Any:
    return cuda.jit(kernel)


def _run(kernel: Callable[..., None], count: int, *arguments: Any) -> None:
    """Runs a kernel on so many threads; tensors and arrays of Numba's are the same memory."""
    if count:
        grid = -(-count // _THREADS), _THREADS
        _compiled(kernel)[grid](*[_array(each) for each in arguments])


def _array(given: Any) -> Any:
    return cuda.as_cuda_array(given) if isinstance(given, torch.Tensor) else given


class GpuGames:
    """Games on one GPU."""

    def __init__(
        self, players: Words, seeds: npt.NDArray[np.uint64], kinds: Words, device: torch.device
    ) -> None:
        """Deals a game for each seed, each seat played by its kind."""
        count = len(players)

        def put(array: npt.NDArray[np.int64]) -> torch.Tensor:
            return torch.from_numpy(np.ascontiguousarray(array, dtype=np.int64)).to(device)

        self._device = device
        self._masks = torch.zeros((count, NUMBERS), dtype=torch.uint8, device=device)
        self._waiting = torch.zeros(count, dtype=torch.int64, device=device)
        # Handed to Numba once: that takes longer than many a kernel.
        self._words = _array(torch.zeros((count, WORDS), dtype=torch.int64, device=device))
        self._state = [_array(each) for each in (put(kinds), self._masks, self._waiting)]
        self._characters = [_array(put(each)) for each in characters()]
        _run(_deal, count, self._words, put(players), put(seeds.view(np.int64)))
        self._go_on(torch.arange(count, device=device))

    @property
    def waiting(self) -> torch.Tensor:
        """For each game the kind that is to decide, NOBODY at its end."""
        return self._waiting

    def observe(self, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """The features, the masks and the seats on turn of the games at these places."""
        rows = torch.empty((len(places), FEATURES), dtype=torch.uint8, device=self._device)
        seats = torch.empty(len(places), dtype=torch.int64, device=self._device)
        _run(_observe, len(places), self._words, places, rows, seats)
        return rows, self._masks[places], seats

    def step(self, places: torch.Tensor, numbers: torch.Tensor) -> None:
        """Plays a legal number in each game at these places, and on to the next decision."""
        _run(_step, len(places), self._words, places, numbers)
        self._go_on(places)

    def follow_script(self, places: torch.Tensor, script: int) -> None:
        """Plays as the script does in each game at these places, and on to the next decision."""
        _run(SCRIPT_KERNELS[script], len(places), self._words, places, *self._characters)
        self._go_on(places)

    def _go_on(self, places: torch.Tensor) -> None:
        _run(_go_on, len(places), self._words, places, *self._state)

    def results(self) -> tuple[Words, Floats]:
        """Each seat's profit and share of the win; 0 for seats that nobody has."""
        count = len(self._words)
        profits = torch.zeros((count, SEATS), dtype=torch.int64, device=self._device)
        shares = torch.zeros((count, SEATS), dtype=torch.float64, device=self._device)
        _run(_results, count, self._words, profits, shares)
        return profits.cpu().numpy(), shares.cpu().numpy()
