"""Whole games of a batch, played by networks; what the learner met on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

import numpy as np
import torch
from numba import njit

from byzanz.fast.words import SEATS, Floats, Words

from .advancing import LEARNER, NOBODY, SCRIPTED
from .games import CpuGames, Games
from .league import Seating
from .net import Net, picked

MARGIN = 20.0
"""Profit beyond the others' average that counts as much as a win, where profit counts."""


@dataclass(frozen=True)
class Experience:
    """What the learner saw and did, decision by decision, in the order of play."""

    rows: torch.Tensor
    masks: torch.Tensor
    numbers: torch.Tensor
    logs: torch.Tensor
    """Logarithms of the shares that the numbers had."""
    values: torch.Tensor
    """What the learner expected: its chance to win, and margin as far as it counts."""
    games: torch.Tensor
    seats: torch.Tensor
    categories: torch.Tensor
    """Who sat in each slot."""

    def __len__(self) -> int:
        return len(self.rows)


@dataclass(frozen=True)
class Outcome:
    """How the games of a batch ended, by game and seat."""

    players: Words
    kinds: Words
    profits: Words
    shares: Floats

    def margins(self) -> Floats:
        """Profit beyond the others' average, in :data:`MARGIN`."""
        totals = self.profits.sum(1, keepdims=True)
        others = (totals - self.profits) / (self.players[:, None] - 1)
        margins: Floats = (self.profits - others) / MARGIN
        return margins

    def learner_share(self, players: int) -> float:
        """What part of the win a seat of the learner got at tables of so many players."""
        table = self.players == players
        own = (self.kinds[table] == LEARNER) & (np.arange(SEATS) < players)
        return float(self.shares[table][own].mean())

    def learner_profit(self) -> float:
        """A seat of the learner's profit."""
        own = (self.kinds == LEARNER) & (np.arange(SEATS) < self.players[:, None])
        return float(self.profits[own].mean())


class Player:
    """Plays batches on a device, with the engine on the GPU or on the CPU."""

    def __init__(self, device: torch.device, engine: str) -> None:
        self.device = device
        if engine == "gpu":
            from .gpu_games import GpuGames  # noqa: PLC0415

            self._games: Callable[..., Games] = GpuGames
        else:
            self._games = CpuGames

    def halved(self) -> AbstractContextManager[None]:
        """Matrices are multiplied in half precision on a GPU, and in full on a CPU."""
        on = self.device.type == "cuda"
        return torch.autocast(self.device.type, torch.bfloat16, enabled=on)

    @torch.no_grad()
    def play(
        self,
        seating: Seating,
        nets: Sequence[Net],
        heats: Sequence[float],
        profit: float = 0.0,
        *,
        remember: bool = False,
    ) -> tuple[Outcome, Experience | None]:
        """Plays all games to their end; the learner is the first of the networks.

        With ``remember`` the experience of its seats comes back too, ``profit`` being how much the
        margin counts in what it expects.
        """
        games = self._games(seating.players, seating.seeds, seating.kinds, self.device)
        tables = torch.from_numpy(seating.categories()).to(self.device)
        counts = torch.from_numpy(seating.players).to(self.device)
        scripts = np.unique(seating.kinds[seating.kinds >= SCRIPTED]).tolist()
        chunks: list[tuple[torch.Tensor, ...]] = []
        slots = torch.arange(SEATS, device=self.device)
        with self.halved():
            while bool((games.waiting != NOBODY).any()):
                waiting = games.waiting.clone()
                for script in scripts:
                    places = (waiting == script).nonzero().squeeze(1)
                    if len(places):
                        games.follow_script(places, script)
                for kind, (net, heat) in enumerate(zip(nets, heats, strict=True)):
                    places = (waiting == kind).nonzero().squeeze(1)
                    if not len(places):
                        continue
                    rows, masks, seats = games.observe(places)
                    if kind == LEARNER and remember:
                        around = (seats[:, None] + slots) % counts[places][:, None]
                        categories = tables[places].gather(1, around)
                        logs, wins, margin = net(rows, masks, categories)
                        numbers = picked(logs, heat)
                        taken = logs.gather(1, numbers[:, None]).squeeze(1)
                        values = wins[:, 0].exp() + profit * margin
                        chunks.append(
                            (rows, masks, numbers, taken, values, places, seats, categories)
                        )
                    else:
                        numbers = picked(net.scores(rows, masks), heat)
                    games.step(places, numbers)
        outcome = Outcome(seating.players, seating.kinds, *games.results())
        if not remember:
            return outcome, None
        return outcome, Experience(*(torch.cat(parts) for parts in zip(*chunks, strict=True)))


@njit(cache=True)
def advantages(
    games: Words, seats: Words, values: Floats, rewards: Floats, trace: float, found: Floats
) -> None:
    """Sets how much better each decision turned out than expected, looked at from the end.

    The next value that counts is the same seat's next, and at last its reward.
    """
    following = rewards.copy()
    carried = np.zeros_like(rewards)
    for place in range(len(games) - 1, -1, -1):
        game, seat = games[place], seats[place]
        surprise = following[game, seat] - values[place]
        carried[game, seat] = surprise + trace * carried[game, seat]
        following[game, seat] = values[place]
        found[place] = carried[game, seat]
