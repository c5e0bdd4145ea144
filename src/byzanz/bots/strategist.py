"""The bot ``strategist``: look-ahead by playouts."""

from __future__ import annotations

from functools import lru_cache

from byzanz.rules import Action, Chance, Deal, Phase, View, begin, view
from byzanz.search.budget import Budget
from byzanz.search.playout_evaluator import PlayoutEvaluator
from byzanz.search.search import search

from .bot import StatelessBot
from .final_sale import final_sale


class StrategistBot(StatelessBot):
    """A bot that tries its options in sampled worlds and plays the one with the best results.

    *Candidates.* In an auction, the candidates are a pass and, for each of the lowest totals, the
    bid that costs the hand least. In the other phases, they are every card to give, every kind to
    take, or every sensible sale and discard.

    *Worlds.* A world is a random deal of the cards that the seat has not seen. All candidates are
    tried in the same worlds. After the candidate, all seats play by the policy of ``trader`` until
    the round ends. Then a model fitted to traders' games estimates the win probability.

    *Budget.* Sequential halving divides the budget among the candidates and stops early if the
    choice is clear. Opponents are often better than traders, so more worlds of this kind soon give
    no new information. So after 40 % of the budget, but no more than 0.2 seconds, the three best
    candidates are tried in worlds in which all seats choose by a small search of their own.

    The bot never sells early, and its final sale is optimal.
    """

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        super().__init__(chance, budget)
        warm_up()

    def choose(self, view: View) -> Action:
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        return search(view, PlayoutEvaluator(), self.budget, self.chance.word())[0].action


@lru_cache(maxsize=1)
def warm_up() -> None:
    """Compile the search once per process, so that no decision spends its budget on it."""
    first = view(begin(Deal.from_seed(players=3, seed=0)), 0)
    search(first, PlayoutEvaluator(), Budget(iterations=1), 0)
