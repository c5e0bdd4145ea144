"""Games of one bot against bots of another kind."""

from __future__ import annotations

from collections.abc import Callable

from byzanz.arena.game import play_match
from byzanz.bots import Bot
from byzanz.rules import Deal, branch, result

Maker = Callable[[int], Bot]
"""A function that makes a bot from a seed."""


def one_against_many(hero: Maker, other: Maker, players: int, deals: int) -> tuple[float, int]:
    """Play the hero in every seat of each deal; return its wins and the number of games."""
    won = 0.0
    for number in range(deals):
        for seat in range(players):
            makers = [hero if at == seat else other for at in range(players)]
            bots = [make(branch(number, at)) for at, make in enumerate(makers)]
            ended = result(play_match(Deal.from_seed(players, number), bots).state)
            won += (seat in ended.winners) / len(ended.winners)
    return won, deals * players
