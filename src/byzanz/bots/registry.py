"""Bots by name."""

from __future__ import annotations

from collections.abc import Iterable

from byzanz.rules import Chance

from .bot import Bot
from .greedy import GreedyBot
from .random_bot import RandomBot

BOTS: dict[str, type[Bot]] = {"random": RandomBot, "greedy": GreedyBot}
"""The bots that can be asked for by name, weakest first."""


class UnknownBot(LookupError):
    """There is no bot of this name."""

    def __init__(self, name: str, known: Iterable[str] = ()) -> None:
        super().__init__(f"there is no bot '{name}'; there are {', '.join(known or BOTS)}")


def check_bot(name: str) -> None:
    """Raises UnknownBot if there is no bot of this name."""
    if name not in BOTS:
        raise UnknownBot(name)


def make_bot(name: str, seed: int) -> Bot:
    """A new bot of this name, whose chance the seed decides; raises UnknownBot."""
    check_bot(name)
    return BOTS[name](Chance(seed))
