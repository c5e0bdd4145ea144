"""The player that learnt the game by itself."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from byzanz.network import SHIPPED, Network
from byzanz.rules import Action, Chance, Deal, Phase, View, begin, view
from byzanz.search.budget import Budget
from byzanz.search.network_search import best_action

from .bot import Bot
from .final_sale import final_sale


class EmperorBot(Bot):
    """Plays what a network finds best that learnt by playing itself; it can look ahead, too.

    *At once.* The network sees the features of the View, and the likeliest number is played; a bid
    is laid card by card. No cards are guessed.

    *With thought*, if it is given a budget of its own (``emperor@1s``): the likeliest answers are
    tried in worlds that may be, everybody plays on as the network would until the next auction, and
    there the network says how likely the seat is to win.

    The final sale is exact.
    """

    def __init__(
        self, chance: Chance, budget: Budget | None = None, weights: Path = SHIPPED
    ) -> None:
        """An emperor with the network in this file."""
        super().__init__(chance, budget)
        self._network = Network.load(weights)
        self._thinks = budget is not None
        warm_up(thinking=self._thinks)

    def choose(self, view: View) -> Action:
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        if self._thinks:
            return best_action(self._network, view, self.budget, self.chance.word())
        return self._network.choose(view)


@lru_cache(maxsize=2)
def warm_up(*, thinking: bool) -> None:
    """All that an emperor decides with is compiled, once a process, whatever its network."""
    first = view(begin(Deal.from_seed(players=3, seed=0)), 0)
    network = Network.load()
    network.choose(first)
    if thinking:
        best_action(network, first, Budget(iterations=1), 0)
