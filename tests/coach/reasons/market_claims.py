"""What the sentences about gifts, takes and the market claim."""

from __future__ import annotations

from byzanz.rules import (
    Action,
    Card,
    Discard,
    Give,
    Take,
    apply,
    options,
    view,
    worth,
)

from .brute_force import (
    any_world,
    minus,
    most,
    plus,
)
from .case import Case, Claim


def makes_set(case: Case) -> bool:
    after = apply(any_world(case.view), case.seat, case.action).players[case.seat].hand
    added = minus(after, case.hand)
    return case.gains(case.hand, added, case.said["profit"])


def market_set_waiting(case: Case) -> bool:
    own = plus(case.hand, case.me.bid)
    smaller = any(number < case.view.stack[-1] for number in case.view.stack)
    return smaller and any(
        case.gains(own, case.market(kind), case.said["profit"])
        for kind in {card.kind for card in case.view.market}
    )


def market_fits(case: Case) -> bool:
    after = apply(any_world(case.view), case.seat, case.action)
    hand = after.players[case.seat].hand
    return any(
        case.gains(
            hand, tuple([card for card in after.market if card.kind is kind]), case.said["profit"]
        )
        for kind in {card.kind for card in after.market}
    )


def gift_helps_nobody(case: Case) -> bool:
    assert isinstance(case.action, Give)
    card = case.action.card
    there = case.market(card.kind)
    earlier = [
        plus(player.known, there)
        for seat, player in enumerate(case.view.players)
        if seat != case.seat and player.offer_card is None
    ]
    return bool(earlier) and all(most(plus(cards, [card])) == most(cards) for cards in earlier)


def market_no_set(case: Case) -> bool:
    return all(
        most(plus(case.hand, case.market(card.kind))) == most(case.hand)
        for card in case.view.market
    )


def take_most_cards(case: Case) -> bool:
    assert isinstance(case.action, Take)
    counts = [len(case.market(card.kind)) for card in case.view.market]
    return case.said["count"] == len(case.market(case.action.kind)) == max(counts)


def take_highest(case: Case) -> bool:
    assert isinstance(case.action, Take)
    mine = max(card.worth for card in case.market(case.action.kind))
    return case.said["value"] == mine == max(card.worth for card in case.view.market)


def worth_most(case: Case) -> bool:
    def left(action: Action) -> int:
        return worth(apply(any_world(case.view), case.seat, action).players[case.seat].hand)

    answers = options(any_world(case.view), case.seat).answers
    return case.said["worth"] == left(case.action) == max(map(left, answers))


def lowest_spare(case: Case) -> bool:
    assert isinstance(case.action, Give | Discard)
    if isinstance(case.action, Give):
        whole, choices = plus(case.hand, case.view.offer), case.view.offer
        best = max(most(minus(whole, [card])) for card in choices)
    else:
        whole, choices, best = case.hand, case.hand, most(case.hand)
    mine = case.action.card
    lower = [card for card in choices if 0 < card.worth < mine.worth]
    return (
        mine is not Card.M
        and most(minus(whole, [mine])) == best
        and all(most(minus(whole, [card])) < best for card in lower)
    )


def market_helps_other(case: Case) -> bool:
    assert isinstance(case.action, Give)
    state = apply(any_world(case.view), case.seat, case.action)
    seat: int = case.said["seat"]
    known = view(state, case.seat).players[seat].known
    before = plus(known, case.market(case.action.card.kind))
    mine = state.players[case.seat].offer_card or 0
    # Whoever has no offer card yet will get one of those that are left.
    sooner = state.players[seat].offer_card is None and max(state.stack) < mine
    return sooner and case.gains(before, (case.action.card,), case.said["profit"])


def market_left_to_other(case: Case) -> bool:
    assert isinstance(case.action, Take)
    assert case.other is not None
    state = apply(any_world(case.view), case.seat, case.action)
    left = {card.kind for card in case.view.market} - {case.action.kind}
    known = plus(case.other.known)
    return case.said["seat"] in state.takers and any(
        case.gains(
            known, tuple([card for card in state.market if card.kind is kind]), case.said["profit"]
        )
        for kind in left
    )


def market_kept_from_other(case: Case) -> bool:
    assert isinstance(case.action, Take)
    assert case.other is not None
    later = case.said["seat"] in case.view.takers and case.said["seat"] != case.seat
    taken = case.market(case.action.kind)
    return later and case.gains(plus(case.other.known), taken, case.said["profit"])


def market_other_kind(case: Case) -> bool:
    assert isinstance(case.action, Take)
    mine = most(plus(case.hand, case.market(case.action.kind)))
    others = {case.market(card.kind) for card in case.view.market}
    best = max(most(plus(case.hand, cards)) for cards in others)
    return (
        case.cards in others
        and most(plus(case.hand, case.cards)) == best
        and case.said["gain"] == best - mine > 0
    )


def takes_first(case: Case) -> bool:
    assert isinstance(case.action, Give)
    kind = case.action.card.kind
    state = apply(any_world(case.view), case.seat, case.action)
    return state.takers[0] == case.seat and case.cards == tuple(
        [card for card in state.market if card.kind is kind]
    )


def only_card(case: Case) -> bool:
    if isinstance(case.action, Give):
        card = case.action.card
        rest = minus(plus(case.hand, case.view.offer), [card])
    else:
        assert isinstance(case.action, Discard)
        card = case.action.card
        rest = minus(case.hand, [card])
    return card is not Card.M and all(other.kind is not card.kind for other in rest)


def merchant_given_up(case: Case) -> bool:
    return isinstance(case.action, Give | Discard) and case.action.card is Card.M


CLAIMS: tuple[Claim, ...] = (
    makes_set,
    market_set_waiting,
    market_fits,
    gift_helps_nobody,
    market_no_set,
    take_most_cards,
    take_highest,
    worth_most,
    lowest_spare,
    market_helps_other,
    market_left_to_other,
    market_kept_from_other,
    market_other_kind,
    takes_first,
    only_card,
    merchant_given_up,
)
