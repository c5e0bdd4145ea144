"""What the sentences about the cards that are gained or given up claim."""

from __future__ import annotations

from byzanz.rules import (
    Bid,
    Card,
    Cards,
    Discard,
    Give,
    Take,
    apply,
)

from .brute_force import (
    any_world,
    is_set,
    minus,
    most,
    most_sets,
    plus,
    within,
)
from .case import Case, Claim


def improves_sets(case: Case) -> bool:
    if isinstance(case.action, Take):
        before = case.hand
        after = apply(any_world(case.view), case.seat, case.action).players[case.seat].hand
        choices = [(after, minus(after, before))]
    else:
        before = minus(case.hand, case.paid)
        choices = case.hands_after_winning()
    best = max(most(hand) for hand, _ in choices)
    return case.said["gain"] == best - most(before) > 0 and any(
        is_set(case.cards)
        and within(case.cards, hand)
        and bool(set(case.cards) & set(added))
        and most(hand) == best
        for hand, added in choices
    )


def frees_merchant(case: Case) -> bool:
    if isinstance(case.action, Take):
        before, hands = case.hand, [plus(case.hand, case.market(case.action.kind))]
    else:
        before = minus(case.hand, case.paid)
        hands = [hand for hand, _ in case.hands_after_winning()]
    needed = Card.M in before and most(minus(before, [Card.M])) < most(before)
    return needed and any(
        is_set(case.cards)
        and Card.M not in case.cards
        and within(case.cards, hand)
        and not within(case.cards, before)
        and most(minus(hand, [Card.M])) >= most(before)
        for hand in hands
    )


def starts_pair(case: Case) -> bool:
    if isinstance(case.action, Take | Give):
        before = case.hand
        hands = [apply(any_world(case.view), case.seat, case.action).players[case.seat].hand]
    else:
        before = minus(case.hand, case.paid)
        hands = [hand for hand, _ in case.hands_after_winning()]
    kind = case.kind()
    return (
        sum(card.kind is kind for card in before) < 2
        and case.said["unseen"] == case.unseen_of(kind) > 0
        and any(
            tuple([card for card in hand if card.kind is kind]) == case.cards
            and len(case.cards) == 2
            and Card.M not in hand
            for hand in hands
        )
    )


def breaks_set(case: Case) -> bool:
    if isinstance(case.action, Give):
        whole = plus(case.hand, case.view.offer)
        best = max(most(minus(whole, [card])) for card in case.view.offer)
        given: Cards = (case.action.card,)
        after = most(minus(whole, given))
    else:
        whole = case.hand
        best = most(whole)
        given = case.paid if isinstance(case.action, Bid) else (case.action.card,)  # type: ignore[union-attr]
        after = most(minus(whole, given))
    return (
        is_set(case.cards)
        and within(case.cards, whole)
        and bool(set(case.cards) & set(given))
        and case.said["loss"] == best - after > 0
    )


def breaks_pair(case: Case) -> bool:
    whole, given = case.hand, ()
    match case.action:
        case Bid():
            given = case.paid
        case Give():
            whole, given = plus(case.hand, case.view.offer), (case.action.card,)
        case Discard():
            given = (case.action.card,)
    kind = case.kind()
    return (
        tuple([card for card in whole if card.kind is kind]) == case.cards
        and len(case.cards) == 2
        and any(card.kind is kind for card in given)
        and case.said["unseen"] == case.unseen_of(kind) > 0
    )


def gets_merchants(case: Case) -> bool:
    if isinstance(case.action, Take):
        return case.said["count"] == case.view.market.count(Card.M) > 0
    return any(
        added.count(Card.M) == case.said["count"] > 0 for _, added in case.hands_after_winning()
    )


def _hands_over_limit(case: Case) -> list[Cards]:
    if isinstance(case.action, Take):
        return [apply(any_world(case.view), case.seat, case.action).players[case.seat].hand]
    return [hand for hand, _ in case.hands_after_winning()]


def must_discard(case: Case) -> bool:
    hands = _hands_over_limit(case)
    fewest = min(len(hand) - 3 * most_sets(hand) for hand in hands)
    held = {len(hand) for hand in hands} == {case.said["held"]}
    return held and case.said["count"] == fewest - 7 > 0


CLAIMS: tuple[Claim, ...] = (
    improves_sets,
    frees_merchant,
    starts_pair,
    breaks_set,
    breaks_pair,
    gets_merchants,
    must_discard,
)
