"""The end of a game for bots that know what their hand is worth."""

from __future__ import annotations

from byzanz.rules import Cards, Done, Sell, best_sales


def final_sale(hand: Cards) -> Sell | Done:
    """The next set of those that earn most, until none is left."""
    sales = best_sales(hand, last=True)
    return sales[0] if sales else Done()
