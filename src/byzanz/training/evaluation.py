"""How strong the learner is: alone among players who stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch

from byzanz.fast.layout import SEATS

from .device import Machine
from .env import LEARNER, SCRIPTED, SCRIPTS, SHARES
from .env_batch import Games
from .model import Net
from .opponents import Seating, one_against
from .rollout import choose
from .settings import Settings

Panel = dict[str, dict[int, float]]
"""The learner's share of the wins, by opponent and number of players."""

_UNASKED = 16
"""Ticks between one look and the next whether all games are over."""


def judged(
    machine: Machine, net: Net, others: Mapping[str, Net], scripts: Iterable[str],
    settings: Settings,
) -> Panel:  # fmt: skip
    """How the network fares alone against each of the other networks and each of the scripts.

    Everyone plays what they like best. The deals are always the same.
    """
    panel: Panel = {}
    counts = sorted(set(settings.players))
    for name in (*others, *scripts):
        nets = [net, others[name]] if name in others else [net]
        chance = np.random.default_rng(settings.panel_games)
        kind = SCRIPTS.get(name, 1)
        seating = one_against(kind, counts, settings.panel_games, chance)
        shares = results(machine, seating, nets)[:, SHARES : SHARES + SEATS]
        own = (seating.kinds == LEARNER) & (np.arange(SEATS) < seating.players[:, None])
        panel[name] = {
            count: float(shares[own & (seating.players == count)[:, None]].mean())
            for count in counts
        }
    return panel


@torch.no_grad()
def results(
    machine: Machine, seating: Seating, nets: Iterable[Net]
) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """How the games of a seating end, each played once, the networks by kind."""
    scripts = np.unique(seating.kinds[seating.kinds >= SCRIPTED]).tolist()
    games = Games(seating, scripts, machine)
    everywhere, room = slice(0, len(seating)), len(seating) if machine.steady else None
    with machine.halved():
        while not bool((games.results[:, 0] > 0).all()):
            for _ in range(_UNASKED):
                games.look()
                for kind, net in enumerate(nets):
                    choose(games, net.policy_scores, kind, 0.0, everywhere, room)
                games.play_on()
    return games.results.cpu().numpy()


def mean(shares: Mapping[int, float]) -> float:
    """The share over all numbers of players, each as heavy; 1 is what an equal player gets."""
    return sum(share * players for players, share in shares.items()) / len(shares)
