"""The bot ``passive``: a baseline that never bids."""

from __future__ import annotations

from byzanz.rules import Action, Pass, View

from .greedy import GreedyBot


class PassiveBot(GreedyBot):
    """Passes in every auction, and otherwise plays like ``greedy``.

    It takes the best kind from the market, gives and discards what it needs least, and sells its
    best sets above the hand limit and in the final sale. A bot that bids well must beat it.
    """

    def _bid_or_pass(self, view: View) -> Action:  # noqa: ARG002
        return Pass()
