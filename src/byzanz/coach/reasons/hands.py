"""What hands earn: the quantities that the reasons state."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from byzanz.rules import Card, Cards, Kind, best_sales, in_order, kept, profit
from byzanz.rules.cards import missing, without

SET_SIZE = 3


@lru_cache(maxsize=8192)
def earnings(hand: Cards) -> int:
    """Return the most profit that the sets of a hand, in face order, can earn."""
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

    It has a face of the added cards. None if the added cards do not earn another whole set.
    """
    after = joined(before, added)
    gain = earnings(after) - earnings(before)
    sets = [sale.cards for sale in best_sales(after)] if gain else []
    found = [cards for cards in sets if profit([kept(cards)]) <= gain and set(cards) & set(added)]
    return max(found, key=lambda cards: _novelty(cards, before), default=None)


def _novelty(cards: Cards, before: Cards) -> tuple[int, int]:
    return profit([kept(cards)]), len(missing(before, cards))


def set_with(hand: Cards, some: Cards) -> Cards | None:
    """Return the most valuable of a hand's best sets that has one of these faces."""
    sets = [sale.cards for sale in best_sales(hand) if set(sale.cards) & set(some)]
    return max(sets, key=lambda cards: profit([kept(cards)]), default=None)


def set_without_merchant(before: Cards, added: Cards) -> Cards | None:
    """Return the set that makes a merchant superfluous: the sets earn as much with one fewer.

    It has a face of the added cards and no merchant. None if no merchant was needed before.
    """
    after = joined(before, added)
    if Card.M not in before or Card.M in added:
        return None
    spared, needed = without(after, (Card.M,)), without(before, (Card.M,))
    if earnings(spared) < earnings(before) or earnings(needed) == earnings(before):
        return None
    found = set_with(spared, added)
    return found if found and Card.M not in found and missing(before, found) else None


def best_give(hand: Cards, offer: Cards) -> Card:
    """Return the card of the offer to give: the hand then earns most, and stays most useful."""

    def merit(card: Card) -> tuple[int, int, int]:
        return (
            earnings(joined(hand, without(offer, (card,)))),
            -(card is Card.M),
            -card.worth - 2 * sum(other.kind is card.kind for other in hand),
        )

    return max(dict.fromkeys(offer), key=merit)


def after_offer(hand: Cards, offer: Cards) -> Cards:
    """Return the cards of the offer that the winner with this hand keeps (R3.8b, R3.8c)."""
    return without(offer, (best_give(hand, offer),))


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
