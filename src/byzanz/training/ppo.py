"""Proximal policy optimisation (PPO) on the decisions in the rollout buffer."""

from __future__ import annotations

from dataclasses import dataclass

import torch

from .buffer import RolloutBuffer
from .device import Device
from .model import Net
from .observation_layout import parts
from .returns import ACTION, ADVANTAGE, LOG_PROB, MARGIN, RETURN, WINS
from .settings import Settings


@dataclass(frozen=True)
class UpdateStats:
    """Statistics of one update, averaged over its gradient steps."""

    entropy: float
    """Entropy of the policy."""
    value_loss: float
    """Log loss of the win probabilities."""
    approx_kl: float
    """Approximate KL divergence from the policy that played."""


def optimizer_for(net: Net, device: Device) -> torch.optim.Adam:
    """Return the optimizer; its learning rate is a tensor, so that CUDA graphs can use it."""
    return torch.optim.Adam(
        net.parameters(), lr=torch.tensor(1e-3, device=device.torch_device), eps=1e-5, fused=True,
        capturable=device.on_gpu,
    )  # fmt: skip


class PPO:
    """Updates a network from the buffer; all gradient steps use the same tensors."""

    def __init__(
        self, net: Net, optimizer: torch.optim.Adam, buffer: RolloutBuffer, settings: Settings,
        device: Device,
    ) -> None:  # fmt: skip
        self._net, self._optimizer, self._buffer = net, optimizer, buffer
        self._settings, self._device = settings, device
        torch_device = device.torch_device
        self._minibatch = torch.zeros(
            settings.minibatch_size, dtype=torch.int64, device=torch_device
        )
        self._mean, self._std = torch.zeros(2, device=torch_device)
        self._entropy_coef, self._uniform_coef = torch.zeros(2, device=torch_device)
        self._totals = torch.zeros(3, device=torch_device)
        self._compiled_loss = device.compiled(self._loss)
        self._step = device.graphed(self.step)

    def update(self, indices: torch.Tensor, progress: float) -> UpdateStats:
        """Train on the decisions at these indices, ``epochs`` times.

        All minibatches have the same size; leftover decisions are not used.
        """
        settings, size = self._settings, len(self._minibatch)
        for group in self._optimizer.param_groups:
            group["lr"].fill_(settings.learning_rate_at(progress))
        self._entropy_coef.fill_(settings.entropy_coef.at(progress))
        self._uniform_coef.fill_(settings.uniform_coef.at(progress))
        advantages = self._buffer.advantages(indices)
        self._mean.copy_(advantages.mean())
        self._std.copy_(advantages.std() + 1e-8)
        self._totals.zero_()
        steps = len(indices) // size
        for _ in range(settings.epochs):
            order = torch.randperm(len(indices), device=indices.device)
            for minibatch in indices[order[: steps * size]].split(size):
                self._minibatch.copy_(minibatch)
                self._step()
        return UpdateStats(*(self._totals / (steps * settings.epochs)).tolist())

    def step(self) -> None:
        """Take one gradient step on the current minibatch."""
        observations, transitions, targets = self._buffer.get(self._minibatch)
        with self._device.autocast():
            loss, stats = self._compiled_loss(observations, transitions, targets)
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._net.parameters(), self._settings.max_grad_norm)
        self._optimizer.step()
        self._totals += stats.detach()

    def _loss(
        self, observations: torch.Tensor, transitions: torch.Tensor, targets: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the loss of a minibatch, and the statistics of an update."""
        rows, masks, categories = parts(observations)
        log_probs, wins, margin = self._net(rows, masks, categories)
        taken = log_probs.gather(1, transitions[:, ACTION, None].long()).squeeze(1)
        log_ratio = taken - transitions[:, LOG_PROB]
        ratio, advantage = log_ratio.exp(), (targets[:, ADVANTAGE] - self._mean) / self._std
        settings, clip = self._settings, self._settings.clip_coef
        clipped = ratio.clamp(1 - clip, 1 + clip)
        policy_loss = -torch.minimum(ratio * advantage, clipped * advantage).mean()
        # Illegal actions have log-probability -inf, which must not be multiplied.
        finite = log_probs.clamp(min=-100)
        entropy = -(log_probs.exp() * finite).sum(1).mean()
        uniform = ((finite * masks).sum(1) / masks.sum(1)).mean()
        value_loss = -(targets[:, RETURN + WINS :] * wins.clamp(min=-100)).sum(1).mean()
        margin_loss = (margin - targets[:, RETURN + MARGIN]).square().mean()
        loss = policy_loss - self._entropy_coef * entropy - self._uniform_coef * uniform
        loss = loss + settings.value_coef * value_loss + settings.margin_coef * margin_loss
        return loss, torch.stack([entropy, value_loss, log_ratio.square().mean() / 2])
