"""Suggestions for the hand: the sets to sell and the card to discard. Bots do not use them."""

from __future__ import annotations

from byzanz.rules import Card, Cards, Kind, Sell, best_sales, in_order, kept, profit, sets_in

_ANOTHER = 1.5
"""What another card of the same kind in the hand adds to a card's use."""


def best_of_each_good(hand: Cards) -> tuple[Sell, ...]:
    """Return the sets that earn most together, and the best set of every other kind.

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
    """Return the card to discard: one in no set, low, and alone of its kind.

    It is never a merchant. None if every other card belongs to a set.
    """
    bound = {card for sale in best_of_each_good(hand) for card in sale.cards}
    spare = [card for card in hand if card not in bound and card is not Card.M]
    if not spare:
        return None
    return min(dict.fromkeys(spare), key=lambda card: _use(card, hand))


def completed_sets(hand: Cards, offer: Cards) -> tuple[tuple[str, int], ...]:
    """Return the letter of each kind in the offer that completes a set, and the best set's profit.

    Goods count if the hand has some of them but no set yet. Merchants in the hand do not help, or
    else one merchant would seem to complete many sets at once.
    """
    there = {_kind(sale) for sale in sets_in(hand)}
    goods = tuple(card for card in hand if card is not Card.M)
    found = []
    for kind in dict.fromkeys([card.kind for card in offer]):
        if kind is Kind.MERCHANT:
            sets = sets_in((*goods, Card.M)) + sets_in((Card.M,) * (hand.count(Card.M) + 1))
        else:
            own = tuple(card for card in goods if card.kind is kind)
            new = tuple(card for card in offer if card.kind is kind)
            sets = sets_in(in_order(own + new)) if own else ()
        gained = [_earned(sale) for sale in sets if _kind(sale) not in there]
        if gained:
            found.append((kind.letter, max(gained)))
    return tuple(found)


def _use(card: Card, hand: Cards) -> float:
    others = sum(other.kind is card.kind for other in hand) - 1
    return card.worth + _ANOTHER * (others > 0)


def _kind(sale: Sell) -> Kind:
    """Return the good of the set; merchants alone are their own kind (R5.2, R5.3)."""
    return min([card.kind for card in sale.cards], key=lambda kind: kind is Kind.MERCHANT)


def _earned(sale: Sell) -> int:
    return profit([kept(sale.cards)])


def _merit(sale: Sell) -> tuple[int, int, int]:
    """Return what makes a set better: more profit, fewer merchants, lower cards."""
    return (
        _earned(sale),
        -sale.cards.count(Card.M),
        -sum(card.worth for card in sale.cards),
    )
