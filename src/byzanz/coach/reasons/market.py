"""Reasons for and against what is given to the market, and what is taken from it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from byzanz.rules import Card, Cards, Give, Kind, Take, View, kept, profit
from byzanz.rules.cards import without

from .hands import (
    after_offer,
    earnings,
    joined,
    names,
    new_set,
    of_kind,
    set_with,
    set_without_merchant,
)
from .limit import limit_reasons
from .pairs import broken_pairs, started_pairs
from .reason import Reason, speaks_against, speaks_for

Gain = tuple[int, int, Cards]
"""The profit of a set, the seat that could make it, and its cards."""


def give_reasons(view: View, seat: int, give: Give) -> Iterator[Reason]:
    """Yield the reasons for and against giving this card of the offer; none if it is forced."""
    if len(set(view.offer)) == 1:
        return
    hand, card = view.hand, give.card
    rest = without(view.offer, (card,))
    best, after = joined(hand, after_offer(hand, view.offer)), joined(hand, rest)
    loss = earnings(best) - earnings(after)
    if loss:
        found = set_with(best, (card,))
        if found:
            yield speaks_against("breaks-set", loss, loss=loss, cards=names(found))
    else:
        yield from _what_stays(view, rest, after)
        if card is not Card.M and not of_kind(after, card.kind):
            yield speaks_for("only-card")
        if view.round < view.setup.rounds:
            yield from broken_pairs(view, joined(hand, view.offer), (card,))
    if card is Card.M:
        yield speaks_against("merchant-given-up")
    yield from _after_giving(view, seat, card)


def _what_stays(view: View, rest: Cards, after: Cards) -> Iterator[Reason]:
    """Yield the set that the rest of the offer makes, if another card given would cost profit."""
    found = new_set(view.hand, rest)
    gifts = [joined(view.hand, without(view.offer, (card,))) for card in view.offer]
    if found and any(earnings(other) < earnings(after) for other in gifts):
        earned = profit([kept(found)])
        yield speaks_for("makes-set", earned, profit=earned, cards=names(found))


def _after_giving(view: View, seat: int, card: Card) -> Iterator[Reason]:
    """Yield who takes before you: those who have no offer card yet (R4.1)."""
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
    found = _gains((other, joined(view.players[other].known, there), (card,)) for other in earlier)
    if found:
        earned, other, cards = max(found)
        yield speaks_against(
            "market-helps-other", earned, seat=-other, profit=earned, cards=names(cards)
        )


def take_reasons(view: View, seat: int, take: Take) -> Iterator[Reason]:
    """Yield the reasons for and against taking this kind."""
    hand, taken = view.hand, of_kind(view.market, take.kind)
    kinds = {card.kind for card in view.market}
    gain = earnings(joined(hand, taken)) - earnings(hand)
    found = new_set(hand, taken)
    if found:
        earned = profit([kept(found)])
        yield speaks_for("makes-set", earned, profit=earned, cards=names(found))
    elif gain and (better := set_with(joined(hand, taken), taken)):
        yield speaks_for("improves-sets", gain, gain=gain, cards=names(better))
    elif freed := set_without_merchant(hand, taken):
        yield speaks_for("frees-merchant", cards=names(freed))
    if view.round < view.setup.rounds:
        yield from started_pairs(view, hand, taken)
    if take.kind is Kind.MERCHANT and not found:
        yield speaks_for("gets-merchants", len(taken), count=len(taken))
    yield from limit_reasons([joined(hand, taken)])
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
    later = [other for other in view.takers if other != seat]
    kept_from = _gains(
        (other, view.players[other].known, of_kind(view.market, taken)) for other in later
    )
    if kept_from:
        earned, other, cards_kept = max(kept_from)
        yield speaks_for(
            "market-kept-from-other", earned, seat=-other, profit=earned, cards=names(cards_kept)
        )
    left = _gains(
        (other, view.players[other].known, of_kind(view.market, kind))
        for other in later
        for kind in sorted(kinds - {taken})
    )
    if left:
        earned, other, cards_left = max(left)
        yield speaks_against(
            "market-left-to-other", earned, seat=-other, profit=earned, cards=names(cards_left)
        )


def _gains(chances: Iterable[tuple[int, Cards, Cards]]) -> list[Gain]:
    """Return the sets that seats with these known cards would gain with these other cards."""
    found = []
    for other, known, added in chances:
        cards = new_set(known, added)
        if cards:
            found.append((profit([kept(cards)]), -other, cards))
    return found
