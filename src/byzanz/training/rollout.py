"""A stream of games: every tick each of them is moved on, and what the learner did is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from .buffer import Ring
from .device import Machine
from .env import IMITATOR, LEARNER, RANDOM, SCRIPTS, WAITS
from .env_batch import Games
from .model import Net, picked
from .observation import KIND, parts
from .opponents import blocks, league, rooms
from .returns import CHOICE
from .settings import Settings

Scores = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""What a network gives for rows and masks."""


class Stream:
    """Games without end, played by the learner, other networks and scripts.

    On a GPU shapes never change and nothing waits for an answer, so that it is never idle: there is
    room for a little more than a network will be asked, the rest of it is asked in vain, and what
    has no room waits for the next tick.
    """

    def __init__(
        self, settings: Settings, machine: Machine, net: Net, chance: np.random.Generator,
        imitator: Net | None = None,
    ) -> None:  # fmt: skip
        """Deals the first games."""
        scripts = {SCRIPTS[name] for name, _ in settings.company if name in SCRIPTS}
        if settings.astray:
            scripts.add(RANDOM)
        seating = league(settings, chance)
        self._rooms = rooms(settings, seating) if machine.steady else {}
        self.games = Games(seating, sorted(scripts), machine)
        self.games.seat(league(settings, chance))
        self.ring = Ring(settings.kept, settings.games, machine)
        self._machine, self._heat = machine, settings.heat
        self._pasts = [Net(net.shape).to(machine.device) for _ in range(settings.past_at_once)]
        others = dict(enumerate(self._pasts, start=1))
        if imitator is not None:
            others[IMITATOR] = imitator
        self._ask = machine.fused(net.forward)
        self._others = [
            (kind, machine.fused(others[kind].policy_scores), block)
            for kind, block in blocks(settings).items()
        ]
        self._choices = torch.zeros((settings.games, CHOICE), device=machine.device)
        self._tick = machine.replayed(self.tick)

    def invite(self, pasts: Sequence[Net]) -> None:
        """From now on these past selves play."""
        for own, past in zip(self._pasts, pasts, strict=True):
            own.load_state_dict(past.state_dict())

    def play(self, ticks: int) -> None:
        """Every game is so many moves further."""
        for _ in range(ticks):
            self._tick()
        self.ring.count(ticks)

    @torch.no_grad()
    def tick(self) -> None:
        """Every game is a move further, and what was seen and done is kept."""
        games = self.games
        games.look()
        with self._machine.halved():
            self._learner_chooses()
            for kind, ask, block in self._others:
                choose(games, ask, kind, self._heat, block, self._rooms.get(kind))
        games.excuse()
        self.ring.keep(games.sights, self._choices)
        games.play_on()
        self.ring.close(games.results)

    def _learner_chooses(self) -> None:
        games = self.games
        everywhere = slice(0, len(games.sights))
        at = where_asked(games.sights, LEARNER, everywhere, self._rooms.get(LEARNER))
        sights = games.sights[at]
        rows, masks, categories = parts(sights)
        logs, wins, margin = self._ask(rows, masks, categories)
        numbers = picked(logs, 1.0)
        taken = logs.gather(1, numbers[:, None]).squeeze(1)
        games.numbers[at] = torch.where(sights[:, KIND] == LEARNER, numbers, WAITS)
        kept = [each[:, None] for each in (numbers.float(), taken, margin)]
        self._choices[at] = torch.cat([*kept, wins.exp()], 1)


def choose(
    games: Games, ask: Scores, kind: int, heat: float, block: slice, room: int | None
) -> None:
    """In these slots a network has chosen, by its scores, where a seat of its kind is on turn."""
    at = where_asked(games.sights, kind, block, room)
    sights = games.sights[at]
    rows, masks, _ = parts(sights)
    chosen = picked(ask(rows, masks), heat)
    games.numbers[at] = torch.where(sights[:, KIND] == kind, chosen, games.numbers[at])


def where_asked(
    sights: torch.Tensor, kind: int, block: slice, room: int | None
) -> slice | torch.Tensor:
    """Where in a block to ask a network: just where it has the choice, or in as many slots.

    Those with the choice come first, and if there are more of them, chance has some wait.
    """
    has = sights[block, KIND] == kind
    if room is None:
        return has.nonzero().squeeze(1) + block.start
    if room == len(has):
        return block
    lots = torch.rand(len(has), device=has.device) + has
    return lots.argsort(descending=True)[:room] + block.start
