"""Studying positions: the likeliest answers are tried in many worlds, and what fared best is kept.

A lesson's games say little about any one answer, for much else happens in a game. Where the network
hesitates, its answers are therefore compared in the same worlds, and it learns to like them as much
more as they are better.
"""

from __future__ import annotations

from collections.abc import Callable

import torch

from byzanz.fast import WORDS
from byzanz.fast.words import SEATS

from .games import Games
from .machine import Machine
from .settings import Settings
from .sight import KIND, SIGHT, parts
from .slot import LEARNER

_UNASKED = 16
"""Ticks between one look and the next whether all trials are over."""
_LEAST = 0.002
"""The share below which an answer is not tried."""
_DOUBT = 0.005
"""Where the second answer has less, the network does not hesitate."""

Ask = Callable[..., tuple[torch.Tensor, torch.Tensor, torch.Tensor]]
"""What a network says of rows, masks and categories."""


class Trials:
    """Slots in which answers are tried side by side; tensors lie still, as graphs want them."""

    def __init__(self, settings: Settings, machine: Machine, ask: Ask) -> None:
        """``ask`` is the network that plays for everybody."""
        slots = settings.games
        roots, answers, worlds = settings.studied, settings.answers, settings.worlds

        def zeros(*shape: int, kind: torch.dtype = torch.int64) -> torch.Tensor:
            return torch.zeros(shape, dtype=kind, device=machine.device)

        self.roots, self.answers = zeros(roots, WORDS), zeros(roots, answers)
        """To be set: positions, and the numbers to try in each; -1 is none."""
        self.seeds = zeros(roots, worlds)
        """To be set: what decides each world."""
        self.worths = zeros(roots, worlds, answers, kind=torch.float32)
        """How likely the seat on turn is to win, by root, world and answer."""
        self._trials, self._judged, self._numbers = zeros(slots), zeros(slots), zeros(slots)
        self._sights = zeros(slots, SIGHT, kind=torch.uint8)
        self._chances = zeros(slots, kind=torch.float32)
        games, shares = zeros(slots, WORDS), zeros(slots, SEATS, kind=torch.float32)
        self._arrays = [
            machine.engine.bound(each)
            for each in (
                self.roots, self.answers, self.seeds, self.worths.view(-1), self._trials, games,
                self._sights, self._judged, self._numbers, self._chances, shares,
            )
        ]  # fmt: skip
        self._machine, self._ask = machine, ask
        self._tick = machine.replayed(self.tick)

    def run(self) -> int:
        """All answers are tried; returns how many ticks that took."""
        slots, ticks = len(self._trials), 0
        self.worths.zero_()
        self._trials.copy_(torch.arange(-slots, 0, device=self._trials.device))
        self._machine.engine.try_on(*self._arrays)
        while bool((self._trials < self.worths.numel()).any()):
            for _ in range(_UNASKED):
                self._tick()
            ticks += _UNASKED
        return ticks

    @torch.no_grad()
    def tick(self) -> None:
        """Every trial is a number further, or over."""
        with self._machine.halved():
            logs, chances, _ = self._ask(*parts(self._sights))
        self._numbers.copy_(logs.argmax(1))
        self._chances.copy_(chances[:, 0].exp())
        self._machine.engine.try_on(*self._arrays)


class Study:
    """The positions that were studied last: what was seen, the answers, and how to like them."""

    def __init__(self, settings: Settings, machine: Machine, ask: Ask) -> None:
        self._settings, self._machine, self._ask = settings, machine, ask
        self.trials = Trials(settings, machine, ask)
        count, answers = settings.studied * settings.remembered, settings.answers
        device = machine.device
        self._sights = torch.zeros((count, SIGHT // 8), dtype=torch.int64, device=device)
        self._answers = torch.zeros((count, answers), dtype=torch.int64, device=device)
        self._liking = torch.zeros((count, answers), device=device)
        self._times = 0

    def study(self, games: Games) -> dict[str, float]:
        """Studies some of the positions in which the learner has a choice; tells what was found."""
        settings, trials = self._settings, self.trials
        games.look()
        with torch.no_grad(), self._machine.halved():
            logs, _, _ = self._ask(*parts(games.sights))
        likeliest = logs.topk(settings.answers, dim=1)
        own = games.sights[:, KIND] == LEARNER
        hesitates = own & (likeliest.values[:, 1].exp() > _DOUBT)
        order = torch.rand(len(own), device=own.device) + hesitates.float() + own
        at = order.topk(settings.studied).indices
        at = torch.where(own[at], at, at[0])
        values, answers = likeliest.values[at], likeliest.indices[at]
        tried = (values.exp() > _LEAST) & hesitates[at, None]
        trials.roots.copy_(games.words[at])
        trials.answers.copy_(torch.where(tried, answers, -1))
        trials.seeds.copy_(
            torch.randint(-(1 << 63), (1 << 63) - 1, trials.seeds.shape, device=own.device)
        )
        ticks = trials.run()
        worths = trials.worths.mean(1)
        liking = torch.where(tried, values + worths / settings.finesse, -torch.inf)
        liking = torch.where(tried, liking.softmax(1), 0.0)
        place = self._times % settings.remembered * settings.studied
        block = slice(place, place + settings.studied)
        self._sights[block] = games.sights.view(torch.int64)[at]
        self._answers[block] = answers
        self._liking[block] = liking
        self._times += 1
        before = torch.where(tried, values, -torch.inf).softmax(1).nan_to_num()
        found = ((liking - before) * worths).sum(1)[hesitates[at]].mean()
        return {"found": float(found), "studied": int(hesitates[at].sum()), "ticks": ticks}

    def drawn(self, places: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Sights, answers and how to like them, of the positions at these places."""
        sights = self._sights[places].view(torch.uint8)
        return sights, self._answers[places], self._liking[places]

    def __len__(self) -> int:
        """How many positions are remembered."""
        return min(self._times, self._settings.remembered) * self._settings.studied
