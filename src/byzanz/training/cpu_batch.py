"""All envs at once, on the cores of the CPU."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import numpy as np
import torch

from byzanz.fast.layout import Ints
from byzanz.fast.parallel import by_rows

from .env import (
    NOBODY,
    SCRIPTED,
    SENSIBLE,
    TRADER,
    advance,
    observe,
    play_random,
    play_sensible,
    play_trader,
    trader_parameters,
)
from .returns import compute_returns


@by_rows(64)
def _observe(envs: Ints, arrays: Any) -> None:
    for place in range(len(envs)):
        observe(envs[place], *arrays)


@by_rows(64)
def _advance(envs: Ints, arrays: Any) -> None:
    for place in range(len(envs)):
        advance(envs[place], *arrays)


@by_rows(64)
def _play_scripts(envs: Ints, arrays: Any, parameters: Any) -> None:
    games, to_act = arrays
    values, habits = parameters
    for place in range(len(envs)):
        game, policy = games[envs[place]], to_act[envs[place]]
        if policy == TRADER:
            play_trader(game, values, habits)
        elif policy == SENSIBLE:
            play_sensible(game, values, habits)
        elif SCRIPTED <= policy < NOBODY:
            play_random(game, values, habits)


@by_rows(64)
def _compute_returns(envs: Ints, figures: Any, arrays: Any) -> None:
    newest, filled, window, profit_coef, gae_lambda, value_lambda = figures
    for place in range(len(envs)):
        compute_returns(
            envs[place], newest, filled, window, profit_coef, gae_lambda, value_lambda, *arrays
        )


class CpuEngine:
    """Compiled loops over the envs, distributed over the cores."""

    def as_array(self, tensor: torch.Tensor) -> Any:
        """Return the tensor's memory as an array for compiled code."""
        return tensor.numpy()

    def observe(self, *arrays: Any) -> None:
        """Update all observations: :func:`byzanz.training.env.observe`."""
        _observe(_envs(len(arrays[0])), arrays)

    def play_scripts(self, scripts: Iterable[int], *arrays: Any) -> None:
        """Play a step in every env where a script is to act; ``scripts`` are the possible ids."""
        if scripts:
            _play_scripts(_envs(len(arrays[0])), arrays, trader_parameters())

    def advance(self, *arrays: Any) -> None:
        """Advance all games to their next decision: :func:`byzanz.training.env.advance`."""
        _advance(_envs(len(arrays[0])), arrays)

    def compute_returns(
        self, figures: tuple[int, int, int, float, float, float], *arrays: Any
    ) -> None:
        """Compute all targets: :func:`byzanz.training.returns.compute_returns`."""
        _compute_returns(_envs(arrays[0].shape[1]), figures, arrays)


@lru_cache(maxsize=8)
def _envs(count: int) -> Ints:
    return np.arange(count)
