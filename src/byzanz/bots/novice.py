"""The bot ``novice``, which plays like a beginner."""

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

from .bot import StatelessBot

_EARLY_SALES = 4
"""In an auction, the bot sells a set too early in one of this many decisions."""
_MISTAKES = 4
"""The bot chooses a card or a kind at random in one of this many choices."""


class NoviceBot(StatelessBot):
    """A bot that plays like somebody who has just learnt the rules, and ignores the other players.

    It prefers high cards, merchants and the kinds that it already holds. It adds up how much it
    prefers each card of a lot, and bids up to half of that, with a random error. So it bids for
    nearly everything, often more than needed, and does not consider who will take the cards that it
    pays. From the market it takes the kind with the most cards; the cards that it holds of a kind
    count a little, too. Sometimes it sells a set too early or gives away a card that it needs.
    """

    def choose(self, view: View) -> Action:
        hand = view.hand
        sales = best_sales(hand, last=view.phase is Phase.FINAL_SALE)
        if sales and view.phase is Phase.AUCTION and self._one_in(_EARLY_SALES):
            return sales[-1]
        match view.phase:
            case Phase.AUCTION:
                return self._bid_or_pass(view)
            case Phase.GIVE:
                return Give(self._least_preferred(hand, view.offer))
            case Phase.MARKET:
                return Take(self._fullest_kind(hand, view.market))
            case Phase.LIMIT:
                return sales[0] if sales else Discard(self._least_preferred(hand, hand))
            case Phase.FINAL_SALE | Phase.OVER:
                return sales[0] if sales else Done()

    def _one_in(self, number: int) -> bool:
        return self.chance.below(number) == 0

    def _bid_or_pass(self, view: View) -> Action:
        """Bid at most a limit that depends on the lot, often more than needed, or pass."""
        hand = view.hand
        noise = self.chance.below(4)
        limit = sum(_preference(hand, card) for card in view.offer) // 2 + noise - 1
        standing = worth(view.players[view.options.seat].bid)
        bids = [cards for cards in view.options.bids if standing + worth(cards) <= limit]
        if not bids:
            return Pass()
        cheapest = worth(bids[0])
        near = [cards for cards in bids if worth(cards) <= cheapest + noise]
        return Bid(
            min(near, key=lambda cards: (sum(_preference(hand, card) for card in cards), cards))
        )

    def _least_preferred(self, hand: Cards, cards: Cards) -> Card:
        """Return the card with the lowest preference, or a random card by mistake."""
        if self._one_in(_MISTAKES):
            return self.chance.choice(cards)
        return min(cards, key=lambda card: _preference(hand, card))

    def _fullest_kind(self, hand: Cards, market: Cards) -> Kind:
        """Return the kind with the most cards, or a random kind by mistake.

        A card in the market counts twice as much as one in hand; only two cards in hand count.
        """
        kinds = list(dict.fromkeys([card.kind for card in market]))
        if self._one_in(_MISTAKES):
            return self.chance.choice(kinds)
        there = Counter(card.kind for card in market)
        mine = Counter(card.kind for card in hand)
        return max(kinds, key=lambda kind: (2 * there[kind] + min(mine[kind], 2), -kind))


def _preference(hand: Cards, card: Card) -> int:
    """Return the preference for a card: its value plus a bonus for held cards of its kind."""
    held = sum(other.kind is card.kind for other in hand)
    return (card.worth or 3) + min(held, 2)
