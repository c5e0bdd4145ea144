"""The slow, independent check of reasons: what each sentence claims, tested by brute force.

A claim gets the view, the action and the parameters of the sentence, and returns whether it is
true. It is written from the rules and the English sentence, and imports nothing that finds reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from byzanz.rules import (
    Action,
    Bid,
    Card,
    Cards,
    Discard,
    Give,
    Kind,
    Pass,
    Phase,
    Sell,
    Take,
    View,
    apply,
    options,
    view,
    worth,
)

from .brute_force import (
    all_pass,
    any_world,
    chance_of,
    comes_to_bid,
    earned,
    gifts,
    is_set,
    minus,
    most,
    most_sets,
    plus,
    unseen,
    within,
    won_with,
)


class Case:
    """A position, an action, and what a sentence says about it."""

    def __init__(self, seen: View, action: Action, said: Mapping[str, Any]) -> None:
        assert seen.seat is not None
        self.view, self.action, self.said = seen, action, said
        self.seat = seen.seat
        self.me = seen.players[seen.seat]
        self.hand: Cards = plus(seen.hand)
        self.cards: Cards = tuple([Card[name] for name in said.get("cards", ())])
        other = said.get("seat")
        self.other = None if other is None else seen.players[other]

    @property
    def paid(self) -> Cards:
        assert isinstance(self.action, Bid)
        return self.action.cards

    @property
    def total(self) -> int:
        return worth(self.me.bid) + worth(self.paid)

    @property
    def rivals(self) -> list[int]:
        """The others who can still bid in this auction."""
        if self.view.phase is not Phase.AUCTION:
            return []
        return [
            seat
            for seat, player in enumerate(self.view.players)
            if seat != self.seat and not player.passed and player.offer_card is None
        ]

    def bids(self) -> Iterator[Bid]:
        state = any_world(self.view)
        yield from (Bid(cards) for cards in options(state, self.seat).bids)

    def least_total(self) -> int:
        return min(worth(self.me.bid) + worth(bid.cards) for bid in self.bids())

    def hands_after_winning(self) -> list[tuple[Cards, Cards]]:
        """The hand after the bid has won, for each gift; and the cards that the offer added."""
        assert isinstance(self.action, Bid)
        state = won_with(self.view, self.seat, self.action)
        return [
            (after.players[self.seat].hand, minus(self.view.offer, [card]))
            for card, after in gifts(state, self.seat)
        ]

    def set_of(self, profit: object) -> bool:
        return is_set(self.cards) and earned(self.cards) == profit

    def chance(self, seat: int, total: int) -> Fraction:
        """The probability that a rival can bid more than a total."""
        player = self.view.players[seat]
        needed = total + 1 - worth(player.bid) - worth(player.known)
        values = tuple(sorted(card.worth for card in unseen(self.view)))
        return chance_of(values, player.unknown, needed)

    def unseen_of(self, kind: Kind) -> int:
        return sum(card.kind is kind for card in unseen(self.view))

    def kind(self) -> Kind:
        """The one good of the cards."""
        (kind,) = {card.kind for card in self.cards} - {Kind.MERCHANT}
        return kind

    def gains(self, before: Cards, added: Cards, profit: int) -> bool:
        """Whether the added cards make this set on top of what the hand earned before."""
        after = plus(before, added)
        return (
            self.set_of(profit)
            and within(self.cards, after)
            and bool(set(self.cards) & set(added))
            and most(after) - most(before) >= profit
        )

    def market(self, kind: Kind) -> Cards:
        return tuple([card for card in self.view.market if card.kind is kind])


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


def makes_set(case: Case) -> bool:
    after = apply(any_world(case.view), case.seat, case.action).players[case.seat].hand
    added = minus(after, case.hand)
    return case.gains(case.hand, added, case.said["profit"])


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


def takes_last(case: Case) -> bool:
    numbers = [player.offer_card for player in case.view.players]
    mine: int = case.said["number"]
    # Nobody has an offer card yet, and all others will get lower ones.
    return mine == case.view.stack[-1] == max(case.view.stack) and not any(numbers)


def starts_pair(case: Case) -> bool:
    if isinstance(case.action, Take):
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


def last_round(case: Case) -> bool:
    left = case.view.deck_size - sum(case.view.stack[:-1])
    return left == 0 and most(minus(case.hand, case.paid)) == most(case.hand)


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


def sale_frees_hand(case: Case) -> bool:
    state = apply(any_world(case.view), case.seat, case.action)
    over = state.phase is Phase.LIMIT and state.turn == case.seat
    return not over and len(state.players[case.seat].hand) == case.said["held"] <= 7


def set_unsold(case: Case) -> bool:
    return case.set_of(case.said["profit"]) and within(case.cards, case.hand)


def sell_instead(case: Case) -> bool:
    legal = Sell(case.cards) in options(any_world(case.view), case.seat)
    return legal and case.set_of(case.said["profit"])


CLAIMS: dict[str, Callable[[Case], bool]] = {
    claim.__name__.replace("_", "-"): claim
    for claim in (
        offer_set, offer_set_missed, offer_gain_missed, offer_no_set, offer_set_for_other,
        makes_set, improves_sets, frees_merchant, takes_last, starts_pair, breaks_set,
        breaks_pair, breaks_set_with_offer, every_bid_costs, other_payment, spare_payment,
        bid_wins, nobody_can_beat, only_one_can_beat, most_likely_to_beat, surely_can_beat,
        bid_is_dear, less_is_enough, payment_helps_other, market_helps_other,
        market_left_to_other, market_kept_from_other, market_other_kind, takes_first,
        gets_merchants, must_discard, free_for_you, free_for_other, last_round, only_card,
        merchant_given_up, sale_earns_less, sale_best, sale_fewer_merchants, sale_merchants,
        sale_bid_worth, sale_higher_unseen, sale_frees_hand, set_unsold, sell_instead, sale_order,
    )
}  # fmt: skip
"""The check of each sentence, by its code."""


def is_true(seen: View, action: Action, code: str, said: Mapping[str, Any]) -> bool:
    """Return whether a sentence is true of an action in a position."""
    return CLAIMS[code](Case(seen, action, said))
