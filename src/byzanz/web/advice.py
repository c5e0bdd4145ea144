"""Suggestions for the hand: the sets to sell and the card to discard. Bots do not use them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from byzanz.coach.reasons.hands import after_offer, is_wasteful, use
from byzanz.rules import (
    Card,
    Cards,
    Kind,
    Sell,
    best_sales,
    in_order,
    kept,
    profit,
    sets_in,
    worth,
)
from byzanz.rules.cards import without

_CACHED = 4096
"""The cache size for hands: each is shown in many frames."""


@lru_cache(_CACHED)
def best_of_each_good(hand: Cards, *, final: bool = False) -> tuple[Sell, ...]:
    """Return the sets that earn the most together, and the best set of every other kind.

    Two sets may share a merchant: the player decides which of them to sell. Sets that waste
    merchants are left out. In the final sale (``final``) nothing can be kept for later, so only the
    sets that earn the most together are returned.
    """
    if final:
        return tuple(sorted(best_sales(hand, last=True), key=lambda sale: -_earned(sale)))
    found, sets = list(_thrifty_sales(hand)), _thrifty_sets(hand)
    for kind in Kind:
        of_kind = [sale for sale in sets if _kind(sale) is kind]
        if of_kind and all(_kind(sale) is not kind for sale in found):
            found.append(max(of_kind, key=_merit))
    return tuple(sorted(found, key=lambda sale: -_earned(sale)))


def least_useful(hand: Cards) -> Card | None:
    """Return the card to discard: in no set, and preferably low and the only one of its kind.

    It is never a merchant. Returns None if every card except merchants belongs to a set.
    """
    bound = {card for sale in best_of_each_good(hand) for card in sale.cards}
    spare = [card for card in hand if card not in bound and card is not Card.M]
    return min(spare, key=lambda card: use(card, without(hand, (card,))), default=None)


@lru_cache(_CACHED)
def gains(hand: Cards, offer: Cards) -> tuple[tuple[str, int], ...]:
    """Return each kind in the offer that adds to the profit of the hand's sets, and how much.

    Each kind is given by its letter. It is assumed that the hand gets the offer and sells the sets
    that earn the most. If they need every card of the offer, one card goes to the market first
    (R3.8). The gain of a kind is what the sets with its new cards add. Sets of a good that add
    nothing alone are counted together. Sets that waste merchants do not count.
    """
    sales = _thrifty_sales(in_order((*hand, *offer)))
    sold = Counter(card for sale in sales for card in sale.cards)
    if offer and not Counter(offer) - (sold - Counter(hand)):
        sales = _thrifty_sales(in_order((*hand, *after_offer(hand, offer))))
    left, gained = Counter(hand), Counter[Kind]()
    added: dict[Kind, Counter[Card]] = {}
    for sale in sales:
        cards = Counter(sale.cards)
        added.setdefault(_kind(sale), Counter()).update(cards - left)
        left -= cards
    held = hand

    def adds(new: Counter[Card]) -> bool:
        """Return whether these cards earn more, and if so, count them as held."""
        nonlocal held
        after = in_order((*held, *new.elements()))
        gain = _earnings(after) - _earnings(held)
        if gain <= 0:
            return False
        held = after
        gained.update(dict.fromkeys({card.kind for card in new}, gain))
        return True

    others = [new for new in added.values() if not adds(new)]
    adds(sum(others, Counter[Card]()))
    return tuple((kind.letter, gained[kind]) for kind in Kind if gained[kind])


@lru_cache(_CACHED)
def market_gains(hand: Cards, market: Cards) -> tuple[tuple[str, int], ...]:
    """Return each kind in the market that adds to the profit of the hand's sets, and how much.

    Each kind is given by its letter. Sets that waste merchants do not count.
    """
    now = _earnings(hand)
    found = []
    for kind in Kind:
        taken = tuple(card for card in market if card.kind is kind)
        if taken and (gain := _earnings(in_order((*hand, *taken))) - now) > 0:
            found.append((kind.letter, gain))
    return tuple(found)


def _kind(sale: Sell) -> Kind:
    """Return the good of the set; merchants alone are their own kind (R5.2, R5.3)."""
    return min([card.kind for card in sale.cards], key=lambda kind: kind is Kind.MERCHANT)


def _earned(sale: Sell) -> int:
    return profit([kept(sale.cards)])


def _earnings(hand: Cards) -> int:
    """Return what the best sets of the hand earn, without those that waste merchants."""
    return sum([_earned(sale) for sale in _thrifty_sales(hand)])


def _thrifty_sets(hand: Cards) -> list[Sell]:
    """Return every set in the hand that does not waste merchants."""
    return [sale for sale in sets_in(hand) if not is_wasteful(sale.cards)]


@lru_cache(2 * _CACHED)
def _thrifty_sales(hand: Cards) -> tuple[Sell, ...]:
    """Return the sets that earn the most together, without those that waste merchants.

    Among equal choices, it prefers the one that leaves the most merchants, then the most worth.
    """

    def merit(sales: tuple[Sell, ...]) -> tuple[int, int, int]:
        sold = [card for sale in sales for card in sale.cards]
        return sum(map(_earned, sales)), -sold.count(Card.M), -worth(tuple(sold))

    plans = [(sale, *_thrifty_sales(without(hand, sale.cards))) for sale in _thrifty_sets(hand)]
    best = max(plans, key=merit, default=())
    return tuple(sorted(best, key=lambda sale: -_earned(sale)))


def _merit(sale: Sell) -> tuple[int, int, int]:
    """Return a sort key for sets: more profit is better, then fewer merchants, then lower cards."""
    return (
        _earned(sale),
        -sale.cards.count(Card.M),
        -sum(card.worth for card in sale.cards),
    )
