"""Reasons about pairs of one good, which are one card short of a set."""

from __future__ import annotations

from collections.abc import Iterator

from byzanz.rules import Card, Cards, Kind, View, worth

from .hands import joined, names, of_kind
from .reason import Reason, speaks_against, speaks_for


def started_pairs(view: View, before: Cards, added: Cards) -> Iterator[Reason]:
    """Yield a reason about the highest pair that added cards make, if the hand has no merchant."""
    after = joined(before, added)
    pairs = [
        pair
        for kind in Kind
        if len(pair := of_kind(after, kind)) == 2
        and Card.M not in after
        and len(of_kind(before, kind)) < 2
        and _unseen(view, kind)
    ]
    if pairs:
        pair = max(pairs, key=worth)
        unseen = _unseen(view, pair[0].kind)
        yield speaks_for("starts-pair", _value(pair, unseen), cards=names(pair), unseen=unseen)


def broken_pairs(view: View, hand: Cards, given: Cards) -> Iterator[Reason]:
    """Yield a reason about the highest pair of goods cards that loses a card."""
    pairs = [
        pair
        for kind in {card.kind for card in given}
        if len(pair := of_kind(hand, kind)) == 2 and Card.M not in pair and _unseen(view, kind)
    ]
    if pairs:
        pair = max(pairs, key=lambda cards: (worth(cards), cards))
        unseen = _unseen(view, pair[0].kind)
        yield speaks_against("breaks-pair", _value(pair, unseen), cards=names(pair), unseen=unseen)


def _unseen(view: View, kind: Kind) -> int:
    return len(of_kind(view.pool, kind))


def _value(pair: Cards, unseen: int) -> float:
    """Return the size of the reason.

    It is largest for a high pair if six or more cards of its good are unseen.
    """
    return (max(card.worth for card in pair) or 3) / 2 * min(unseen, 6) / 6
