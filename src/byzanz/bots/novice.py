"""A player who has just learnt the rules."""

from __future__ import annotations

from collections import Counter

from byzanz.rules import (
    Action,
    Bid,
    Card,
    Cards,
    Discard,
    Done,
    Give,
    Kind,
    Pass,
    Phase,
    Take,
    View,
    best_sales,
    worth,
)

from .bot import Bot

_SELLS_EARLY = 4
"""One time in so many it cannot wait and sells a set it should have kept."""
_CARELESS = 4
"""One time in so many it does not look closely."""


class NoviceBot(Bot):
    """Likes full hands and big lots, and learns nothing from what the others do.

    It sees which kinds it collects and counts merchants as good cards. A lot is worth to it what
    lies in it; a mood makes that more or less. So it bids for nearly everything, often with a
    higher card than needed, and never asks what it pays into the market or who will take that. It
    takes from the market where most lies. Now and then it sells a set as soon as it has one, or
    parts with a card that it would have needed.
    """

    def choose(self, view: View) -> Action:
        hand = view.hand
        sales = best_sales(hand, last=view.phase is Phase.FINAL_SALE)
        if sales and view.phase is Phase.AUCTION and self._one_in(_SELLS_EARLY):
            return sales[-1]
        match view.phase:
            case Phase.AUCTION:
                return self._bid_or_pass(view)
            case Phase.GIVE:
                return Give(self._dullest(hand, view.offer))
            case Phase.MARKET:
                return Take(self._most(hand, view.market))
            case Phase.LIMIT:
                return sales[0] if sales else Discard(self._dullest(hand, hand))
            case Phase.FINAL_SALE | Phase.OVER:
                return sales[0] if sales else Done()

    def _one_in(self, number: int) -> bool:
        return self.chance.below(number) == 0

    def _bid_or_pass(self, view: View) -> Action:
        """Bids while the price is below what the lot seems worth, and often more than needed."""
        hand = view.hand
        mood = self.chance.below(4)
        limit = sum(_liking(hand, card) for card in view.offer) // 2 + mood - 1
        standing = worth(view.players[view.options.seat].bid)
        bids = [cards for cards in view.options.bids if standing + worth(cards) <= limit]
        if not bids:
            return Pass()
        cheapest = worth(bids[0])
        near = [cards for cards in bids if worth(cards) <= cheapest + mood]
        return Bid(min(near, key=lambda cards: (sum(_liking(hand, card) for card in cards), cards)))

    def _dullest(self, hand: Cards, cards: Cards) -> Card:
        """The card it likes least, or any if it does not look closely."""
        if self._one_in(_CARELESS):
            return self.chance.choice(cards)
        return min(cards, key=lambda card: _liking(hand, card))

    def _most(self, hand: Cards, market: Cards) -> Kind:
        """The kind of which most lies there, or any if it does not look closely."""
        kinds = list(dict.fromkeys([card.kind for card in market]))
        if self._one_in(_CARELESS):
            return self.chance.choice(kinds)
        there = Counter(card.kind for card in market)
        mine = Counter(card.kind for card in hand)
        return max(kinds, key=lambda kind: (2 * there[kind] + min(mine[kind], 2), -kind))


def _liking(hand: Cards, card: Card) -> int:
    """How much a novice likes a card: its value, and something for kinds it holds already."""
    held = sum(other.kind is card.kind for other in hand)
    return (card.worth or 3) + min(held, 2)
