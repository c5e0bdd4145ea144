"""Reasons for and against bids and passes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from byzanz.coach.odds import can_bid, in_auction
from byzanz.rules import Bid, Card, Cards, View, kept, profit, worth
from byzanz.rules.cards import without

from .gaining import Chance, broken_set, brought, brought_to_other, market_set
from .hands import after_offer, earnings, joined, names, new_set, of_kind, set_with
from .limit import limit_reasons
from .money import LAST_AUCTIONED, bids_after_this_auction
from .pairs import broken_pairs
from .reason import Reason, speaks_against, speaks_for

DEAR = 2
"""A bid is dear if it is worth more than this for each point of profit that it brings."""
HIGH = 3
"""A card of this value or more is high."""
CLEARLY_LESS = Fraction(1, 10)
"""A higher bid is clearly safer if a rival's chance to beat it is lower by this much or more."""


def bid_reasons(view: View, seat: int, bid: Bid) -> Iterator[Reason]:
    """Yield the reasons for and against a bid."""
    kept_cards = without(view.hand, bid.cards)
    gained = after_offer(kept_cards, view.offer)
    yield from brought(view, "offer-set", kept_cards, gained)
    yield from _what_it_costs(view, seat, bid.cards, kept_cards, gained)
    yield from _what_is_paid_for(view, seat, bid.cards, joined(kept_cards, gained))
    yield from _who_can_beat_it(view, seat, bid.cards)
    yield from brought_to_other(
        speaks_against, "payment-helps-other", _market_chances(view, seat, bid.cards)
    )
    yield from limit_reasons(
        joined(kept_cards, without(view.offer, (card,))) for card in set(view.offer)
    )
    if len(view.stack) == len(view.players):
        yield speaks_against("takes-last", number=view.stack[-1])
    yield from brought_to_other(speaks_for, "offer-set-for-other", _offer_chances(view, seat))
    yield from _free_for_other(view, seat, passing=False)


def pass_reasons(view: View, seat: int) -> Iterator[Reason]:
    """Yield the reasons for and against a pass."""
    own = joined(view.hand, view.players[seat].bid)
    bids = list(_cheapest_bids(view, seat))
    yield from _what_is_missed(view, own, bids)
    yield from _price(view, own, bids)
    yield from brought_to_other(speaks_against, "offer-set-for-other", _offer_chances(view, seat))
    others = [other for other in _others(view, seat) if in_auction(view, other)]
    if not view.highest and view.turn == view.starter == seat and others:
        yield speaks_for("free-for-you", 0.5 * len(view.offer))
    yield from _free_for_other(view, seat, passing=True)
    if others and len(view.stack) == LAST_AUCTIONED:
        yield speaks_for("last-offer-free")
    if len(view.stack) > 1:
        kinds = [card.kind for card in view.market]
        yield from market_set("market-set-waiting", own, view.market, kinds)
    if worth(own) and bids_after_this_auction(view):
        auctions = len(view.stack) - LAST_AUCTIONED
        if auctions > 0:
            yield speaks_for("offers-to-come", worth=worth(own), count=auctions)
        else:
            yield speaks_for("keeps-bid-worth", worth=worth(own))


def _what_is_missed(view: View, own: Cards, bids: list[Cards]) -> Iterator[Reason]:
    """Yield the reasons that say what the offer would bring after it is paid for."""
    before = earnings(own)
    best, found = 0, None
    for cards in bids:
        rest = without(view.hand, cards)
        gained = after_offer(rest, view.offer)
        net = earnings(joined(rest, gained)) - before
        if net > best:
            best, found = net, _affordable_set(rest, gained, net)
    if found:
        earned = profit([kept(found)])
        yield speaks_against("offer-set-missed", earned, profit=earned, cards=names(found))
    elif best:
        yield speaks_against("offer-gain-missed", best, gain=best)
    elif earnings(joined(own, after_offer(own, view.offer))) == before:
        yield speaks_for("offer-no-set")
    elif bids:
        yield speaks_for("offer-not-worth-it")
    if bids and not best and all(earnings(without(view.hand, each)) < before for each in bids):
        yield speaks_for("every-bid-costs")


def _cheapest_bids(view: View, seat: int) -> Iterator[Cards]:
    """Yield the legal bids from which no card can be left out. All other bids only cost more."""
    short = view.highest - worth(view.players[seat].bid)
    for cards in view.options.bids:
        if worth(cards) - min(card.worth for card in cards) <= short:
            yield cards


def _price(view: View, own: Cards, bids: list[Cards]) -> Iterator[Reason]:
    """Yield a reason if there is no legal bid, or the lowest one takes over half of the worth."""
    least = worth(own) - worth(view.hand) + min(map(worth, bids), default=0)
    if not bids:
        yield speaks_for("cannot-bid", highest=view.highest, worth=worth(own))
    elif 2 * least > worth(own):
        yield speaks_for("bid-is-dear", least=least, worth=worth(own))


def _what_is_paid_for(view: View, seat: int, paid: Cards, after: Cards) -> Iterator[Reason]:
    """Yield a reason against the bid if the sets gain little or nothing for its price."""
    own = view.players[seat].bid
    total = worth(own + paid)
    gain = earnings(after) - earnings(joined(view.hand, own))
    if gain <= 0:
        yield speaks_against("bid-without-gain", total=total)
    elif total > DEAR * gain:
        yield speaks_against("bid-for-gain", total=total, gain=gain)


