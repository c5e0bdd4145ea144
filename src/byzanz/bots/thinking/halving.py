"""Time shared out among candidates: all are tried, then the better half, until one is left."""

from __future__ import annotations

from math import ceil, log2
from time import perf_counter

import numpy as np

from byzanz.bots.budget import Budget
from byzanz.fast import WORDS
from byzanz.fast import words as w
from byzanz.fast.words import Words

from .character import habits, outlooks, values
from .search import MOST_CANDIDATES, explore, write_candidates

_BATCH = 32
"""Candidates are played about so often between two looks at the clock: a few milliseconds."""


def best_answer(root: Words, budget: Budget) -> int:
    """The answer that fares best for the seat on turn, as far as the budget lets one see."""
    start, done = perf_counter(), 0

    def spent() -> float:
        """The part of the budget used up."""
        if budget.iterations is not None:
            return done / budget.iterations
        return (perf_counter() - start) / (budget.seconds or 1)

    mind = values(), habits(int(root[w.PLAYERS]))
    found = np.zeros(MOST_CANDIDATES, dtype=np.int64)
    candidates = found[: write_candidates(root, *mind, found)].copy()
    totals = np.zeros(len(candidates))
    scratch = np.zeros((2, WORDS), dtype=np.int64)
    parts = ceil(log2(len(candidates)))
    for part in range(1, parts + 1):
        worlds = max(_BATCH // len(candidates), 1)
        while done == 0 or spent() < part / parts:
            explore(root, *mind, outlooks(), candidates, totals, scratch, worlds)
            done += worlds * len(candidates)
        better = np.argsort(-totals, kind="stable")[: (len(candidates) + 1) // 2]
        candidates, totals = candidates[better], totals[better]
    return int(candidates[0])
