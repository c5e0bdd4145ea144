"""One game between bots, refereed by the readable engine."""

from __future__ import annotations

from collections.abc import Sequence

from byzanz.bots import Bot, make_bot
from byzanz.bots.referee import play_on
from byzanz.rules import Deal, Game, branch


def play_match(deal: Deal, bots: Sequence[Bot]) -> Game:
    """Play a deal to its end with these bots, listed by seat, and return the game."""
    return play_on(Game.start(deal), dict(enumerate(bots)))


def seeded_match(players: int, seed: int, names: Sequence[str]) -> Game:
    """Play one game; the seed decides the deal and all randomness of the bots."""
    bots = [make_bot(name, branch(seed, seat)) for seat, name in enumerate(names)]
    try:
        return play_match(Deal.from_seed(players, seed), bots)
    finally:
        for bot in bots:
            bot.close()
