"""Games side by side, one a slot, each waiting for its next choice."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from byzanz.fast import WORDS
from byzanz.fast import layout as w
from byzanz.fast.layout import PHASE

from .device import Machine
from .env import COMING, NOBODY, RESULTS, SCRIPTED, SEATED, WAITS
from .observation import KIND, SIGHT
from .opponents import Seating


class Games:
    """As many games as the seating has tables; tensors lie on the machine's device."""

    def __init__(self, seating: Seating, scripts: Iterable[int], machine: Machine) -> None:
        """Deals the seating's games; without another seating nothing comes after them.

        ``scripts`` are all that will ever play here.
        """
        count, device = len(seating), machine.device

        def zeros(*shape: int, kind: torch.dtype = torch.int64) -> torch.Tensor:
            return torch.zeros((count, *shape), dtype=kind, device=device)

        self.sights = zeros(SIGHT, kind=torch.uint8)
        """What is seen at each choice, as :mod:`byzanz.training.observation` lays it out."""
        self.numbers = zeros()
        """To be set: what is played where a network has the choice; a game WAITS without."""
        self.results = zeros(RESULTS, kind=torch.float32)
        """How games ended with the last move, or at last if nothing came after them."""
        self.words = zeros(WORDS)
        """The games themselves."""
        self._coming = zeros(COMING)
        self._scripts = tuple(scripts)
        self.words[:, PHASE] = w.OVER
        waiting = zeros() + NOBODY
        self._engine = machine.engine
        bound = machine.engine.bound
        self._state = [bound(each) for each in (self.words, zeros(SEATED), waiting, self.sights)]
        self._moves = [bound(each) for each in (self.numbers, self.results, self._coming)]
        self.seat(seating)
        self.play_on()
        self._coming.zero_()

    @property
    def kinds(self) -> torch.Tensor:
        """By slot, the kind that has the choice; NOBODY where nothing came after a game."""
        return self.sights[:, KIND]

    def seat(self, seating: Seating) -> None:
        """Where a game ends, this seating's comes next, as often as need be."""
        told = seating.players, seating.seeds.view(np.int64), seating.kinds, seating.begin
        self._coming.copy_(torch.from_numpy(np.column_stack(told)))

    def look(self) -> None:
        """Sights are up to date, and nothing is chosen yet."""
        self._engine.look(*self._state)
        self.numbers.fill_(WAITS)

    def excuse(self) -> None:
        """Sights of games that wait are nobody's: what is seen there will be seen again."""
        waits = (self.kinds < SCRIPTED) & (self.numbers == WAITS)
        self.kinds.masked_fill_(waits, NOBODY)

    def play_on(self) -> None:
        """Plays what was chosen, and scripts their choice; every game is at its next one."""
        games, _, waiting, _ = self._state
        self._engine.follow(self._scripts, games, waiting)
        self._engine.play_on(*self._state, *self._moves)
