"""Seatings: which policies play a game, for training and for evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from byzanz.fast.layout import SEATS, Ints

from .env import IMITATOR, LEARNER, SCRIPTED, SCRIPTS
from .observation_layout import aligned
from .settings import Settings

_LATEST_FIRST = 100
"""The maximum of :attr:`Seating.first`; most games have about that many decisions."""
_SCRIPT_STEPS = 0.5
"""The steps of a script relative to those of a network: a script bids all cards in one step."""
_MARGIN = 1.15
"""The capacity of a network relative to its expected number of decisions."""


@dataclass(frozen=True)
class Seating:
    """A batch of games to be played: player counts, seeds and policies."""

    players: Ints
    seeds: npt.NDArray[np.uint64]
    policies: Ints
    """By game and seat, a policy id: 0 is the learner, then other networks, then scripts."""
    first: Ints
    """By game, the number of the first decision that is not random, counted from 1."""

    def __len__(self) -> int:
        return len(self.players)


def blocks(settings: Settings) -> dict[int, slice]:
    """Return the envs of each network opponent; the envs before them are for self-play only."""
    if settings.self_play_fraction == 1:
        return {}
    weights = dict(settings.opponents)
    snapshot = weights.get("past", 0.0) / settings.num_snapshots
    shares = dict.fromkeys(range(1, settings.num_snapshots + 1), snapshot)
    shares[IMITATOR] = weights.get("imitator", 0.0)
    shares = {policy: share for policy, share in shares.items() if share}
    cuts = np.cumsum([0.0, *shares.values()]) / sum(shares.values())
    alone = settings.self_play_fraction
    bounds = np.rint(settings.num_envs * (alone + (1 - alone) * cuts)).astype(int)
    return {
        policy: slice(first, last)
        for policy, (first, last) in zip(shares, pairwise(bounds.tolist()), strict=True)
    }


def capacities(settings: Settings, seating: Seating) -> dict[int, int]:
    """Return the fixed batch size of each network: a little more than it is expected to need."""
    seats = np.arange(SEATS) < seating.players[:, None]
    weight = np.where(seating.policies < SCRIPTED, seats, _SCRIPT_STEPS * seats)
    found = {}
    for policy, block in {LEARNER: slice(0, len(seating)), **blocks(settings)}.items():
        own = (seats & (seating.policies == policy))[block].sum() / weight[block].sum()
        envs = block.stop - block.start
        found[policy] = min(envs, aligned(1 + int(_MARGIN * own * envs)))
    return found


def training_seating(settings: Settings, rng: np.random.Generator) -> Seating:
    """Draw a seating for training: self-play in some envs, opponents in the others."""
    count = settings.num_envs
    players = rng.permutation(np.resize(np.array(settings.players, np.int64), count))
    networks = np.zeros((count, 1), np.int64)
    for policy, block in blocks(settings).items():
        networks[block] = policy
    weights = np.array([weight for _, weight in settings.opponents])
    drawn = rng.choice(len(weights), (count, SEATS), p=weights / weights.sum())
    single_kind = rng.random((count, 1)) < settings.single_kind_fraction
    drawn = np.where(single_kind, drawn[:, :1], drawn)
    policies = np.zeros((count, SEATS), np.int64)
    for place, (name, _) in enumerate(settings.opponents):
        policies = np.where(drawn == place, SCRIPTS.get(name, networks), policies)
    most = 1 if settings.single_seat else players - 1
    learners = np.where(single_kind[:, 0], 1, rng.integers(1, most + 1, count))
    # The learner gets the first few of the existing seats in a random order.
    order = rng.random((count, SEATS)) + 2.0 * (np.arange(SEATS) >= players[:, None])
    rank = order.argsort(1).argsort(1)
    policies[(rank < learners[:, None]) | (networks == 0)] = LEARNER
    random_start = rng.random(count) < settings.random_start_fraction
    first = np.where(random_start, rng.integers(2, _LATEST_FIRST + 1, count), 1)
    return Seating(players, _seeds(count, rng), policies, first)


def evaluation_seating(
    policy: int, players: Sequence[int], games: int, rng: np.random.Generator
) -> Seating:
    """Return a seating for evaluation: one learner among opponents of one policy.

    Each deal is played once with the learner in each seat, so a learner that plays like the others
    wins exactly an equal share.
    """
    each = -(-games // 60) * 60  # a multiple of 3, 4, 5 and 6
    counts = np.repeat(np.array(players, np.int64), each)
    seeds = [np.repeat(_seeds(each // count, rng), count) for count in players]
    policies = np.full((len(counts), SEATS), policy, np.int64)
    policies[np.arange(len(counts)), np.arange(len(counts)) % counts] = LEARNER
    return Seating(counts, np.concatenate(seeds), policies, np.ones_like(counts))


def _seeds(count: int, rng: np.random.Generator) -> npt.NDArray[np.uint64]:
    return rng.integers(0, 1 << 64, count, dtype=np.uint64)
