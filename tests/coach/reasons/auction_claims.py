"""What the sentences about bids and passes claim."""

from __future__ import annotations

from fractions import Fraction

from byzanz.rules import (
    Bid,
    Card,
    Discard,
    Give,
    Pass,
    Phase,
    apply,
    options,
    view,
    worth,
)

from .brute_force import (
    all_pass,
    any_world,
    comes_to_bid,
    is_set,
    minus,
    most,
    plus,
    within,
    won_with,
)
from .case import Case, Claim


def offer_set(case: Case) -> bool:
    rest = minus(case.hand, case.paid)
    return any(
        hand == plus(rest, added) and case.gains(rest, added, case.said["profit"])
        for hand, added in case.hands_after_winning()
    )


def offer_set_missed(case: Case) -> bool:
    own = plus(case.hand, case.me.bid)
    for bid in case.bids():
        rest = minus(case.hand, bid.cards)
        for card in set(case.view.offer):
            added = minus(case.view.offer, [card])
            enough = most(plus(rest, added)) - most(own) >= case.said["profit"]
            if enough and case.gains(rest, added, case.said["profit"]):
                return True
    return False


def offer_gain_missed(case: Case) -> bool:
    best = max(
        most(plus(minus(case.hand, bid.cards), minus(case.view.offer, [card])))
        for bid in case.bids()
        for card in set(case.view.offer)
    )
    return case.said["gain"] == best - most(plus(case.hand, case.me.bid)) > 0


def offer_no_set(case: Case) -> bool:
    own = plus(case.hand, case.me.bid)
    offer = case.view.offer
    return all(most(plus(own, minus(offer, [card]))) == most(own) for card in offer)


def offer_set_for_other(case: Case) -> bool:
    assert case.other is not None
    known, offer = plus(case.other.known), case.view.offer
    return (
        case.said["seat"] in case.rivals
        and bool(set(case.cards) & set(known))
        and any(case.gains(known, minus(offer, [card]), case.said["profit"]) for card in offer)
    )


def takes_last(case: Case) -> bool:
    numbers = [player.offer_card for player in case.view.players]
    mine: int = case.said["number"]
    # Nobody has an offer card yet, and all others will get lower ones.
    return mine == case.view.stack[-1] == max(case.view.stack) and not any(numbers)


def breaks_set_with_offer(case: Case) -> bool:
    offer, rest = case.view.offer, minus(case.hand, case.paid)
    whole = [plus(case.hand, minus(offer, [card])) for card in set(offer)]
    best = max(map(most, whole))
    after = max(most(plus(rest, minus(offer, [card]))) for card in set(offer))
    return (
        is_set(case.cards)
        and any(within(case.cards, hand) for hand in whole)
        and bool(set(case.cards) & set(case.paid))
        and bool(set(case.cards) & set(offer))
        and case.said["loss"] == best - after > 0
    )


def every_bid_costs(case: Case) -> bool:
    own = most(plus(case.hand, case.me.bid))
    bids = list(case.bids())
    return bool(bids) and all(most(minus(case.hand, bid.cards)) < own for bid in bids)


def offer_not_worth_it(case: Case) -> bool:
    own, offer = plus(case.hand, case.me.bid), case.view.offer
    bids = list(case.bids())
    return (
        bool(bids)
        and any(most(plus(own, minus(offer, [card]))) > most(own) for card in offer)
        and all(
            most(plus(minus(case.hand, bid.cards), minus(offer, [card]))) <= most(own)
            for bid in bids
            for card in set(offer)
        )
    )


def _gain_of_bid(case: Case) -> int:
    """What the sets earn more after winning with the bid and giving the best card."""
    after = max(most(hand) for hand, _ in case.hands_after_winning())
    return after - most(plus(case.hand, case.me.bid))


def bid_for_gain(case: Case) -> bool:
    return case.said["total"] == case.total and case.said["gain"] == _gain_of_bid(case) > 0


def bid_without_gain(case: Case) -> bool:
    return case.said["total"] == case.total and _gain_of_bid(case) <= 0


