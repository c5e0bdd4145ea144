"""The bot ``greedy``, which maximises the value of its hand."""

from __future__ import annotations

from functools import lru_cache

from byzanz.rules import (
    HAND_LIMIT,
    Action,
    Bid,
    Card,
    Cards,
    Discard,
    Give,
    Kind,
    Pass,
    Phase,
    Take,
    View,
    best_sales,
    in_order,
    kept,
    profit,
    worth,
)
from byzanz.rules.cards import without

from .bot import StatelessBot
from .final_sale import final_sale

_MAX_BIDS = 8
"""Number of bids considered, cheapest first; higher bids would win the same lot."""


class GreedyBot(StatelessBot):
    """A bot that chooses the action after which its hand has the highest value.

    The value of a hand is the profit of its sets, plus something for merchants, pairs and card
    values. The bot considers only the lowest bids, and bids only if winning makes its hand more
    valuable. It sells only above the hand limit and in the final sale.
    """

    def choose(self, view: View) -> Action:
        hand = view.hand
        match view.phase:
            case Phase.AUCTION:
                return self._bid_or_pass(view)
            case Phase.GIVE:
                return Give(_card_to_give(hand, view.offer))
            case Phase.MARKET:
                return Take(_kind_to_take(hand, view.market))
            case Phase.LIMIT:
                return self._settle(hand)
            case Phase.FINAL_SALE | Phase.OVER:
                return final_sale(hand)

    def _bid_or_pass(self, view: View) -> Action:
        best, gain = None, 0.0
        passing = hand_value(in_order(view.hand + view.players[view.options.seat].bid))
        lot = without(view.offer, (_card_to_give(view.hand, view.offer),))
        for cards in view.options.bids[:_MAX_BIDS]:
            change = hand_value(_limited(without(view.hand, cards) + lot)) - passing
            if change > gain:
                best, gain = cards, change
        return Pass() if best is None else Bid(best)

    def _settle(self, hand: Cards) -> Action:
        sales = best_sales(hand)
        return sales[0] if sales else Discard(least_useful(hand))


@lru_cache(maxsize=4096)
def hand_value(hand: Cards) -> float:
    """Return the value of a hand: the profit of its best sales, plus something for other cards."""
    sales = best_sales(hand)
    rest = hand
    for sale in sales:
        rest = without(rest, sale.cards)
    value = float(sum(profit([kept(sale.cards)]) for sale in sales))
    for kind in Kind:
        cards = [card for card in rest if card.kind is kind]
        if kind is Kind.MERCHANT:
            value += 1.2 * len(cards)
        elif len(cards) > 1:
            value += 0.5 * max(card.worth for card in cards)
    return value + 0.15 * worth(rest)


def _card_to_give(hand: Cards, offer: Cards) -> Card:
    """Return the card of the offer that leaves the most valuable hand."""
    return max(
        dict.fromkeys(offer), key=lambda card: hand_value(in_order(hand + without(offer, (card,))))
    )


def _kind_to_take(hand: Cards, market: Cards) -> Kind:
    """Return the kind of the market that gives the most valuable hand."""
    kinds = dict.fromkeys([card.kind for card in market])
    return max(
        kinds,
        key=lambda kind: hand_value(
            _limited(hand + tuple(card for card in market if card.kind is kind))
        ),
    )


def least_useful(hand: Cards) -> Card:
    """Return the card whose loss reduces the value of the hand least."""
    return max(dict.fromkeys(hand), key=lambda card: hand_value(without(hand, (card,))))


def _limited(cards: Cards) -> Cards:
    """Return the cards in face order, without those above the hand limit after all sales."""
    hand = in_order(cards)
    sold = best_sales(hand)
    while len(hand) > HAND_LIMIT + sum(len(sale.cards) for sale in sold):
        hand = without(hand, (least_useful(hand),))
    return hand
