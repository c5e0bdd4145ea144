"""Who sits where: the learner beside itself, other networks and scripted players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from byzanz.fast.layout import SEATS, Words

from .env import IMITATOR, LEARNER, SCRIPTED, SCRIPTS
from .observation import aligned
from .settings import Settings

_LAST = 100
"""Most games have about so many decisions."""
_QUICKER = 0.5
"""Of a network's ticks, what scripts take: they bid all cards at once."""
_MORE = 1.15
"""How much room there is for what seats let expect."""


@dataclass(frozen=True)
class Seating:
    """Tables: how many sit there, whose chance deals, and of what kind each is."""

    players: Words
    seeds: npt.NDArray[np.uint64]
    kinds: Words
    """By game and seat: the learner 0, other networks from 1 on, then scripted kinds."""
    begin: Words
    """The decision of a game, from 1, with which they begin to play; chance has those before."""

    def __len__(self) -> int:
        return len(self.players)


def blocks(settings: Settings) -> dict[int, slice]:
    """The slots where each of the other networks plays; before them the learner sits alone."""
    if settings.alone == 1:
        return {}
    often = dict(settings.company)
    past = often.get("past", 0.0) / settings.past_at_once
    shares = dict.fromkeys(range(1, settings.past_at_once + 1), past)
    shares[IMITATOR] = often.get("imitator", 0.0)
    shares = {kind: share for kind, share in shares.items() if share}
    cuts = np.cumsum([0.0, *shares.values()]) / sum(shares.values())
    slots = np.rint(settings.games * (settings.alone + (1 - settings.alone) * cuts)).astype(int)
    return {
        kind: slice(first, last)
        for kind, (first, last) in zip(shares, pairwise(slots.tolist()), strict=True)
    }


def rooms(settings: Settings, seating: Seating) -> dict[int, int]:
    """In how many slots each network is asked at a time: a little more than will need it."""
    seats = np.arange(SEATS) < seating.players[:, None]
    weight = np.where(seating.kinds < SCRIPTED, seats, _QUICKER * seats)
    found = {}
    for kind, block in {LEARNER: slice(0, len(seating)), **blocks(settings)}.items():
        own = (seats & (seating.kinds == kind))[block].sum() / weight[block].sum()
        slots = block.stop - block.start
        found[kind] = min(slots, aligned(1 + int(_MORE * own * slots)))
    return found


def league(settings: Settings, chance: np.random.Generator) -> Seating:
    """Tables for learning: at some the learner sits alone, at the others in some of the seats."""
    count = settings.games
    players = chance.permutation(np.resize(np.array(settings.players, np.int64), count))
    guests = np.zeros((count, 1), np.int64)
    for kind, block in blocks(settings).items():
        guests[block] = kind
    often = np.array([share for _, share in settings.company])
    drawn = chance.choice(len(often), (count, SEATS), p=often / often.sum())
    alike = chance.random((count, 1)) < settings.alike
    drawn = np.where(alike, drawn[:, :1], drawn)
    kinds = np.zeros((count, SEATS), np.int64)
    for place, (name, _) in enumerate(settings.company):
        kinds = np.where(drawn == place, SCRIPTS.get(name, guests), kinds)
    most = 1 if settings.single else players - 1
    learners = np.where(alike[:, 0], 1, chance.integers(1, most + 1, count))
    # Seats in an order of chance; the first few of those that exist are the learner's.
    order = chance.random((count, SEATS)) + 2.0 * (np.arange(SEATS) >= players[:, None])
    rank = order.argsort(1).argsort(1)
    kinds[(rank < learners[:, None]) | (guests == 0)] = LEARNER
    astray = chance.random(count) < settings.astray
    begin = np.where(astray, chance.integers(2, _LAST + 1, count), 1)
    return Seating(players, _seeds(count, chance), kinds, begin)


def one_against(
    kind: int, players: Sequence[int], games: int, chance: np.random.Generator
) -> Seating:
    """Tables for measuring: the learner alone among so many of one kind, each deal in every seat.

    Who plays like the others has exactly an equal share.
    """
    each = -(-games // 60) * 60  # whole deals at 3, 4, 5 and 6 players
    counts = np.repeat(np.array(players, np.int64), each)
    seeds = [np.repeat(_seeds(each // count, chance), count) for count in players]
    kinds = np.full((len(counts), SEATS), kind, np.int64)
    kinds[np.arange(len(counts)), np.arange(len(counts)) % counts] = LEARNER
    return Seating(counts, np.concatenate(seeds), kinds, np.ones_like(counts))


def _seeds(count: int, chance: np.random.Generator) -> npt.NDArray[np.uint64]:
    return chance.integers(0, 1 << 64, count, dtype=np.uint64)
