"""Sets of three (R5): the sets in a hand, what a set earns, and the best way to sell a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from .actions import Sell
from .cards import Card, Cards, Kind, worth
from .setup import MERCHANT_PROFIT

SET_SIZE = 3


def kept(cards: Cards) -> Card:
    """Return the card of a set that is kept as profit: the highest.

    Merchants count as 0 here, so a merchant is kept only from a set of three merchants (R5).
    """
    return max(cards, key=lambda card: card.worth)


def profit(kept_cards: Iterable[Card]) -> int:
    """Return the sum of the kept cards' values, counting 5 for each merchant (R7.2, R5.3)."""
    return sum([card.worth or MERCHANT_PROFIT for card in kept_cards])


def one_good(cards: Iterable[Card]) -> bool:
    """Return whether the cards, apart from merchants, show at most one good (R5.1, R5.2)."""
    return len({card.kind for card in cards} - {Kind.MERCHANT}) <= 1


@lru_cache(maxsize=1024)
def sets_in(hand: Cards) -> tuple[Sell, ...]:
    """Return a sale for each different set in the hand."""
    if len(hand) < SET_SIZE:
        return ()
    merchants = hand[len(hand) - hand.count(Card.M) :]
    found = dict.fromkeys(combinations(merchants, SET_SIZE))
    goods = hand[: len(hand) - len(merchants)]
    first = 0
    for end in range(1, len(goods) + 1):
        if end == len(goods) or goods[end].kind is not goods[first].kind:
            if end - first + len(merchants) >= SET_SIZE:
                found |= dict.fromkeys(combinations(goods[first:end] + merchants, SET_SIZE))
            first = end
    return tuple([Sell(cards) for cards in found])


@lru_cache(maxsize=1024)
def best_sales(hand: Cards, *, last: bool = False) -> tuple[Sell, ...]:
    """Return the sales that together earn the most; of equal choices, the one with the best rest.

    The rest is the hand after the sales. Before the final sale, the best rest has the most
    merchants, which complete later sets, and then the highest worth, which can be bid. In the
    final sale (``last``) it has the most goods cards, because they break ties (R7.2, I3). The sale
    that earns the most comes first.
    """
    if not sets_in(hand):
        return ()
    merchants = hand.count(Card.M)
    # The best plan for each number of merchants used with the goods considered so far.
    plans: dict[int, _Plan] = {0: _Plan((0, 0, 0), ())}
    for kind in {card.kind: None for card in hand if card is not Card.M}:
        cards = tuple([card for card in reversed(hand) if card.kind is kind])
        plans = _with_good(plans, cards, merchants, last)
    plans = {spent: _with_merchants(plans[spent], merchants - spent, last) for spent in plans}
    best = max(plans.values(), key=lambda plan: plan.merit)
    sales = [Sell(cards) for part in best.parts for cards in part.sets()]
    return tuple(sorted(sales, key=lambda sale: -profit([kept(sale.cards)])))


class _Part(NamedTuple):
    """Sets of one kind, each made of a high card and two others: low cards or merchants."""

    cards: Cards
    """All cards of the kind in hand, highest first."""
    number: int
    fillers: int
    merchants: int

    @property
    def rest(self) -> Cards:
        """The cards between the high and the low ones, which stay in hand."""
        return self.cards[self.number : len(self.cards) - self.fillers]

    def sets(self) -> Iterator[Cards]:
        """Yield the cards of each set."""
        lowest = self.cards[len(self.cards) - self.fillers :] + (Card.M,) * self.merchants
        for place, top in enumerate(self.cards[: self.number]):
            yield (top, *lowest[2 * place : 2 * place + 2])


class _Plan(NamedTuple):
    """Sets to sell, and their merit: the profit, then two measures of the cards left in hand."""

    merit: tuple[int, int, int]
    parts: tuple[_Part, ...]

    def plus(self, part: _Part, earned: int, rest: Cards, last: bool) -> _Plan:
        merchants = rest.count(Card.M)
        goods = len(rest) - merchants
        first, second = (goods, merchants) if last else (merchants, worth(rest))
        merit = self.merit
        merit = merit[0] + earned, merit[1] + first, merit[2] + second
        return _Plan(merit, (*self.parts, part))


def _with_good(
    plans: dict[int, _Plan], cards: Cards, merchants: int, last: bool
) -> dict[int, _Plan]:
    """Return the best plans after adding the sets of one more good."""
    better = dict[int, _Plan]()
    for spent, plan in plans.items():
        for jokers in range(merchants - spent + 1):
            for count in range((len(cards) + jokers) // SET_SIZE + 1):
                fillers = (SET_SIZE - 1) * count - jokers
                if 0 <= fillers <= len(cards) - count:
                    part = _Part(cards, count, fillers, jokers)
                    longer = plan.plus(part, profit(cards[:count]), part.rest, last)
                    if spent + jokers not in better or longer.merit > better[spent + jokers].merit:
                        better[spent + jokers] = longer
    return better


def _with_merchants(plan: _Plan, merchants: int, last: bool) -> _Plan:
    """Return the plan with as many sets of three merchants as are left in hand (R5.3)."""
    count = merchants // SET_SIZE
    cards = (Card.M,) * merchants
    part = _Part(cards, count, fillers=(SET_SIZE - 1) * count, merchants=0)
    return plan.plus(part, profit(cards[:count]), part.rest, last)
