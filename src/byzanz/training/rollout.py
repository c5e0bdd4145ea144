"""Rollouts: steps of all envs with the current policies, stored in the buffer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from .buffer import RolloutBuffer
from .device import Device
from .env import IMITATOR, LEARNER, NO_ACTION, RANDOM, SCRIPTS
from .env_batch import EnvBatch
from .model import Net, sample
from .observation_layout import POLICY, parts
from .opponents import blocks, capacities, training_seating
from .returns import TRANSITION_SIZE
from .settings import Settings

Logits = Callable[[torch.Tensor, torch.Tensor], torch.Tensor]
"""A network's policy, which maps features and masks to logits."""


class Rollout:
    """An endless stream of games played by the learner, other networks and scripts.

    On a GPU, tensor shapes never change and the code never waits for results, which keeps the GPU
    busy. So each network has a fixed batch size, a little larger than the expected number of its
    decisions. The results of unused places are ignored, and a game that finds no place waits for
    the next step.
    """

    def __init__(
        self, settings: Settings, device: Device, net: Net, rng: np.random.Generator,
        imitator: Net | None = None,
    ) -> None:  # fmt: skip
        """Deal the first games."""
        scripts = {SCRIPTS[name] for name, _ in settings.opponents if name in SCRIPTS}
        if settings.random_start_fraction:
            scripts.add(RANDOM)
        seating = training_seating(settings, rng)
        self._capacities = capacities(settings, seating) if device.static_shapes else {}
        self.envs = EnvBatch(seating, sorted(scripts), device)
        self.envs.queue(training_seating(settings, rng))
        self.buffer = RolloutBuffer(settings.buffer_steps, settings.num_envs, device)
        self._device, self._temperature = device, settings.opponent_temperature
        self._snapshots = [
            Net(net.shape).to(device.torch_device) for _ in range(settings.num_snapshots)
        ]
        others = dict(enumerate(self._snapshots, start=1))
        if imitator is not None:
            others[IMITATOR] = imitator
        self._forward = device.compiled(net.forward)
        self._opponents = [
            (policy, device.compiled(others[policy].policy_logits), block)
            for policy, block in blocks(settings).items()
        ]
        self._transitions = torch.zeros(
            (settings.num_envs, TRANSITION_SIZE), device=device.torch_device
        )
        self._step = device.graphed(self.step)

    def set_snapshots(self, snapshots: Sequence[Net]) -> None:
        """Replace the snapshots that play as opponents."""
        for own, snapshot in zip(self._snapshots, snapshots, strict=True):
            own.load_state_dict(snapshot.state_dict())

    def run(self, steps: int) -> None:
        """Run a number of steps in all envs."""
        for _ in range(steps):
            self._step()
        self.buffer.count(steps)

    @torch.no_grad()
    def step(self) -> None:
        """Run one step in all envs and store it in the buffer."""
        envs = self.envs
        envs.observe()
        with self._device.autocast():
            self._act_learner()
            for policy, logits, block in self._opponents:
                act(envs, logits, policy, self._temperature, block, self._capacities.get(policy))
        envs.drop_waiting()
        self.buffer.add(envs.observations, self._transitions)
        envs.step()
        self.buffer.add_results(envs.results)

    def _act_learner(self) -> None:
        envs = self.envs
        everywhere = slice(0, len(envs.observations))
        at = select_envs(envs.observations, LEARNER, everywhere, self._capacities.get(LEARNER))
        observations = envs.observations[at]
        rows, masks, categories = parts(observations)
        log_probs, wins, margin = self._forward(rows, masks, categories)
        actions = sample(log_probs, 1.0)
        taken = log_probs.gather(1, actions[:, None]).squeeze(1)
        envs.actions[at] = torch.where(observations[:, POLICY] == LEARNER, actions, NO_ACTION)
        scalars = [each[:, None] for each in (actions.float(), taken, margin)]
        self._transitions[at] = torch.cat([*scalars, wins.exp()], 1)


def act(
    envs: EnvBatch, logits: Logits, policy: int, temperature: float, block: slice,
    capacity: int | None,
) -> None:  # fmt: skip
    """Set a network's actions in the envs of a block where its policy is to act."""
    at = select_envs(envs.observations, policy, block, capacity)
    observations = envs.observations[at]
    rows, masks, _ = parts(observations)
    actions = sample(logits(rows, masks), temperature)
    envs.actions[at] = torch.where(observations[:, POLICY] == policy, actions, envs.actions[at])


def select_envs(
    observations: torch.Tensor, policy: int, block: slice, capacity: int | None
) -> slice | torch.Tensor:
    """Return the envs of a block for which a network runs; if given, ``capacity`` is their number.

    Without a capacity, these are the envs where the policy is to act. With a capacity, such
    envs come first; if there are too many, some of them, chosen at random, wait.
    """
    has = observations[block, POLICY] == policy
    if capacity is None:
        return has.nonzero().squeeze(1) + block.start
    if capacity == len(has):
        return block
    order = torch.rand(len(has), device=has.device) + has
    return order.argsort(descending=True)[:capacity] + block.start
