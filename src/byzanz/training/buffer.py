"""The rollout buffer: the last steps of all envs, with the targets of finished games."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from byzanz.fast.layout import SEATS

from .device import Device
from .env import RESULTS
from .observation_layout import OBSERVATION
from .returns import (
    ADVANTAGE,
    PROFIT_SUM,
    SEAT_COUNT,
    STATISTICS,
    TARGET_SIZE,
    TRANSITION_SIZE,
    TRUNCATED,
    VALUE_SIZE,
)


@dataclass(frozen=True)
class FinishedGames:
    """The learner's decisions in games that ended since the last update."""

    indices: torch.Tensor
    """Indices of the decisions in the buffer."""
    profit: float
    """The learner's mean profit per seat."""
    truncated: int
    """Number of games that were longer than the buffer, so that their beginnings are lost."""


class RolloutBuffer:
    """A ring buffer of transitions, indexed by step and env; the oldest step is overwritten."""

    def __init__(self, steps: int, envs: int, device: Device) -> None:
        def zeros(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(shape, dtype=dtype, device=device.torch_device)

        self._engine, self._steps, self._count, self._new = device.engine, steps, 0, 0
        # Eight bytes per integer: fewer elements to copy and to gather.
        self._observations = zeros(steps, envs, OBSERVATION // 8, dtype=torch.int64)
        self._transitions = zeros(steps, envs, TRANSITION_SIZE)
        self._results = zeros(steps, envs, RESULTS)
        self._targets = zeros(steps, envs, TARGET_SIZE)
        self._ready = zeros(steps, envs, dtype=torch.uint8)
        self._statistics = zeros(envs, STATISTICS)
        self._position = zeros(1, dtype=torch.int64)
        self._arrays = [
            device.engine.as_array(each)
            for each in (
                self._observations.view(torch.uint8), self._transitions, self._results,
                self._targets, self._ready, zeros(envs, SEATS, 2, VALUE_SIZE + 1),
                self._statistics,
            )
        ]  # fmt: skip

    def add(self, observations: torch.Tensor, transitions: torch.Tensor) -> None:
        """Store the observations and transitions of the current step."""
        self._observations.index_copy_(0, self._position, observations.view(torch.int64)[None])
        self._transitions.index_copy_(0, self._position, transitions[None])

    def add_results(self, results: torch.Tensor) -> None:
        """Store the results of games that ended with the current step, and begin the next step."""
        self._results.index_copy_(0, self._position, results[None])
        self._position.add_(1).remainder_(self._steps)

    def count(self, steps: int) -> None:
        """Add to the number of stored steps, which a replayed CUDA graph cannot update."""
        self._count += steps
        self._new += steps

    def finished_games(
        self, profit_coef: float, gae_lambda: float, value_lambda: float, fewest: int
    ) -> FinishedGames | None:
        """Compute the targets of games that ended since the last call.

        The decisions of each game are returned once. Returns None if there are fewer than
        ``fewest`` decisions; they remain for the next call.
        """
        filled = min(self._count, self._steps)
        self._ready.zero_()
        newest = (self._count - 1) % self._steps
        self._engine.compute_returns(
            (newest, filled, self._new, profit_coef, gae_lambda, value_lambda), *self._arrays
        )
        indices = self._ready.view(-1).nonzero().squeeze(1)
        if len(indices) < fewest:
            return None
        self._new = 0
        sums = self._statistics.sum(0).tolist()
        return FinishedGames(indices, sums[PROFIT_SUM] / sums[SEAT_COUNT], int(sums[TRUNCATED]))

    def get(self, indices: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Return the observations, transitions and targets at these indices."""
        return (
            self._observations.flatten(0, 1)[indices].view(torch.uint8),
            self._transitions.flatten(0, 1)[indices],
            self._targets.flatten(0, 1)[indices],
        )

    def advantages(self, indices: torch.Tensor) -> torch.Tensor:
        """Return the advantages at these indices."""
        return self._targets.flatten(0, 1)[indices, ADVANTAGE]
