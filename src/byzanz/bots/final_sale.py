"""The optimal final sale."""

from __future__ import annotations

from byzanz.rules import Cards, Done, Sell, best_sales


def final_sale(hand: Cards) -> Sell | Done:
    """Return the next sale of an optimal final sale, or Done if no set is left."""
    sales = best_sales(hand, last=True)
    return sales[0] if sales else Done()
