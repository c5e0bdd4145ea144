"""The bot ``random``."""

from __future__ import annotations

from byzanz.rules import Action, Bid, Sell, View

from .bot import StatelessBot


class RandomBot(StatelessBot):
    """A bot that plays a random legal action; all legal actions are equally likely.

    When asked for a sale out of turn, it sells a set with probability 1/8.
    """

    interrupts = True

    def choose(self, view: View) -> Action:
        options = view.options
        actions, bids = options.answers + options.sales, options.bids
        drawn = self.chance.below(len(actions) + len(bids))
        return actions[drawn] if drawn < len(actions) else Bid(bids[drawn - len(actions)])

    def sale(self, view: View) -> Sell | None:
        sales = view.options.sales
        return self.chance.choice(sales) if sales and not self.chance.below(8) else None
