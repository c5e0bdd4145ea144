"""Suggestions for the hand: the sets to sell and the card to discard. Bots do not use them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from byzanz.coach.reasons.hands import after_offer
from byzanz.rules import Card, Cards, Kind, Sell, best_sales, in_order, kept, profit, sets_in

_ANOTHER = 1.5
"""How much more useful a card is if the hand has another card of its kind."""

_CACHED = 4096
"""The cache size for hands: each is shown in many frames."""


@lru_cache(_CACHED)
def best_of_each_good(hand: Cards, *, final: bool = False) -> tuple[Sell, ...]:
    """Return the sets that earn the most together, and the best set of every other kind.

    Two sets may share a merchant: the player decides which of them to sell. Sets that waste
    merchants are left out, except in the final sale (``final``).
    """
    found = list(best_sales(hand, last=final))
    for kind in Kind:
        if all(_kind(sale) is not kind or (not final and _is_wasteful(sale)) for sale in found):
            of_kind = [sale for sale in sets_in(hand) if _kind(sale) is kind]
            if of_kind:
                found.append(max(of_kind, key=_merit))
    if not final:
        found = [sale for sale in found if not _is_wasteful(sale)]
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

    Each kind is given by its letter. The hand gets the offer, less the card that goes to the
    market if every card is needed (R3.8), and sells the sets that earn the most; a kind gains what
    the sets with its new cards add. Sets that waste merchants do not count.
    """
    sales = best_sales(in_order((*hand, *offer)))
    sold = Counter(card for sale in sales for card in sale.cards)
    if offer and not Counter(offer) - (sold - Counter(hand)):
        sales = best_sales(in_order((*hand, *after_offer(hand, offer))))
    held, left, gained = hand, Counter(hand), Counter[Kind]()
    for sale in sales:
        new = Counter(sale.cards) - left
        left -= Counter(sale.cards)
        after = in_order((*held, *new.elements()))
        gain = _earnings(after) - _earnings(held)
        if gain > 0 and not _is_wasteful(sale):
            held = after
            for kind in {card.kind for card in new}:
                gained[kind] += gain
    return tuple((kind.letter, gained[kind]) for kind in Kind if gained[kind])


def _use(card: Card, hand: Cards) -> float:
    others = sum(other.kind is card.kind for other in hand) - 1
    return card.worth + _ANOTHER * (others > 0)


def _kind(sale: Sell) -> Kind:
    """Return the good of the set; merchants alone are their own kind (R5.2, R5.3)."""
    return min([card.kind for card in sale.cards], key=lambda kind: kind is Kind.MERCHANT)


def _earned(sale: Sell) -> int:
    return profit([kept(sale.cards)])


def _earnings(hand: Cards) -> int:
    """Return what the best sets of the hand earn, without those that waste merchants."""
    return sum([_earned(sale) for sale in best_sales(hand) if not _is_wasteful(sale)])


def _is_wasteful(sale: Sell) -> bool:
    """Return whether the set earns less than its merchants: three of them sell for 5 (R5.3)."""
    return 3 * _earned(sale) < 5 * sale.cards.count(Card.M)


def _merit(sale: Sell) -> tuple[int, int, int]:
    """Return a sort key for sets: more profit is better, then fewer merchants, then lower cards."""
    return (
        _earned(sale),
        -sale.cards.count(Card.M),
        -sum(card.worth for card in sale.cards),
    )
