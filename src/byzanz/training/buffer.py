"""The last ticks of all slots: what was seen and chosen, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from byzanz.fast.layout import SEATS

from .device import Machine
from .env import RESULTS
from .observation import SIGHT
from .returns import CHOICE, CUT, GAIN, OUTLOOK, PROFIT, TAKEN, TARGET, TOLD


@dataclass(frozen=True)
class Harvest:
    """What there is to learn: decisions of games that ended since the last time."""

    places: torch.Tensor
    """Where in the ring they lie."""
    profit: float
    """A seat of the learner's profit."""
    cut: int
    """Games so long that their beginning was not kept."""


class Ring:
    """A place for each of the last ticks and each slot; the oldest tick makes room for the next."""

    def __init__(self, ticks: int, slots: int, machine: Machine) -> None:
        def zeros(*shape: int, kind: torch.dtype = torch.float32) -> torch.Tensor:
            return torch.zeros(shape, dtype=kind, device=machine.device)

        self._engine, self._ticks, self._last, self._since = machine.engine, ticks, 0, 0
        # Bytes in words: eight times as few to copy and to fetch one by one.
        self._sights = zeros(ticks, slots, SIGHT // 8, kind=torch.int64)
        self._choices = zeros(ticks, slots, CHOICE)
        self._results = zeros(ticks, slots, RESULTS)
        self._targets = zeros(ticks, slots, TARGET)
        self._ready = zeros(ticks, slots, kind=torch.uint8)
        self._told = zeros(slots, TOLD)
        self._now = zeros(1, kind=torch.int64)
        self._arrays = [
            machine.engine.bound(each)
            for each in (
                self._sights.view(torch.uint8), self._choices, self._results, self._targets,
                self._ready, zeros(slots, SEATS, 2, OUTLOOK + 1), self._told,
            )
        ]  # fmt: skip

    def keep(self, sights: torch.Tensor, choices: torch.Tensor) -> None:
        """What was seen and chosen in this tick is kept."""
        self._sights.index_copy_(0, self._now, sights.view(torch.int64)[None])
        self._choices.index_copy_(0, self._now, choices[None])

    def close(self, results: torch.Tensor) -> None:
        """Which games ended with this tick is kept, and the next begins."""
        self._results.index_copy_(0, self._now, results[None])
        self._now.add_(1).remainder_(self._ticks)

    def count(self, ticks: int) -> None:
        """So many ticks more were kept; graphs run without Python, so that it must be told."""
        self._last += ticks
        self._since += ticks

    def harvest(self, profit: float, trace: float, fewest: int) -> Harvest | None:
        """What there is to learn, each game once; nothing yet if there are not enough decisions.

        ``profit`` is how much the margin counts, ``trace`` how far a result reaches back.
        """
        filled = min(self._last, self._ticks)
        self._ready.zero_()
        figures = (self._last - 1) % self._ticks, filled, self._since, profit, trace
        self._engine.look_back(figures, *self._arrays)
        places = self._ready.view(-1).nonzero().squeeze(1)
        if len(places) < fewest:
            return None
        self._since = 0
        told = self._told.sum(0).tolist()
        return Harvest(places, told[PROFIT] / told[TAKEN], int(told[CUT]))

    def fetched(self, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Sights, choices and targets at these places."""
        return (
            self._sights.flatten(0, 1)[places].view(torch.uint8),
            self._choices.flatten(0, 1)[places],
            self._targets.flatten(0, 1)[places],
        )

    def gains(self, places: torch.Tensor) -> torch.Tensor:
        """How much better than expected the decisions at these places turned out."""
        return self._targets.flatten(0, 1)[places, GAIN]
