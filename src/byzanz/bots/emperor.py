"""The bot ``emperor``: a network trained by self-play, with optional look-ahead."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from byzanz.network import SHIPPED, Network
from byzanz.rules import Action, Chance, Deal, Phase, View, begin, view
from byzanz.search.budget import Budget
from byzanz.search.network_evaluator import NetworkEvaluator
from byzanz.search.search import search

from .bot import StatelessBot
from .final_sale import final_sale


class EmperorBot(StatelessBot):
    """A bot that follows a neural network trained by self-play.

    *Without a budget*, it plays the network's most probable action for the features of its View. It
    builds a bid card by card, and samples no worlds.

    *With a budget* (``emperor@1s``), it searches: it tries the most probable actions in sampled
    worlds. In each world, all seats play as the network suggests until a new offer has been turned
    up and the emperor has a choice. There the network estimates the win probability.

    The final sale is optimal.
    """

    def __init__(
        self, chance: Chance, budget: Budget | None = None, weights: Path = SHIPPED
    ) -> None:
        """Create an emperor with the network in the file ``weights``."""
        super().__init__(chance, budget)
        self._network = Network.load(weights)
        self._searches = budget is not None
        warm_up(searching=self._searches)

    def choose(self, view: View) -> Action:
        if view.phase in (Phase.FINAL_SALE, Phase.OVER):
            return final_sale(view.hand)
        if self._searches:
            evaluator = NetworkEvaluator(self._network)
            return search(view, evaluator, self.budget, self.chance.word())[0].action
        return self._network.choose(view)


@lru_cache(maxsize=2)
def warm_up(*, searching: bool) -> None:
    """Compile the code of an emperor, once per process and for all networks."""
    first = view(begin(Deal.from_seed(players=3, seed=0)), 0)
    network = Network.load()
    network.choose(first)
    if searching:
        search(first, NetworkEvaluator(network), Budget(iterations=1), 0)
