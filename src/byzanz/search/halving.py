"""Time shared out among candidates: all are tried, then the better half; the last ones deeply."""

from __future__ import annotations

from math import ceil, log2, sqrt
from time import perf_counter

import numpy as np

from byzanz.fast import WORDS
from byzanz.fast import layout as w
from byzanz.fast.layout import Floats, Words

from .budget import Budget
from .playouts import MOST_CANDIDATES, explore, write_candidates
from .trader_parameters import habits, outlooks, values

_BATCH = 32
"""Candidates are played about so often between two looks at the clock: a few milliseconds."""
_MOST_PLAIN = Budget(seconds=0.2), Budget(iterations=8000)
"""The most that is spent on playing on like traders; more of it would tell nothing new."""
_LEAST_PLAIN = Budget(seconds=0.005), Budget(iterations=200)
"""The least: with fewer worlds of that kind nobody knows what to think about deeply."""
_USUALLY_PLAIN = 0.4
"""Between the two, the share of the budget that is spent on it."""
_FINALISTS = 3
"""The candidates that are thought about deeply."""
_TRUST = 0.5
"""How much the plain outlook counts beside the deep one: some at the table are but traders."""
_CLEAR, _SPREAD = 0.05, 0.5
"""A lead that settles it: so much of the chance to win, and more while few worlds tell it."""
_ENOUGH, _SURE, _SAME = 16, 4.0, 0.003
"""Deep worlds that may settle it, by a lead of so many standard errors or one too small to care."""


def best_answer(root: Words, budget: Budget) -> int:
    """The answer that fares best for the seat on turn, as far as the budget lets one see."""
    return _Thought(root, budget).best()


class _Thought:
    """One decision being thought about: the candidates left, the best first, and their means."""

    def __init__(self, root: Words, budget: Budget) -> None:
        self._root, self._budget = root, budget
        self._start, self._done = perf_counter(), 0
        self._mind = values(), habits(int(root[w.PLAYERS])), outlooks()
        self._room = np.zeros((5, WORDS), dtype=np.int64), np.zeros(MOST_CANDIDATES)
        found = np.zeros(MOST_CANDIDATES, dtype=np.int64)
        self._candidates = found[: write_candidates(root, *self._mind[:2], found)].copy()
        self._means = np.zeros(len(self._candidates))

    def best(self) -> int:
        """The answer, once the budget is spent or the answer is clear."""
        least, most = (max(map(self._part_of, limits)) for limits in (_LEAST_PLAIN, _MOST_PLAIN))
        plain = min(max(_USUALLY_PLAIN, least), most, 1.0)
        self._halve(plain, 1 if plain == 1 else _FINALISTS)
        if len(self._candidates) > 1:
            self._think_deeply()
        return int(self._candidates[0])

    def _part_of(self, limit: Budget) -> float:
        """How much of the budget a limit of the same kind is; nothing if of the other kind."""
        return self._budget.used(limit.seconds or 0, limit.iterations or 0)

    def _spent(self) -> float:
        """The part of the budget used up."""
        return self._budget.used(perf_counter() - self._start, self._done)

    def _explore(self, worlds: int, deep: bool) -> Floats:
        """How the candidates fare in so many worlds, added up."""
        totals = np.zeros(len(self._candidates))
        self._done += explore(
            self._root, *self._mind, self._candidates, totals, *self._room, worlds, deep
        )
        return totals

    def _keep(self, means: Floats, most: int, clear: float) -> None:
        """Only the best are left, and of them none that is clearly behind."""
        best = np.argsort(-means, kind="stable")[:most]
        best = best[means[best] >= means[best[0]] - clear]
        self._candidates, self._means = self._candidates[best], means[best]

    def _halve(self, share: float, least: int) -> None:
        """Spends a share of the budget until so few candidates are left."""
        parts = ceil(log2(len(self._candidates)))
        totals, worlds = np.zeros(len(self._candidates)), 0
        for part in range(1, parts + 1):
            count = len(self._candidates)
            batch = max(_BATCH // count, 1)
            while count > 1 and (self._done == 0 or self._spent() < share * part / parts):
                totals += self._explore(batch, deep=False)
                worlds += batch
            most = max((count + 1) // 2, least)
            self._keep(totals / worlds, most, _CLEAR + _SPREAD / sqrt(worlds))
            totals = self._means * worlds

    def _think_deeply(self) -> None:
        """Spends the rest of the budget on worlds in which everybody looks ahead."""
        worlds: list[Floats] = []
        while not worlds or self._spent() < 1:
            worlds.append(self._explore(1, deep=True) + _TRUST * self._means)
            if len(worlds) >= _ENOUGH and _settled(np.array(worlds)):
                break
        self._keep(np.mean(worlds, axis=0), 1, 0.0)


def _settled(worlds: Floats) -> bool:
    """Whether one candidate leads by more than chance, world by world, or by next to nothing."""
    best = int(worlds.mean(axis=0).argmax())
    leads = np.delete(worlds[:, [best]] - worlds, best, axis=1)
    means, errors = leads.mean(axis=0), leads.std(axis=0) / sqrt(len(leads))
    return bool(np.all((means > _SURE * errors) | (means + 2 * errors < _SAME)))
