"""Reasons about what cards bring to the viewer and to others, and what it costs to lose them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from byzanz.rules import Card, Cards, Kind, View, kept, profit

from .hands import (
    earnings,
    is_wasteful,
    joined,
    names,
    new_set,
    of_kind,
    set_with,
    set_without_merchant,
)
from .pairs import started_pairs
from .reason import Reason, speaks_against, speaks_for

Chance = tuple[int, Cards, Cards]
"""A seat, cards that it has or can take, and further cards that it could add to them."""

WASTED = 0.4
"""The share of its profit that a set counts if it uses too many merchants."""


def brought(view: View, code: str, before: Cards, added: Cards) -> Iterator[Reason]:
    """Yield the reasons about what added cards bring; ``code`` is the reason for a whole set."""
    after = joined(before, added)
    gain = earnings(after) - earnings(before)
    found = new_set(before, added)
    if found:
        earned = profit([kept(found)])
        size = earned * (WASTED if is_wasteful(found) else 1)
        yield speaks_for(code, size, profit=earned, cards=names(found))
    elif gain and (better := set_with(after, added)):
        yield speaks_for("improves-sets", gain, gain=gain, cards=names(better))
    elif freed := set_without_merchant(before, added):
        yield speaks_for("frees-merchant", cards=names(freed))
    if view.round < view.setup.rounds:
        yield from started_pairs(view, before, added)
    merchants = added.count(Card.M)
    if merchants and not (found and Card.M in found):
        yield speaks_for("gets-merchants", merchants, count=merchants)


def broken_set(cards: Cards, given: Cards, loss: int) -> Iterator[Reason]:
    """Yield a reason about the most valuable set that loses a card; ``loss`` is the lost profit."""
    found = set_with(cards, given)
    if found:
        size = loss * (WASTED if is_wasteful(found) else 1)
        yield speaks_against("breaks-set", size, loss=loss, cards=names(found))


def brought_to_other(
    speaks: Callable[..., Reason], code: str, chances: Iterable[Chance]
) -> Iterator[Reason]:
    """Yield a reason about the most valuable set that one of these seats would gain."""
    found = []
    for other, before, added in chances:
        cards = new_set(before, added)
        if cards:
            found.append((profit([kept(cards)]), -other, cards))
    if found:
        earned, other, cards = max(found)
        yield speaks(code, earned, seat=-other, profit=earned, cards=names(cards))


def market_set(code: str, hand: Cards, market: Cards, kinds: Iterable[Kind]) -> Iterator[Reason]:
    """Yield a reason about the best set that the hand makes with the market's cards of a kind."""
    sets = [cards for kind in sorted(set(kinds)) if (cards := new_set(hand, of_kind(market, kind)))]
    if sets:
        cards = max(sets, key=lambda each: profit([kept(each)]))
        earned = profit([kept(cards)])
        yield speaks_for(code, earned, profit=earned, cards=names(cards))
