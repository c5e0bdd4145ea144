"""Suggestions for the hand: the sets to sell and the card to discard. Bots do not use them."""

from __future__ import annotations

from functools import lru_cache

from byzanz.rules import Card, Cards, Kind, Sell, best_sales, in_order, kept, profit, sets_in

_ANOTHER = 1.5
"""How much more useful a card is if the hand has another card of its kind."""

_CACHED = 4096
"""The cache size for hands: each is shown in many frames."""


@lru_cache(_CACHED)
def best_of_each_good(hand: Cards) -> tuple[Sell, ...]:
    """Return the sets that earn the most together, and the best set of every other kind.

    Two sets may share a merchant: the player decides which of them to sell.
    """
    found = list(best_sales(hand))
    for kind in Kind:
        if all(_kind(sale) is not kind for sale in found):
            of_kind = [sale for sale in sets_in(hand) if _kind(sale) is kind]
            if of_kind:
                found.append(max(of_kind, key=_merit))
    return tuple(sorted(found, key=lambda sale: -_earned(sale)))


def least_useful(hand: Cards) -> Card | None:
    """Return the card to discard: one that is in no set, low, and the only one of its kind.

    It is never a merchant. Return None if every other card belongs to a set.
    """
    bound = {card for sale in best_of_each_good(hand) for card in sale.cards}
    spare = [card for card in hand if card not in bound and card is not Card.M]
    if not spare:
        return None
    return min(dict.fromkeys(spare), key=lambda card: _use(card, hand))


@lru_cache(_CACHED)
def gains(hand: Cards, offer: Cards) -> tuple[tuple[str, int], ...]:
    """Return each kind in the offer that adds to the profit of the hand's sets, and how much.

    Each kind is given by its letter, with the profit that all its cards in the offer add. A good
    counts only if its cards make a set without merchants; otherwise one merchant would seem to
    complete many sets.
    """
    before = _earnings(hand)
    found = []
    for kind in dict.fromkeys([card.kind for card in offer]):
        own = [card for card in hand if card.kind is kind]
        new = [card for card in offer if card.kind is kind]
        gain = _earnings(in_order((*hand, *new))) - before
        alone = own and sets_in(in_order((*own, *new)))
        if gain > 0 and (alone or kind is Kind.MERCHANT):
            found.append((kind.letter, gain))
    return tuple(found)


def _use(card: Card, hand: Cards) -> float:
    others = sum(other.kind is card.kind for other in hand) - 1
    return card.worth + _ANOTHER * (others > 0)


def _kind(sale: Sell) -> Kind:
    """Return the good of the set; merchants alone are their own kind (R5.2, R5.3)."""
    return min([card.kind for card in sale.cards], key=lambda kind: kind is Kind.MERCHANT)


def _earned(sale: Sell) -> int:
    return profit([kept(sale.cards)])


def _earnings(hand: Cards) -> int:
    """Return the highest profit that the hand's sets can earn."""
    return sum([_earned(sale) for sale in best_sales(hand)])


def _merit(sale: Sell) -> tuple[int, int, int]:
    """Return a sort key for sets: more profit is better, then fewer merchants, then lower cards."""
    return (
        _earned(sale),
        -sale.cards.count(Card.M),
        -sum(card.worth for card in sale.cards),
    )
