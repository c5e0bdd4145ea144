"""Reasons for and against sales and discards, and for ending the final sale."""

from __future__ import annotations

from collections.abc import Iterator

from byzanz.rules import (
    HAND_LIMIT,
    Card,
    Cards,
    Discard,
    Kind,
    Phase,
    Sell,
    View,
    best_sales,
    kept,
    profit,
    worth,
)
from byzanz.rules.cards import without

from .gaining import broken_set
from .hands import earnings, is_lowest_spare, names, of_kind
from .money import bids_again, worth_most
from .pairs import broken_pairs
from .reason import Reason, speaks_against, speaks_for

HIGHEST = 4
"""The highest value of a goods card."""


def sell_reasons(view: View, seat: int, sale: Sell) -> Iterator[Reason]:
    """Yield the reasons for and against selling this set now."""
    hand, rest = view.hand, without(view.hand, sale.cards)
    earned = profit([kept(sale.cards)])
    loss = earnings(hand) - earned - earnings(rest)
    forced = view.phase is Phase.LIMIT and view.turn == seat
    final = view.phase is Phase.FINAL_SALE
    if loss:
        better = best_sales(hand)[0].cards
        yield speaks_against("sale-earns-less", loss, loss=loss, cards=names(better))
    else:
        if not final:
            yield from _fewer_merchants(view, sale)
        if forced and bids_again(view, seat):
            yield from _other_order(view, sale)
            equal = [without(hand, other) for other in _equal_sales(view)]
            yield from worth_most(view, rest, equal, "sale-worth-most")
        if forced or final:
            yield speaks_for("sale-best", profit=earnings(hand))
    if forced and any(
        other.cards.count(Card.M) < sale.cards.count(Card.M) for other in view.options.sales
    ):
        yield from _merchants_used(view, sale)
    if forced and len(rest) <= HAND_LIMIT < len(hand):
        yield speaks_for("sale-frees-hand", held=len(rest))
    if not final and not loss and worth((kept(sale.cards),)) == HIGHEST:
        yield speaks_for("sale-top")
    if not forced and not final:
        yield from _what_waiting_keeps(view, seat, sale)


def _fewer_merchants(view: View, sale: Sell) -> Iterator[Reason]:
    """Yield a reason against the sale if a set with fewer merchants is as good."""
    earned, used = profit([kept(sale.cards)]), sale.cards.count(Card.M)
    others = [
        cards
        for cards in _equal_sales(view)
        if cards.count(Card.M) < used and profit([kept(cards)]) == earned
    ]
    if others:
        best = min(others, key=lambda cards: (cards.count(Card.M), worth(cards)))
        yield speaks_against("sale-fewer-merchants", cards=names(best))


def _equal_sales(view: View) -> Iterator[Cards]:
    """Yield the sets that can be sold first without lowering what the hand earns in all."""
    hand = view.hand
    for sale in view.options.sales:
        if profit([kept(sale.cards)]) + earnings(without(hand, sale.cards)) == earnings(hand):
            yield sale.cards


def _other_order(view: View, sale: Sell) -> Iterator[Reason]:
    """Yield a reason against the sale if another set should be sold first.

    That set leaves more in the hand for bids. It earns as much in all, or keeps the same card.
    """
    merchants = sale.cards.count(Card.M)
    others = [cards for cards in _equal_sales(view) if cards.count(Card.M) <= merchants]
    cheapest = min(others, key=worth, default=sale.cards)
    if worth(cheapest) < worth(sale.cards):
        yield speaks_against("sale-order", cards=names(cheapest))
        return
    equal = [other.cards for other in view.options.sales if kept(other.cards) is kept(sale.cards)]
    cheapest = min(equal, key=worth)
    if worth(cheapest) < worth(sale.cards):
        yield speaks_against("sale-cheaper", cards=names(cheapest))


def _what_waiting_keeps(view: View, seat: int, sale: Sell) -> Iterator[Reason]:
    """Yield the reasons against selling before it is necessary."""
    cards, top = sale.cards, kept(sale.cards)
    if bids_again(view, seat) and worth(cards):
        yield speaks_against("sale-bid-worth", worth(cards), worth=worth(cards))
    yield from _merchants_used(view, sale)
    if top.kind is not Kind.MERCHANT and view.round < view.setup.rounds:
        higher = [card for card in of_kind(view.pool, top.kind) if card.worth > top.worth]
        if higher and top.worth <= 2:
            yield speaks_against("sale-higher-unseen", 3 - top.worth, unseen=len(higher))


def _merchants_used(view: View, sale: Sell) -> Iterator[Reason]:
    """Yield a reason against the sale if a set of goods uses merchants before the last round."""
    merchants = sale.cards.count(Card.M)
    if 0 < merchants < len(sale.cards) and view.round < view.setup.rounds:
        yield speaks_against("sale-merchants", merchants, count=merchants)


def discard_reasons(view: View, discard: Discard) -> Iterator[Reason]:
    """Yield the reasons for and against this discard."""
    hand, card = view.hand, discard.card
    loss = earnings(hand) - earnings(without(hand, (card,)))
    sales = best_sales(hand)
    if loss:
        yield from broken_set(hand, (card,), loss)
    if sales:
        earned = profit([kept(sales[0].cards)])
        yield speaks_against("sell-instead", earned, profit=earned, cards=names(sales[0].cards))
    if card is Card.M:
        yield speaks_against("merchant-given-up")
    elif not loss:
        if is_lowest_spare(card, hand, hand, earnings(hand)):
            yield speaks_for("lowest-spare")
        if len(of_kind(hand, card.kind)) == 1:
            yield speaks_for("only-card")
        elif view.round < view.setup.rounds:
            yield from broken_pairs(view, hand, (card,))


def done_reasons(view: View) -> Iterator[Reason]:
    """Yield a reason if a set is left unsold."""
    sales = best_sales(view.hand, last=True)
    if sales:
        earned = profit([kept(sales[0].cards)])
        yield speaks_against("set-unsold", earned, profit=earned, cards=names(sales[0].cards))
