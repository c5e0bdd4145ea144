"""A player who knows what things are worth."""

from __future__ import annotations

from functools import lru_cache

from byzanz.fast.convert import words_for
from byzanz.rules import Action, Chance, Deal, Phase, View, begin, view
from byzanz.search.answers import action_for
from byzanz.search.budget import Budget
from byzanz.search.trader_parameters import habits, values
from byzanz.search.trader_policy import answer

from .bot import Bot
from .final_sale import final_sale


class TraderBot(Bot):
    """Weighs what every choice leaves it with: its hand, and what it may hope for in the market.

    *A hand* is worth what its sets earn, less for pairs, little for single cards; a merchant
    completes whatever gains most by it. Towards the end only sets count. Cards above the hand limit
    are as good as lost.

    *A lot* is worth what the hand gains by it, less the cards laid and the one card given. Who wins
    a large lot takes late from the market, and everybody shares in what was paid. Who passes keeps
    their cards and takes early. So it bids only if winning gains clearly more than waiting, with
    the cards it misses least, and never more than needed. If nobody else seems to want a lot that
    it may bid for first, it passes first and hopes to get it for nothing.

    *In the market* it takes the kind that gains most, and looks at what the others would have
    gained by it; it gives the card that helps them least.

    It sells when it must, above the limit and at the end, and then the set whose sale leaves
    most. How much each of these counts was found by letting traders play each other.
    """

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        super().__init__(chance, budget)
        warm_up()  # so that no decision waits for the compiler

    def choose(self, view: View) -> Action:
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        return _answered(view)


def _answered(seen: View) -> Action:
    """What a trader does on turn, short of the final sale."""
    return action_for(answer(words_for(seen), values(), habits(len(seen.players))))


@lru_cache(maxsize=1)
def warm_up() -> None:
    """All that a trader thinks with is compiled, once a process."""
    _answered(view(begin(Deal.from_seed(players=3, seed=0)), 0))
