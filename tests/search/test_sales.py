from __future__ import annotations

import numpy as np

from byzanz.fast.convert import packed
from byzanz.rules import ALL_CARDS, Card, Cards, Chance, Sell, best_sales, in_order, kept, profit
from byzanz.rules.cards import without
from byzanz.search.move_conversion import action_for
from byzanz.search.sales import best_sale
from byzanz.search.trader_parameters import hand_values


def test_the_compiled_final_sale_earns_as_much_as_the_exact_one() -> None:
    chance = Chance(3)
    for _ in range(300):
        deck = list(ALL_CARDS)
        chance.shuffle(deck)
        hand = in_order(deck[: 3 + chance.below(5)] + [Card.M] * chance.below(3))
        expected = profit(kept(sale.cards) for sale in best_sales(hand, last=True))
        assert compiled_profit(hand) == expected, hand


def compiled_profit(hand: Cards) -> int:
    """Return the profit if the compiled best sale is made again and again."""
    earned = 0
    zero = np.int64(0)
    while True:
        sale = best_sale(hand_values(), zero, zero, packed(hand), hand.count(Card.M))
        if sale < 0:
            return earned
        action = action_for(int(sale) & 1023)
        assert isinstance(action, Sell)
        hand = without(hand, action.cards)
        earned += profit([kept(action.cards)])
