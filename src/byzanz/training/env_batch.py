"""A batch of envs, each at its next decision."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import torch

from byzanz.fast import RECORD_LENGTH, layout
from byzanz.fast.layout import PHASE

from .device import Device
from .env import NEXT_FIELDS, NO_ACTION, NOBODY, POLICY_FIELDS, RESULTS, SCRIPTED
from .observation_layout import OBSERVATION, POLICY
from .opponents import Seating


class EnvBatch:
    """One env for each game of a seating; its tensors are on the device."""

    def __init__(self, seating: Seating, scripts: Iterable[int], device: Device) -> None:
        """Deal one game of the seating to each env.

        No further games are dealt until :meth:`queue` is called. ``scripts`` are the ids of all
        scripted policies that will ever play here.
        """
        count = len(seating)

        def zeros(*shape: int, dtype: torch.dtype = torch.int64) -> torch.Tensor:
            return torch.zeros((count, *shape), dtype=dtype, device=device.torch_device)

        self.observations = zeros(OBSERVATION, dtype=torch.uint8)
        """Observations of the decisions, as in :mod:`byzanz.training.observation_layout`."""
        self.actions = zeros()
        """For each env, the action number of the network to act, or NO_ACTION; callers set it."""
        self.results = zeros(RESULTS, dtype=torch.float32)
        """Results of games that ended in the last step, or earlier if no other game followed."""
        self.games = zeros(RECORD_LENGTH)
        """The engine records of the games."""
        self._next_games = zeros(NEXT_FIELDS)
        self._scripts = tuple(scripts)
        self.games[:, PHASE] = layout.OVER
        to_act = zeros() + NOBODY
        self._engine = device.engine
        as_array = device.engine.as_array
        self._state = [
            as_array(each) for each in (self.games, zeros(POLICY_FIELDS), to_act, self.observations)
        ]
        self._inputs = [as_array(each) for each in (self.actions, self.results, self._next_games)]
        self.queue(seating)
        self.step()
        self._next_games.zero_()

    @property
    def to_act(self) -> torch.Tensor:
        """The id of the policy to act in each env; NOBODY if a game ended and none followed."""
        return self.observations[:, POLICY]

    def queue(self, seating: Seating) -> None:
        """Deal all further games of each env from this seating, until the next call."""
        fields = seating.players, seating.seeds.view(np.int64), seating.policies, seating.first
        self._next_games.copy_(torch.from_numpy(np.column_stack(fields)))

    def observe(self) -> None:
        """Update the observations and clear the actions."""
        self._engine.observe(*self._state)
        self.actions.fill_(NO_ACTION)

    def drop_waiting(self) -> None:
        """Set the policy to NOBODY in the observations of envs whose network has not acted."""
        waiting = (self.to_act < SCRIPTED) & (self.actions == NO_ACTION)
        self.to_act.masked_fill_(waiting, NOBODY)

    def step(self) -> None:
        """Play the actions and the scripts' moves, and advance all games to their next decision."""
        games, _, to_act, _ = self._state
        self._engine.play_scripts(self._scripts, games, to_act)
        self._engine.advance(*self._state, *self._inputs)