def _affordable_set(rest: Cards, gained: Cards, net: int) -> Cards | None:
    """Return the set that the player completes with the offer.

    Returns None if there is no such set, or if the ``net`` gain is less than its profit.
    """
    found = new_set(rest, gained)
    return found if found and profit([kept(found)]) <= net else None


def _what_it_costs(
    view: View, seat: int, paid: Cards, rest: Cards, gained: Cards
) -> Iterator[Reason]:
    hand = view.hand
    loss = earnings(hand) - earnings(rest)
    whole = joined(hand, after_offer(hand, view.offer))
    lost_with_offer = earnings(whole) - earnings(joined(rest, gained))
    if loss:
        yield from broken_set(hand, paid, loss)
        yield from _other_payment(view, seat, paid)
    elif lost_with_offer:
        found = set_with(whole, paid)
        if found and set(found) & set(view.offer):
            yield speaks_against(
                "breaks-set-with-offer", lost_with_offer, loss=lost_with_offer, cards=names(found)
            )
    elif view.round < view.setup.rounds:
        yield from broken_pairs(view, hand, paid)
        alone = all(len(of_kind(hand, card.kind)) == 1 for card in paid)
        if alone and hand.count(Card.M) < 2:
            yield speaks_for("spare-payment", count=len(paid))
    else:
        yield speaks_for("last-round")
    high = max(paid, key=lambda card: card.worth)
    if high.worth >= HIGH and view.round < view.setup.rounds:
        yield speaks_against("pays-high-card", high.worth, value=high.worth)


def _other_payment(view: View, seat: int, paid: Cards) -> Iterator[Reason]:
    """Yield a reason against the bid if other cards of the same worth leave all sets whole."""
    hand = view.hand
    for cards in view.options.bids:
        if worth(cards) == worth(paid) and earnings(without(hand, cards)) == earnings(hand):
            total = worth(view.players[seat].bid + cards)
            yield speaks_against("other-payment", total=total, cards=names(cards))
            return


def _who_can_beat_it(view: View, seat: int, paid: Cards) -> Iterator[Reason]:
    own = view.players[seat].bid
    total = worth(own + paid)
    rivals = [other for other in _others(view, seat) if in_auction(view, other)]
    chances = {other: can_bid(view, other, total + 1) for other in rivals}
    able = [other for other in rivals if chances[other]]
    least = worth(own + view.options.bids[0])
    lower = {other: can_bid(view, other, least + 1) for other in rivals}
    if least < total and not any(lower.values()):
        yield speaks_against("less-is-enough", least=least)
    if least == total:
        yield speaks_for("lowest-bid", total=total)
    elif rivals:
        yield speaks_for("raises-price", next=total + 1)
        other = max(rivals, key=lambda each: lower[each] - chances[each])
        if lower[other] - chances[other] >= CLEARLY_LESS:
            yield speaks_for(
                "less-likely-to-beat", seat=other, total=total, least=least,
                percent=_percent(chances[other]), more=_percent(lower[other]),
            )  # fmt: skip
    if not rivals:
        yield speaks_for("bid-wins")
    elif not able:
        yield speaks_for("nobody-can-beat", total=total)
    elif len(able) == 1 and chances[able[0]] < 1:
        percent = _percent(chances[able[0]])
        if percent < 50:
            yield speaks_for("only-one-can-beat", seat=able[0], total=total, percent=percent)
        else:
            yield speaks_against(
                "only-one-can-beat", 0.5, seat=able[0], total=total, percent=percent
            )
    elif len(rivals) == 1:
        yield speaks_against("surely-can-beat", seat=able[0], total=total)
    else:
        likely = max(able, key=lambda other: chances[other])
        if chances[likely] <= Fraction(1, 2):
            percent = _percent(chances[likely])
            yield speaks_for("most-likely-to-beat", seat=likely, total=total, percent=percent)


def _percent(chance: Fraction) -> int:
    """Return a probability in whole per cent; 0 and 100 stand for certainty only."""
    return (
        int(100 * chance)
        if chance in (0, 1)
        else min(max(int(100 * chance + Fraction(1, 2)), 1), 99)
    )


def _market_chances(view: View, seat: int, paid: Cards) -> Iterator[Chance]:
    """Yield what the cards of the bid could bring others in the market.

    Seats without an offer card take before the winner of this auction.
    """
    whole = joined(view.players[seat].bid, paid)
    for other in _others(view, seat):
        player = view.players[other]
        if player.offer_card is None:
            for kind in {card.kind for card in whole}:
                there = joined(player.known, player.bid, of_kind(view.market, kind))
                yield other, there, of_kind(whole, kind)


def _offer_chances(view: View, seat: int) -> Iterator[Chance]:
    """Yield each rival's chance of making a set from the offer and the rival's known cards."""
    for other in _others(view, seat):
        known = view.players[other].known
        gained = after_offer(known, view.offer)
        cards = new_set(known, gained) if in_auction(view, other) else None
        if cards and set(cards) & set(known):
            yield other, known, gained


def _free_for_other(view: View, seat: int, *, passing: bool) -> Iterator[Reason]:
    """Yield a reason if a pass would give another seat the offer for free (R3.10, I1)."""
    alone = not any(in_auction(view, other) for other in _others(view, seat))
    if alone and not view.highest and view.starter != seat:
        give = speaks_against if passing else speaks_for
        yield give("free-for-other", len(view.offer), seat=view.starter)


def _others(view: View, seat: int) -> Iterator[int]:
    """Yield the other seats, clockwise."""
    players = len(view.players)
    return iter([(seat + step) % players for step in range(1, players)])