def cannot_bid(case: Case) -> bool:
    own = plus(case.hand, case.me.bid)
    highest = max(worth(player.bid) for player in case.view.players)
    return (
        not list(case.bids())
        and case.said["worth"] == worth(own) <= highest
        and case.said["highest"] == highest
    )


def lowest_bid(case: Case) -> bool:
    return case.said["total"] == case.total == case.least_total()


def raises_price(case: Case) -> bool:
    after = apply(any_world(case.view), case.seat, case.action)
    turn = after.turn
    assert turn is not None
    bids = [worth(after.players[turn].bid + cards) for cards in options(after, turn).bids]
    highest = max(worth(player.bid) for player in after.players)
    return case.said["next"] == highest + 1 and all(bid >= case.said["next"] for bid in bids)


def less_likely_to_beat(case: Case) -> bool:
    least: int = case.said["least"]
    lower = case.chance(case.said["seat"], least)
    here = case.chance(case.said["seat"], case.total)
    return (
        case.said["seat"] in case.rivals
        and least == case.least_total()
        and case.said["total"] == case.total
        and _is_percent(case.said["percent"], here)
        and _is_percent(case.said["more"], lower)
        and here < lower
    )


def _is_percent(percent: int, chance: Fraction) -> bool:
    """Whether a number of per cent is near the chance, and 0 or 100 only if it is certain."""
    if percent in (0, 100):
        return percent == 100 * chance
    extreme = (percent == 1 and 0 < 100 * chance < 1) or (percent == 99 and 99 < 100 * chance < 100)
    return extreme or abs(100 * chance - percent) <= Fraction(1, 2)


def pays_high_card(case: Case) -> bool:
    highest: int = max(card.worth for card in case.paid)
    return case.said["value"] == highest >= 3


def offers_to_come(case: Case) -> bool:
    own = plus(case.hand, case.me.bid)
    waiting = sum(player.offer_card is None for player in case.view.players)
    # One of those who wait wins this offer, and the last of them needs no bid.
    return (
        case.said["worth"] == worth(own) > 0
        and case.said["count"] == waiting - 2 == len(case.view.stack) - 2 > 0
    )


def keeps_bid_worth(case: Case) -> bool:
    after = view(apply(any_world(case.view), case.seat, Pass()), case.seat)
    own = plus(case.hand, case.me.bid)
    return case.said["worth"] == worth(own) > 0 and comes_to_bid(after, case.seat)


def other_payment(case: Case) -> bool:
    state = any_world(case.view)
    return (
        Bid(case.cards) in options(state, case.seat)
        and case.said["total"] == case.total == worth(case.me.bid) + worth(case.cards)
        and most(minus(case.hand, case.cards)) == most(case.hand)
    )


def spare_payment(case: Case) -> bool:
    def in_a_set(card: Card) -> bool:
        rest = minus(case.hand, [card])
        return any(
            is_set((card, first, second))
            for place, first in enumerate(rest)
            for second in rest[place + 1 :]
        )

    return case.said["count"] == len(case.paid) and all(
        sum(other.kind is card.kind for other in case.hand) == 1 and not in_a_set(card)
        for card in case.paid
    )


def bid_wins(case: Case) -> bool:
    after = apply(any_world(case.view), case.seat, case.action)
    return after.phase is Phase.GIVE and after.turn == case.seat


def nobody_can_beat(case: Case) -> bool:
    rivals = case.rivals
    total: int = case.said["total"]
    return bool(rivals) and total == case.total and not any(case.chance(s, total) for s in rivals)


def only_one_can_beat(case: Case) -> bool:
    able = [seat for seat in case.rivals if case.chance(seat, case.total)]
    return able == [case.said["seat"]] and _percent_is_right(case)


def most_likely_to_beat(case: Case) -> bool:
    best = max(case.chance(seat, case.total) for seat in case.rivals)
    return case.chance(case.said["seat"], case.total) == best and _percent_is_right(case)


