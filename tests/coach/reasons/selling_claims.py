"""What the sentences about sales claim."""

from __future__ import annotations

from byzanz.rules import (
    Card,
    Cards,
    Phase,
    Sell,
    apply,
    options,
    worth,
)

from .brute_force import (
    any_world,
    comes_to_bid,
    earned,
    is_set,
    minus,
    most,
    unseen,
    within,
)
from .case import Case, Claim


def _sold(case: Case) -> Cards:
    assert isinstance(case.action, Sell)
    return case.action.cards


def sale_earns_less(case: Case) -> bool:
    sold, best = _sold(case), most(case.hand)
    return (
        is_set(case.cards)
        and earned(case.cards) + most(minus(case.hand, case.cards)) == best
        and case.said["loss"] == best - earned(sold) - most(minus(case.hand, sold)) > 0
    )


def sale_best(case: Case) -> bool:
    sold, best = _sold(case), most(case.hand)
    return case.said["profit"] == best == earned(sold) + most(minus(case.hand, sold))


def sale_order(case: Case) -> bool:
    sold, best = _sold(case), most(case.hand)
    return (
        is_set(case.cards)
        and earned(case.cards) + most(minus(case.hand, case.cards)) == best
        and worth(minus(case.hand, case.cards)) > worth(minus(case.hand, sold))
        and comes_to_bid(case.view, case.seat)
    )


def sale_fewer_merchants(case: Case) -> bool:
    sold = _sold(case)
    return (
        is_set(case.cards)
        and case.cards.count(Card.M) < sold.count(Card.M)
        and earned(case.cards) == earned(sold)
        and most(minus(case.hand, case.cards)) >= most(minus(case.hand, sold))
    )


def sale_merchants(case: Case) -> bool:
    return case.said["count"] == _sold(case).count(Card.M) > 0


def sale_bid_worth(case: Case) -> bool:
    return case.said["worth"] == worth(_sold(case)) > 0 and comes_to_bid(case.view, case.seat)


def sale_higher_unseen(case: Case) -> bool:
    top = max(_sold(case), key=lambda card: card.worth)
    higher = [c for c in unseen(case.view) if c.kind is top.kind and c.worth > top.worth]
    return top is not Card.M and case.said["unseen"] == len(higher) > 0


def sale_top(case: Case) -> bool:
    top = max(card.worth for card in Card)
    return max(card.worth for card in _sold(case)) == top


def _left_after(case: Case, cards: Cards) -> int:
    """What the hand is worth in bids after selling these cards."""
    return worth(minus(case.hand, cards))


def sale_worth_most(case: Case) -> bool:
    sales = [sale.cards for sale in options(any_world(case.view), case.seat).sales]
    equal = [
        cards for cards in sales if earned(cards) + most(minus(case.hand, cards)) == most(case.hand)
    ]
    left = _left_after(case, _sold(case))
    return _sold(case) in equal and case.said["worth"] == left == max(
        _left_after(case, cards) for cards in equal
    )


def sale_cheaper(case: Case) -> bool:
    legal = Sell(case.cards) in options(any_world(case.view), case.seat)
    return (
        legal
        and earned(case.cards) == earned(_sold(case))
        and _left_after(case, case.cards) > _left_after(case, _sold(case))
    )


def sale_frees_hand(case: Case) -> bool:
    state = apply(any_world(case.view), case.seat, case.action)
    over = state.phase is Phase.LIMIT and state.turn == case.seat
    return not over and len(state.players[case.seat].hand) == case.said["held"] <= 7


def set_unsold(case: Case) -> bool:
    return case.set_of(case.said["profit"]) and within(case.cards, case.hand)


def sell_instead(case: Case) -> bool:
    legal = Sell(case.cards) in options(any_world(case.view), case.seat)
    return legal and case.set_of(case.said["profit"])


CLAIMS: tuple[Claim, ...] = (
    sale_earns_less,
    sale_best,
    sale_order,
    sale_fewer_merchants,
    sale_merchants,
    sale_bid_worth,
    sale_higher_unseen,
    sale_top,
    sale_worth_most,
    sale_cheaper,
    sale_frees_hand,
    set_unsold,
    sell_instead,
)
