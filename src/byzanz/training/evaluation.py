"""Evaluation: the learner's share of the wins against fixed opponents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch

from byzanz.fast.layout import SEATS

from .device import Device
from .env import LEARNER, SCRIPTED, SCRIPTS, SHARES
from .env_batch import EnvBatch
from .model import Net
from .opponents import Seating, evaluation_seating
from .rollout import act
from .settings import Settings

Evaluation = dict[str, dict[int, float]]
"""The learner's share of the wins, by opponent and player count."""

_CHECK_EVERY = 16
"""The number of steps between checks of whether all games are over."""


def evaluate(
    device: Device, net: Net, others: Mapping[str, Net], scripts: Iterable[str],
    settings: Settings,
) -> Evaluation:  # fmt: skip
    """Evaluate one copy of ``net`` against copies of each of the other networks and scripts.

    All networks play greedily. The deals are the same in every call.
    """
    evaluation: Evaluation = {}
    counts = sorted(set(settings.players))
    for name in (*others, *scripts):
        nets = [net, others[name]] if name in others else [net]
        rng = np.random.default_rng(settings.evaluation_games)
        policy = SCRIPTS.get(name, 1)
        seating = evaluation_seating(policy, counts, settings.evaluation_games, rng)
        shares = play_games(device, seating, nets)[:, SHARES : SHARES + SEATS]
        own = (seating.policies == LEARNER) & (np.arange(SEATS) < seating.players[:, None])
        evaluation[name] = {
            count: float(shares[own & (seating.players == count)[:, None]].mean())
            for count in counts
        }
    return evaluation


@torch.no_grad()
def play_games(
    device: Device, seating: Seating, nets: Iterable[Net]
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Play each game of a seating once, greedily, and return the results.

    The networks' policy ids are their indices.
    """
    scripts = np.unique(seating.policies[seating.policies >= SCRIPTED]).tolist()
    envs = EnvBatch(seating, scripts, device)
    everywhere, capacity = slice(0, len(seating)), len(seating) if device.static_shapes else None
    with device.autocast():
        while not bool((envs.results[:, 0] > 0).all()):
            for _ in range(_CHECK_EVERY):
                envs.observe()
                for policy, net in enumerate(nets):
                    act(envs, net.policy_logits, policy, 0.0, everywhere, capacity)
                envs.step()
    return envs.results.cpu().numpy()


def relative_strength(shares: Mapping[int, float]) -> float:
    """Return the mean of share times player count over all counts; 1 means equal strength."""
    return sum(share * players for players, share in shares.items()) / len(shares)
