"""What hands earn, and other quantities that the reasons need."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from byzanz.rules import Card, Cards, Kind, best_sales, in_order, kept, profit
from byzanz.rules.cards import missing, without

SET_SIZE = 3
_ANOTHER = 1.5
"""How much more useful a card is if the hand has another card of its kind."""
_MERCHANT = 4.0
"""The use of a merchant; it is that of a 4 without another card of its kind."""


@lru_cache(maxsize=8192)
def earnings(hand: Cards) -> int:
    """Return the most profit that the sets of a hand can earn. The hand is in face order."""
    return sum([profit([kept(sale.cards)]) for sale in best_sales(hand)])


def joined(*parts: Iterable[Card]) -> Cards:
    """Return all these cards in face order."""
    return in_order([card for part in parts for card in part])


def of_kind(cards: Cards, kind: Kind) -> Cards:
    """Return the cards of one kind."""
    return tuple([card for card in cards if card.kind is kind])


def names(cards: Cards) -> tuple[str, ...]:
    """Return the faces of the cards as text, in face order."""
    return tuple([card.name for card in in_order(cards)])


def new_set(before: Cards, added: Cards) -> Cards | None:
    """Return the best set that a hand gains with these cards, on top of what it earned before.

    The set has a face of the added cards. Returns None if they do not earn another whole set.
    """
    after = joined(before, added)
    gain = earnings(after) - earnings(before)
    sets = [sale.cards for sale in best_sales(after)] if gain else []
    found = [cards for cards in sets if profit([kept(cards)]) <= gain and set(cards) & set(added)]
    return max(found, key=lambda cards: _novelty(cards, before), default=None)


def _novelty(cards: Cards, before: Cards) -> tuple[int, int]:
    return profit([kept(cards)]), len(missing(before, cards))


def set_with(hand: Cards, some: Cards) -> Cards | None:
    """Return the most valuable one of a hand's best sets that have one of these faces."""
    sets = [sale.cards for sale in best_sales(hand) if set(sale.cards) & set(some)]
    return max(sets, key=lambda cards: profit([kept(cards)]), default=None)


def set_without_merchant(before: Cards, added: Cards) -> Cards | None:
    """Return the set that frees a merchant: with one fewer, the hand earns as much as before.

    The set has a face of the added cards and no merchant. Returns None if there is no such set, or
    if no merchant was needed before.
    """
    after = joined(before, added)
    if Card.M not in before or Card.M in added:
        return None
    spared, needed = without(after, (Card.M,)), without(before, (Card.M,))
    if earnings(spared) < earnings(before) or earnings(needed) == earnings(before):
        return None
    found = set_with(spared, added)
    return found if found and Card.M not in found and missing(before, found) else None


def is_wasteful(cards: Cards) -> bool:
    """Return whether, before the end of the game, a set earns too little for its merchants.

    Such sets have two merchants, or one merchant and a profit of 1. Three merchants sell for 5
    (R5.3).
    """
    merchants = cards.count(Card.M)
    return merchants == 2 or (merchants == 1 and profit([kept(cards)]) == 1)


def use(card: Card, others: Cards) -> float:
    """Return how useful a card outside the sets is, given the other cards of the hand."""
    if card is Card.M:
        return _MERCHANT
    return card.worth + _ANOTHER * any(other.kind is card.kind for other in others)


def best_give(hand: Cards, offer: Cards) -> Card:
    """Return the least useful card of the offer among those whose loss leaves the best hand."""

    def merit(card: Card) -> tuple[int, float]:
        return earnings(joined(hand, without(offer, (card,)))), -use(card, hand)

    return max(dict.fromkeys(offer), key=merit)


def after_offer(hand: Cards, offer: Cards) -> Cards:
    """Return the cards of the offer that the winner with this hand keeps (R3.8b, R3.8c)."""
    return without(offer, (best_give(hand, offer),))


def is_lowest_spare(card: Card, choices: Cards, cards: Cards, most: int) -> bool:
    """Return whether a card is the lowest goods card that can be spared.

    One of the choices can be spared if the cards earn ``most`` without it.
    """
    spare = [
        other
        for other in choices
        if other is not Card.M and earnings(without(cards, (other,))) == most
    ]
    return card in spare and card.worth == min(other.worth for other in spare)


def most_sets(hand: Cards) -> int:
    """Return the greatest number of sets that a hand can sell.

    Merchants fill goods with the fewest missing cards first; the rest make sets of their own.
    """
    merchants = hand.count(Card.M)
    counts = [len(of_kind(hand, kind)) for kind in Kind if kind is not Kind.MERCHANT]
    sets = sum(count // SET_SIZE for count in counts)
    for left in sorted([count % SET_SIZE for count in counts], reverse=True):
        if left and merchants >= SET_SIZE - left:
            merchants -= SET_SIZE - left
            sets += 1
    return sets + merchants // SET_SIZE
