"""The difficulty of a puzzle, which follows from how often each level solves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from byzanz.bots import LEVELS, make_bot
from byzanz.rules import Action, View, branch

from .puzzle import Fares

TRIES = 20
"""How often each level tries a puzzle."""
_ENOUGH = 0.5
"""A level counts as able to solve a puzzle if at least this share of its tries is right."""
_WEAK_LEVELS = 5
_EASY_PRIOR, _EASY_SHARE = 0.97, 0.75

Choices = tuple[Counter[Action], ...]
"""How often each level from 1 to 9 chose each action."""


def level_choices(view: View, seed: int) -> Choices:
    """Return what the levels from 1 to 9 choose in a position, in 20 tries each."""
    found = []
    for number, name in enumerate(LEVELS[:9]):
        bot = make_bot(name, branch(seed, number))
        found.append(Counter(bot.choose(view) for _ in range(TRIES)))
        bot.close()
    return tuple(found)


def fares_of(choices: Choices, answer: Action) -> Fares:
    """Return how often each level chose the answer."""
    return tuple(chosen[answer] / TRIES for chosen in choices)


def difficulty_of(fares: Sequence[float]) -> int:
    """Return the lowest level that, like all higher ones, is right in at least half of its tries.

    Level 10, which looks ahead, counts as right. Low levels pass a lot and so are often right by
    chance. That is why all higher levels must be right, too.
    """
    level = len(fares) + 1
    while level > 1 and fares[level - 2] >= _ENOUGH:
        level -= 1
    return level


def is_trivial(fares: Sequence[float], prior: float) -> bool:
    """Return whether the network and even a weak level hardly ever get a puzzle wrong."""
    return prior > _EASY_PRIOR and min(fares[:_WEAK_LEVELS]) >= _EASY_SHARE
