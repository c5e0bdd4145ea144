"""Learning from what the stream brought: clipped policy gradients, chances and margins."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .buffer import Ring
from .device import Machine
from .model import Net
from .observation import parts
from .returns import GAIN, LOG, MARGIN, NUMBER, PROPER, WINS
from .settings import Settings


@dataclass(frozen=True)
class Lesson:
    """What was left of a lesson, on average over its steps."""

    entropy: float
    """How undecided the policy was."""
    surprise: float
    """The logarithmic loss of the chances."""
    change: float
    """How far the policy went from the one that played."""


def optimizer_for(net: Net, machine: Machine) -> torch.optim.Adam:
    """What changes the network; its rate lies beside the weights, where graphs find it."""
    return torch.optim.Adam(
        net.parameters(), lr=torch.tensor(1e-3, device=machine.device), eps=1e-5, fused=True,
        capturable=machine.device.type == "cuda",
    )  # fmt: skip


class Learner:
    """A network that learns from a ring, part by part; all that a step uses lies still."""

    def __init__(
        self, net: Net, optimizer: torch.optim.Adam, ring: Ring, settings: Settings,
        machine: Machine,
    ) -> None:  # fmt: skip
        self._net, self._optimizer, self._ring = net, optimizer, ring
        self._settings, self._machine = settings, machine
        device = machine.device
        self._part = torch.zeros(settings.minibatch, dtype=torch.int64, device=device)
        self._centre, self._spread = torch.zeros(2, device=device)
        self._entropy_weight, self._doubt = torch.zeros(2, device=device)
        self._totals = torch.zeros(3, device=device)
        self._judge = machine.fused(self._judged)
        self._step = machine.replayed(self.step)

    def learn(self, places: torch.Tensor, progress: float) -> Lesson:
        """The network has learnt from these places once (or ``epochs`` times).

        Parts are of one size; what is left over is not learnt from.
        """
        settings, size = self._settings, len(self._part)
        for group in self._optimizer.param_groups:
            group["lr"].fill_(settings.rate_at(progress))
        self._entropy_weight.fill_(settings.entropy.at(progress))
        self._doubt.fill_(settings.doubt.at(progress))
        gains = self._ring.gains(places)
        self._centre.copy_(gains.mean())
        self._spread.copy_(gains.std() + 1e-8)
        self._totals.zero_()
        steps = len(places) // size
        for _ in range(settings.epochs):
            order = torch.randperm(len(places), device=places.device)
            for part in places[order[: steps * size]].split(size):
                self._part.copy_(part)
                self._step()
        return Lesson(*(self._totals / (steps * settings.epochs)).tolist())

    def step(self) -> None:
        """The network has learnt from one part."""
        sights, choices, targets = self._ring.fetched(self._part)
        with self._machine.halved():
            loss, told = self._judge(sights, choices, targets)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), 1.0)
        self._optimizer.step()
        self._totals += told.detach()

    def _judged(
        self, sights: torch.Tensor, choices: torch.Tensor, targets: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """How far the network is from what these decisions teach, and what a lesson tells."""
        rows, masks, categories = parts(sights)
        logs, chances, margin = self._net(rows, masks, categories)
        change = logs.gather(1, choices[:, NUMBER, None].long()).squeeze(1) - choices[:, LOG]
        ratio, gain = change.exp(), (targets[:, GAIN] - self._centre) / self._spread
        clip = self._settings.clip
        loss = -torch.minimum(ratio * gain, ratio.clamp(1 - clip, 1 + clip) * gain).mean()
        # What cannot be has a logarithm without end, and must not be multiplied.
        finite = logs.clamp(min=-100)
        entropy = -(logs.exp() * finite).sum(1).mean()
        tried = ((finite * masks).sum(1) / masks.sum(1)).mean()
        surprise = -(targets[:, PROPER + WINS :] * chances.clamp(min=-100)).sum(1).mean()
        off = (margin - targets[:, PROPER + MARGIN]).square().mean()
        loss = loss - self._entropy_weight * entropy - self._doubt * tried
        loss = loss + 0.5 * surprise + 0.25 * off
        return loss, torch.stack([entropy, surprise, change.square().mean() / 2])
