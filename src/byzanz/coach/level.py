"""A person's level, estimated from the results of their games against the ten levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import exp, log

from byzanz.bots import LEVELS

_STEP_SHARES = (0.378, 0.322, 0.321, 0.330, 0.314, 0.323, 0.315, 0.330, 0.362)
"""One player's win share against three of the level below, from level 2 on; see docs/levels.md."""
_STRENGTHS = (0.0, *accumulate([log(3 * share / (1 - share)) for share in _STEP_SHARES]))
"""The strength of each level. Win probabilities are proportional to its exponential."""

_FIRST_GUESS, _DOUBT = 1.0, 1.6
"""Mean and standard deviation of the level of somebody who has not played yet."""
_GRID = [tenth / 10 for tenth in range(-40, 121)]
"""The levels that the estimate weighs. Some people are weaker than level 1 or stronger than 10."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one game for a person."""

    opponents: tuple[str, ...]
    """The names of the bots in the other seats."""
    share: float
    """1 for a win, the person's part of a shared win, or 0."""


def estimate_level(outcomes: Sequence[Outcome]) -> float:
    """Return the expected level of a person with these outcomes, by Bayes' rule.

    Only games in which every opponent is one of the ten levels count.
    """
    counted = Counter(
        each for each in outcomes if each.opponents and set(each.opponents) <= set(LEVELS)
    )
    logs = [
        _log_prior(level) + sum(times * _fit(level, each) for each, times in counted.items())
        for level in _GRID
    ]
    weights = [exp(each - max(logs)) for each in logs]
    return sum(level * weight for level, weight in zip(_GRID, weights, strict=True)) / sum(weights)


def suggest_level(outcomes: Sequence[Outcome]) -> str:
    """Return the name of the level to play next; a newcomer plays level 1."""
    if not outcomes:
        return LEVELS[0]
    return LEVELS[min(max(round(estimate_level(outcomes)), 1), len(LEVELS)) - 1]


def mixed_table(level: str, seats: int) -> tuple[str, ...]:
    """Return bots for this many seats: the level itself, the one below, the one above, repeated.

    Level 1 gets the bots of level 2, and level 10 those of level 9.
    """
    place = min(max(LEVELS.index(level), 1), len(LEVELS) - 2)
    near = (place, place - 1, place + 1)
    return tuple([LEVELS[near[seat % 3]] for seat in range(seats)])


def _log_prior(level: float) -> float:
    return -(((level - _FIRST_GUESS) / _DOUBT) ** 2) / 2


def _fit(level: float, outcome: Outcome) -> float:
    """Return the logarithm of the probability of an outcome at this level."""
    mine = exp(_strength(level))
    others = sum(exp(_STRENGTHS[LEVELS.index(name)]) for name in outcome.opponents)
    winning = mine / (mine + others)
    return outcome.share * log(winning) + (1 - outcome.share) * log(1 - winning)


def _strength(level: float) -> float:
    """Return the strength at a level, which need not be whole, by linear interpolation."""
    below = min(max(int(level), 1), len(LEVELS) - 1)
    lower, upper = _STRENGTHS[below - 1], _STRENGTHS[below]
    return lower + (level - below) * (upper - lower)
