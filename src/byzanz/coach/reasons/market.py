"""Reasons for and against what is given to the market, and what is taken from it."""

from __future__ import annotations

from collections.abc import Iterator

from byzanz.rules import Card, Cards, Give, Kind, Take, View, kept, profit
from byzanz.rules.cards import without

from .gaining import broken_set, brought, brought_to_other, market_set
from .hands import (
    after_offer,
    earnings,
    is_lowest_spare,
    joined,
    names,
    new_set,
    of_kind,
)
from .limit import limit_reasons
from .money import worth_most
from .pairs import broken_pairs, started_pairs
from .reason import Reason, speaks_against, speaks_for


def give_reasons(view: View, seat: int, give: Give) -> Iterator[Reason]:
    """Yield the reasons for and against giving this card of the offer; none if it is forced."""
    if len(set(view.offer)) == 1:
        return
    hand, card = view.hand, give.card
    rest = without(view.offer, (card,))
    best, after = joined(hand, after_offer(hand, view.offer)), joined(hand, rest)
    loss = earnings(best) - earnings(after)
    if loss:
        yield from broken_set(best, (card,), loss)
    else:
        yield from _what_stays(view, rest, after)
        if card is not Card.M and not of_kind(after, card.kind):
            yield speaks_for("only-card")
        if is_lowest_spare(card, view.offer, joined(hand, view.offer), earnings(best)):
            yield speaks_for("lowest-spare")
        if view.round < view.setup.rounds:
            yield from broken_pairs(view, joined(hand, view.offer), (card,))
    if card is Card.M:
        yield speaks_against("merchant-given-up")
    others = [joined(hand, without(view.offer, (other,))) for other in view.offer]
    yield from worth_most(view, after, others)
    if view.round < view.setup.rounds:
        yield from started_pairs(view, hand, rest)
    yield from market_set(
        "market-fits", after, joined(view.market, (card,)), [other.kind for other in rest]
    )
    yield from _after_giving(view, seat, card)


def _what_stays(view: View, rest: Cards, after: Cards) -> Iterator[Reason]:
    """Yield a reason for the set that the rest makes, if giving another card would cost profit."""
    found = new_set(view.hand, rest)
    gifts = [joined(view.hand, without(view.offer, (card,))) for card in view.offer]
    if found and any(earnings(other) < earnings(after) for other in gifts):
        earned = profit([kept(found)])
        yield speaks_for("makes-set", earned, profit=earned, cards=names(found))


def _after_giving(view: View, seat: int, card: Card) -> Iterator[Reason]:
    """Yield the reasons about seats without an offer card, which will take earlier (R4.1)."""
    earlier = [
        other
        for other, player in enumerate(view.players)
        if other != seat and player.offer_card is None
    ]
    if not earlier:
        cards = joined(of_kind(view.market, card.kind), (card,))
        yield speaks_for("takes-first", cards=names(cards))
        return
    there = of_kind(view.market, card.kind)
    chances = [(other, joined(view.players[other].known, there), (card,)) for other in earlier]
    yield from brought_to_other(speaks_against, "market-helps-other", chances)
    if all(earnings(joined(before, added)) == earnings(before) for _, before, added in chances):
        yield speaks_for("gift-helps-nobody")


def take_reasons(view: View, seat: int, take: Take) -> Iterator[Reason]:
    """Yield the reasons for and against taking this kind."""
    hand, taken = view.hand, of_kind(view.market, take.kind)
    kinds = {card.kind for card in view.market}
    yield from brought(view, "makes-set", hand, taken)
    yield from limit_reasons([joined(hand, taken)])
    if all(earnings(joined(hand, of_kind(view.market, kind))) == earnings(hand) for kind in kinds):
        yield speaks_for("market-no-set")
    if len(kinds) > 1:
        yield from _other_kinds(view, seat, take.kind, kinds)


def _other_kinds(view: View, seat: int, taken: Kind, kinds: set[Kind]) -> Iterator[Reason]:
    hand = view.hand

    def earned_with(kind: Kind) -> int:
        return earnings(joined(hand, of_kind(view.market, kind)))

    best = max(sorted(kinds), key=earned_with)
    more = earned_with(best) - earned_with(taken)
    if more:
        cards = names(of_kind(view.market, best))
        yield speaks_against("market-other-kind", more, gain=more, cards=cards)
    others = sorted(kinds - {taken})
    yield from worth_most(
        view,
        joined(hand, of_kind(view.market, taken)),
        [joined(hand, of_kind(view.market, kind)) for kind in others],
    )
    counts = [len(of_kind(view.market, kind)) for kind in others]
    count = len(of_kind(view.market, taken))
    if min(counts) < count >= max(counts):
        yield speaks_for("take-most-cards", count=count)
    high = max(view.market, key=lambda card: card.worth)
    if any(card.worth == high.worth for card in of_kind(view.market, taken)):
        yield speaks_for("take-highest", value=high.worth)
    later = [(other, view.players[other].known) for other in view.takers if other != seat]
    yield from brought_to_other(
        speaks_for,
        "market-kept-from-other",
        ((other, known, of_kind(view.market, taken)) for other, known in later),
    )
    yield from brought_to_other(
        speaks_against,
        "market-left-to-other",
        ((other, known, of_kind(view.market, kind)) for other, known in later for kind in others),
    )