def _percent_is_right(case: Case) -> bool:
    chance = case.chance(case.said["seat"], case.total)
    percent: int = case.said["percent"]
    near = abs(100 * chance - percent) <= Fraction(1, 2)
    extreme = (percent == 1 and 100 * chance < 1) or (percent == 99 and 100 * chance > 99)
    certain = chance in (0, 1) or not 1 <= percent <= 99
    return case.said["total"] == case.total and not certain and (near or extreme)


def surely_can_beat(case: Case) -> bool:
    return case.said["total"] == case.total and case.chance(case.said["seat"], case.total) == 1


def bid_is_dear(case: Case) -> bool:
    own = worth(case.hand) + worth(case.me.bid)
    return case.said["worth"] == own and case.said["least"] == case.least_total() > own / 2


def less_is_enough(case: Case) -> bool:
    least: int = case.said["least"]
    return least == case.least_total() < case.total and not any(
        case.chance(seat, least) for seat in case.rivals
    )


def payment_helps_other(case: Case) -> bool:
    assert isinstance(case.action, Bid)
    state = won_with(case.view, case.seat, case.action)
    seat: int = case.said["seat"]
    known = view(state, case.seat).players[seat].known
    paid = plus(case.me.bid, case.paid)
    sooner = state.players[seat].offer_card is None and seat != case.seat
    for kind in {card.kind for card in paid}:
        there = [card for card in state.market if card.kind is kind]
        mine = [card for card in paid if card.kind is kind]
        before = plus(known, minus(there, mine))
        if sooner and case.gains(before, tuple(mine), case.said["profit"]):
            return True
    return False


def free_for_you(case: Case) -> bool:
    after = all_pass(case.view).players[case.seat]
    whole = plus(case.hand, case.me.bid, case.view.offer)
    return after.hand == whole and after.offer_card == case.view.stack[-1]


def free_for_other(case: Case) -> bool:
    before = any_world(case.view)
    after = apply(before, case.seat, Pass())
    other: int = case.said["seat"]
    got = minus(after.players[other].hand, before.players[other].hand)
    return got == case.view.offer and after.players[other].offer_card == case.view.stack[-1]


def last_offer_free(case: Case) -> bool:
    waiting = [seat for seat, one in enumerate(case.view.players) if one.offer_card is None]
    state = apply(any_world(case.view), case.seat, Pass())
    while state.phase is Phase.AUCTION and state.turn is not None:
        bids = options(state, state.turn).bids
        state = apply(state, state.turn, Bid(bids[0]) if bids else Pass())
    assert state.turn is not None
    winner = state.turn
    if state.phase is Phase.GIVE and len(state.stack) > 1:
        state = apply(state, winner, Give(state.offer[0]))
    while state.phase is Phase.LIMIT and state.turn == winner:
        state = apply(state, winner, Discard(state.players[winner].hand[0]))
    # All pass: the first to pass has got the offer for free, and the other gets the last one.
    (last,) = [seat for seat in waiting if state.players[seat].offer_card is None] or [None]
    return len(waiting) == 2 and state.phase is Phase.GIVE and state.turn == last


def last_round(case: Case) -> bool:
    left = case.view.deck_size - sum(case.view.stack[:-1])
    return left == 0 and most(minus(case.hand, case.paid)) == most(case.hand)


CLAIMS: tuple[Claim, ...] = (
    offer_set,
    offer_set_missed,
    offer_gain_missed,
    offer_no_set,
    offer_set_for_other,
    takes_last,
    breaks_set_with_offer,
    every_bid_costs,
    offer_not_worth_it,
    bid_for_gain,
    bid_without_gain,
    cannot_bid,
    lowest_bid,
    raises_price,
    less_likely_to_beat,
    keeps_bid_worth,
    offers_to_come,
    pays_high_card,
    other_payment,
    spare_payment,
    bid_wins,
    nobody_can_beat,
    only_one_can_beat,
    most_likely_to_beat,
    surely_can_beat,
    bid_is_dear,
    less_is_enough,
    payment_helps_other,
    free_for_you,
    free_for_other,
    last_offer_free,
    last_round,
)
