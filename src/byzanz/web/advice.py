"""Advice for the hand limit and for selling: which sets a hand holds, which card it misses least.

This is what a person would say at a glance. The bots think for themselves.
"""

from __future__ import annotations

from byzanz.rules import Card, Cards, Kind, Sell, best_sales, kept, profit, sets_in

_ANOTHER = 1.5
"""What another card of the same kind in hand adds to a card's use."""


def best_of_each_good(hand: Cards) -> tuple[Sell, ...]:
    """The sets worth showing: those that earn most together, and the best of every other kind.

    Two sets that share a merchant are both there, for only the player knows which one to keep.
    """
    found = list(best_sales(hand))
    for kind in Kind:
        if all(_kind(sale) is not kind for sale in found):
            of_kind = [sale for sale in sets_in(hand) if _kind(sale) is kind]
            if of_kind:
                found.append(max(of_kind, key=_merit))
    return tuple(sorted(found, key=lambda sale: -_earned(sale)))


def least_missed(hand: Cards) -> Card | None:
    """The card to discard: in no set, low, and alone of its kind; None if all are in sets.

    A merchant is never the one.
    """
    bound = {card for sale in best_of_each_good(hand) for card in sale.cards}
    spare = [card for card in hand if card not in bound and card is not Card.M]
    if not spare:
        return None
    return min(dict.fromkeys(spare), key=lambda card: _use(card, hand))


def _use(card: Card, hand: Cards) -> float:
    others = sum(other.kind is card.kind for other in hand) - 1
    return card.worth + _ANOTHER * (others > 0)


def _kind(sale: Sell) -> Kind:
    """The good that the set shows; merchants alone are their own kind (R5.2, R5.3)."""
    return min([card.kind for card in sale.cards], key=lambda kind: kind is Kind.MERCHANT)


def _earned(sale: Sell) -> int:
    return profit([kept(sale.cards)])


def _merit(sale: Sell) -> tuple[int, int, int]:
    """A set earns much, spends few merchants, and little else."""
    return (
        _earned(sale),
        -sale.cards.count(Card.M),
        -sum(card.worth for card in sale.cards),
    )
