"""The bot ``trader``: a heuristic valuation of hands, lots and the market."""

from __future__ import annotations

from functools import lru_cache

from byzanz.fast.convert import record_of
from byzanz.rules import Action, Chance, Deal, Phase, View, begin, view
from byzanz.search.budget import Budget
from byzanz.search.move_conversion import action_for
from byzanz.search.trader_parameters import hand_values, parameters
from byzanz.search.trader_policy import trader_move

from .bot import StatelessBot
from .final_sale import final_sale


class TraderBot(StatelessBot):
    """A bot that compares its options by the hands and the market that they lead to.

    *Hands.* The value of a hand is the profit of its sets, plus some value for pairs and a little
    for single cards. Merchants complete the sets that gain most. Towards the end of the game, cards
    outside sets count less. Cards above the hand limit count as lost.

    *Lots.* The value of a lot is what the hand gains by it, less the cards bid and the card given.
    The winner of a large lot takes late from the market, where the other seats take the cards that
    it paid. A seat that passes keeps its cards and takes early. So the trader bids only if winning
    gains clearly more than passing. It bids the cards that cost its hand least, and no card that is
    not needed. If it starts an auction and all others seem likely to pass, it passes too, to get
    the lot for free.

    *The market.* The trader takes the kind that gains most; part of what a later seat would gain
    from that kind counts as its own gain. It gives the card that leaves it the best hand and
    market; part of what another seat gains counts as its own loss.

    It sells only above the hand limit and in the final sale, and chooses the set whose profit and
    remaining hand are worth most. The parameters were tuned by self-play.
    """

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        super().__init__(chance, budget)
        warm_up()

    def choose(self, view: View) -> Action:
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        return _choose(view)


def _choose(seen: View) -> Action:
    """Return the trader's action before the final sale."""
    return action_for(trader_move(record_of(seen), hand_values(), parameters(len(seen.players))))


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Compile the policy once per process, so that no decision waits for it."""
    _choose(view(begin(Deal.from_seed(players=3, seed=0)), 0))
