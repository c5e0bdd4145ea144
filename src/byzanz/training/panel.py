"""How strong the learner is: alone among players who stay as they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from .advancing import SCRIPTS
from .league import one_against
from .net import Net
from .playing import Player
from .settings import Settings

Panel = dict[str, dict[int, float]]
"""The learner's share of the wins, by opponent and number of players."""


def judged(
    player: Player, net: Net, others: Mapping[str, Net], scripts: Iterable[str], settings: Settings
) -> Panel:
    """How the network fares alone against each of the other networks and each of the scripts.

    Everyone plays what they like best. The deals are always the same.
    """
    panel: Panel = {}
    for name in (*others, *scripts):
        nets = [net, others[name]] if name in others else [net]
        chance = np.random.default_rng(settings.panel_games)
        kind = SCRIPTS.get(name, 1)
        seating = one_against(kind, settings.players, settings.panel_games, chance)
        outcome, _ = player.play(seating, nets, [0.0] * len(nets))
        panel[name] = {count: outcome.learner_share(count) for count in settings.players}
    return panel


def mean(shares: Mapping[int, float]) -> float:
    """The share over all numbers of players, each as heavy; 1 is what an equal player gets."""
    return sum(share * players for players, share in shares.items()) / len(shares)
