"""A player who looks ahead."""

from __future__ import annotations

from functools import lru_cache

from byzanz.fast.convert import words_for
from byzanz.rules import Action, Chance, Deal, Phase, View, begin, view
from byzanz.search.answers import action_for
from byzanz.search.budget import Budget
from byzanz.search.halving import best_answer

from .bot import Bot
from .final_sale import final_sale


class StrategistBot(Bot):
    """Tries what it might do in worlds that might be, and does what fared best.

    *Candidates.* To pass, and for each of the lowest totals the bid whose cards it would miss
    least; every card to give, every kind to take; every sale or discard that makes sense.

    *Worlds.* It deals the cards that it has not seen anew, all ways equally likely, and plays
    each candidate in the same worlds, so that none is only luckier than another. From there on
    everybody plays like a ``trader`` until the round is over; then profits and hands tell who is
    likely to win, as they did in thousands of traders' games.

    *Time.* All candidates are tried for a part of the time, then the better half of them and so on;
    what leads clearly is answered at once. Others are no mere traders, so that many worlds of that
    kind tell nothing new: after two fifths of the time, or a fifth of a second, the rest goes to
    the best three candidates, in worlds where at every answer until the round is over everybody
    looks ahead as well, a little.

    It never sells early, and the final sale is exact.
    """

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        super().__init__(chance, budget)
        warm_up()  # so that no decision's time is spent on compiling

    def choose(self, view: View) -> Action:
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        return action_for(best_answer(words_for(view, self.chance.word()), self.budget))


@lru_cache(maxsize=1)
def warm_up() -> None:
    """All that a strategist thinks with is compiled, once a process."""
    first = view(begin(Deal.from_seed(players=3, seed=0)), 0)
    best_answer(words_for(first), Budget(iterations=1))
