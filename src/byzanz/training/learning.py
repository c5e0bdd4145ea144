"""Learning from a batch of games: clipped policy gradients, chances and margins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from byzanz.fast.words import SEATS

from .net import Net
from .playing import Experience, Outcome, Player, advantages
from .settings import Settings


@dataclass(frozen=True)
class Lesson:
    """How a batch went: what there was to learn, and what was left of it."""

    decisions: int
    entropy: float
    """How undecided the policy was."""
    surprise: float
    """The logarithmic loss of the chances."""
    change: float
    """How far the policy went from the one that played."""


def learn(
    player: Player,
    net: Net,
    optimizer: torch.optim.Optimizer,
    experience: Experience,
    outcome: Outcome,
    settings: Settings,
    progress: float,
) -> Lesson:
    """The network has learnt from the experience once (or ``epochs`` times)."""
    device = player.device
    profit = settings.profit.at(progress)
    gains, wins, margins = _targets(experience, outcome, settings.trace, profit, device)
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    entropy_weight = settings.entropy.at(progress)
    for group in optimizer.param_groups:
        group["lr"] = settings.rate.at(progress)
    totals = torch.zeros(4, device=device)
    for _ in range(settings.epochs):
        order = torch.randperm(len(experience), device=device)
        # Parts of one size: a small last one would count for more than it knows.
        for part in order.chunk(-(-len(order) // settings.minibatch)):
            with player.halved():
                logs, chances, margin = net(
                    experience.rows[part], experience.masks[part], experience.categories[part]
                )
            taken = logs.gather(1, experience.numbers[part, None]).squeeze(1)
            change = taken - experience.logs[part]
            ratio, gain = change.exp(), gains[part]
            clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip)
            loss = -torch.minimum(ratio * gain, clipped * gain).mean()
            finite = logs.masked_fill(experience.masks[part] == 0, 0)
            entropy = -(logs.exp() * finite).sum(1).mean()
            slots = (
                torch.arange(SEATS, device=device)
                <= experience.rows[part, :4].argmax(1)[:, None] + 2
            )
            surprise = -(wins[part] * chances.masked_fill(~slots, 0)).sum(1).mean()
            off = (margin - margins[part]).square().mean()
            total = loss - entropy_weight * entropy + 0.5 * surprise + 0.25 * off
            optimizer.zero_grad(set_to_none=True)
            total.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            share = len(part) / (len(experience) * settings.epochs)
            totals += (
                share * torch.stack([entropy, surprise, (change.square() / 2).mean(), off]).detach()
            )
    entropy, surprise, change, _ = totals.tolist()
    return Lesson(len(experience), entropy, surprise, change)


def _targets(
    experience: Experience, outcome: Outcome, trace: float, profit: float, device: torch.device
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """By decision: how much better it turned out, each slot's share of the win, the margin."""
    games, seats = experience.games.cpu().numpy(), experience.seats.cpu().numpy()
    margins = outcome.margins()
    rewards = (outcome.shares + profit * margins).astype(np.float32)
    found = np.zeros(len(games), np.float32)
    advantages(games, seats, experience.values.float().cpu().numpy(), rewards, trace, found)
    shares = torch.from_numpy(outcome.shares.astype(np.float32)).to(device)
    players = torch.from_numpy(outcome.players).to(device)[experience.games]
    slots = torch.arange(SEATS, device=device)
    around = (experience.seats[:, None] + slots) % players[:, None]
    wins = shares[experience.games].gather(1, around) * (slots < players[:, None])
    ends = torch.from_numpy(margins.astype(np.float32)).to(device)
    return (torch.from_numpy(found).to(device), wins, ends[experience.games, experience.seats])
