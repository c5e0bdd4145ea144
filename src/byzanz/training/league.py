"""Who sits where: the learner beside itself, its past selves and scripted players."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from byzanz.fast.words import SEATS, Words

from .settings import Settings
from .slot import LEARNER, SCRIPTS

_LAST = 100
"""Most games have about so many decisions."""


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


def blocks(settings: Settings) -> list[slice]:
    """The slots where each of the past selves plays; before them the learner sits alone."""
    alone = round(settings.games * settings.alone)
    cuts = np.linspace(alone, settings.games, settings.past_at_once + 1).astype(int).tolist()
    return [slice(first, last) for first, last in pairwise(cuts)]


def league(settings: Settings, chance: np.random.Generator) -> Seating:
    """Tables for learning: at some the learner sits alone, at the others in some of the seats."""
    count = settings.games
    players = chance.permutation(np.resize(np.array(settings.players, np.int64), count))
    pasts = np.zeros((count, 1), np.int64)
    for past, block in enumerate(blocks(settings), start=1):
        pasts[block] = past
    often = np.array([share for _, share in settings.company])
    drawn = chance.choice(len(often), (count, SEATS), p=often / often.sum())
    alike = chance.random((count, 1)) < settings.alike
    drawn = np.where(alike, drawn[:, :1], drawn)
    kinds = np.zeros((count, SEATS), np.int64)
    for place, (name, _) in enumerate(settings.company):
        kinds = np.where(drawn == place, SCRIPTS.get(name, pasts), kinds)
    most = 1 if settings.alone == 0 else players - 1
    learners = np.where(alike[:, 0], 1, chance.integers(1, most + 1, count))
    # Seats in an order of chance; the first few of those that exist are the learner's.
    order = chance.random((count, SEATS)) + 2.0 * (np.arange(SEATS) >= players[:, None])
    rank = order.argsort(1).argsort(1)
    kinds[(rank < learners[:, None]) | (pasts == 0)] = LEARNER
    astray = chance.random(count) < settings.astray
    begin = np.where(astray, chance.integers(2, _LAST + 1, count), 1)
    return Seating(players, _seeds(count, chance), kinds, begin)


def one_against(
    kind: int, players: Sequence[int], games: int, chance: np.random.Generator
) -> Seating:
    """Tables for measuring: the learner alone among so many of one kind, in each seat alike."""
    each = -(-games // 60) * 60  # all seats of 3, 4, 5 and 6 players are taken equally often
    counts = np.repeat(np.array(players, np.int64), each)
    kinds = np.full((len(counts), SEATS), kind, np.int64)
    kinds[np.arange(len(counts)), np.arange(len(counts)) % counts] = LEARNER
    return Seating(counts, _seeds(len(counts), chance), kinds, np.ones_like(counts))


def _seeds(count: int, chance: np.random.Generator) -> npt.NDArray[np.uint64]:
    return chance.integers(0, 1 << 64, count, dtype=np.uint64)
