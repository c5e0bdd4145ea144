"""All slots at once, on the CPU's cores."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from byzanz.fast.layout import Words
from byzanz.fast.parallel import by_rows

from .env import (
    NOBODY,
    SCRIPTED,
    SENSIBLE,
    TRADER,
    characters,
    look,
    play_at_random,
    play_on,
    play_sensibly,
    trade,
)
from .returns import look_back


@by_rows(64)
def _look(slots: Words, arrays: Any) -> None:
    for place in range(len(slots)):
        look(slots[place], *arrays)


@by_rows(64)
def _play_on(slots: Words, arrays: Any) -> None:
    for place in range(len(slots)):
        play_on(slots[place], *arrays)


@by_rows(64)
def _follow_scripts(slots: Words, arrays: Any, character: Any) -> None:
    games, waiting = arrays
    values, habits = character
    for place in range(len(slots)):
        game, kind = games[slots[place]], waiting[slots[place]]
        if kind == TRADER:
            trade(game, values, habits)
        elif kind == SENSIBLE:
            play_sensibly(game, values, habits)
        elif SCRIPTED <= kind < NOBODY:
            play_at_random(game, values, habits)


@by_rows(64)
def _look_back(slots: Words, figures: Any, arrays: Any) -> None:
    newest, filled, window, profit, trace = figures
    for place in range(len(slots)):
        look_back(slots[place], newest, filled, window, profit, trace, *arrays)


class CpuEngine:
    """Compiled loops over the slots, which the cores share."""

    def bound(self, tensor: torch.Tensor) -> Any:
        """The tensor's memory, as compiled code takes it."""
        return tensor.numpy()

    def look(self, *arrays: Any) -> None:
        """Every sight is up to date: :func:`byzanz.training.env.look`."""
        _look(_slots(len(arrays[0])), arrays)

    def follow(self, scripts: Iterable[int], *arrays: Any) -> None:
        """Scripts have played where it was their turn; ``scripts`` says which there may be."""
        if scripts:
            _follow_scripts(_slots(len(arrays[0])), arrays, characters())

    def play_on(self, *arrays: Any) -> None:
        """Every game is at its next choice: :func:`byzanz.training.env.play_on`."""
        _play_on(_slots(len(arrays[0])), arrays)

    def look_back(self, figures: tuple[int, int, int, float, float], *arrays: Any) -> None:
        """Targets are set: :func:`byzanz.training.returns.look_back`."""
        _look_back(_slots(arrays[0].shape[1]), figures, arrays)


@lru_cache(maxsize=8)
def _slots(count: int) -> Words:
    return np.arange(count)
