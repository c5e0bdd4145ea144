"""Actions that look silly to the other players, whatever their reason.

A weak player misjudges cards. But nobody gives away a card of their own set while they have a card
that is of no use to them.
"""

from __future__ import annotations

from collections.abc import Iterable

from byzanz.rules import (
    Action,
    Bid,
    Card,
    Cards,
    Discard,
    Give,
    Take,
    View,
    best_sales,
    in_order,
    kept,
    profit,
    worth,
)

_MERCHANT_WORTH = 5
"""The value of a merchant when a card is given up: more than that of any goods card."""
_CLEARLY_HIGHER = 2
"""By how much a card's value must exceed another's, so that giving up the card looks silly."""


def looks_silly(view: View, action: Action) -> bool:
    """Return whether another action is better in every respect that people see at a glance.

    These actions look silly: giving up a card of a set, of a pair or of high value instead of a
    useless one; paying with a set where other cards have the same worth; raising with a card that
    is not needed; and, in the last round, a bid or a take that earns less than another action.
    """
    last = view.round == view.setup.rounds
    match action:
        case Give(card):
            return card is not least_useful(card, view.offer, (*view.hand, *view.offer))
        case Discard(card):
            return card is not least_useful(card, view.hand, view.hand)
        case Take() if last:
            earnings = earned_by_taking(view, last=True)
            return earnings[action] < max(earnings.values())
        case Bid(cards):
            return _pays_too_much(view, cards, last=last)
    return False


def least_useful(card: Card, choices: Cards, held: Cards, *, in_every_respect: bool = True) -> Card:
    """Return the card, or one of the choices that is clearly less useful.

    A card is less useful if giving it up costs less profit. With ``in_every_respect``, a card whose
    loss costs the same is also less useful if it is the only one of its good and not higher, or if
    it is clearly lower.
    """
    uses = {other: _use(other, held) for other in sorted({*choices, card})}
    loss, several, value = uses[card]
    best = min(uses, key=lambda other: uses[other])
    less, alone, lower = uses[best]
    if less < loss:
        return best
    if in_every_respect and (
        (alone < several and lower <= value)
        or (alone == several and value >= lower + _CLEARLY_HIGHER)
    ):
        return best
    return card


def earned_by_taking(view: View, *, last: bool = False) -> dict[Take, int]:
    """Return what the viewer's sets would earn after each possible take."""
    kinds = dict.fromkeys(card.kind for card in view.market)
    taken = {kind: [card for card in view.market if card.kind is kind] for kind in kinds}
    return {Take(kind): _earned([*view.hand, *taken[kind]], last=last) for kind in kinds}


def needed(view: View) -> int:
    """Return the least worth of cards that the viewer must add to have the highest bid."""
    return view.highest + 1 - worth(_own_bid(view))


def own_bid_cost(view: View, cards: Cards) -> tuple[int, int]:
    """Return the profit that bidding these cards loses, and their worth.

    The worth is increased by 1 for each card that is not the only one of its good in hand.
    """
    kinds = [card.kind for card in view.hand]
    several = sum(kinds.count(card.kind) > 1 for card in cards)
    lost = _earned(view.hand) - _earned(_less(view.hand, cards))
    return lost, worth(cards) + several


def _use(card: Card, held: Cards) -> tuple[int, bool, int]:
    """Return the profit lost without the card, whether more of its kind are held, and its value."""
    several = card is Card.M or sum(other.kind is card.kind for other in held) > 1
    return _earned(held) - _earned(_less(held, (card,))), several, card.worth or _MERCHANT_WORTH


def _pays_too_much(view: View, cards: Cards, *, last: bool) -> bool:
    total = worth(cards)
    if view.highest and any(total - card.worth >= needed(view) for card in cards):
        return True
    left = _earned(_less(view.hand, cards))
    same = [bid for bid in view.options.bids if worth(bid) == total]
    if any(_earned(_less(view.hand, bid)) > left for bid in same):
        return True
    if not last:
        return False
    after = _less((*view.hand, *view.offer), cards)
    won = max(_earned(_less(after, (given,)), last=True) for given in set(view.offer))
    return won < _earned((*view.hand, *_own_bid(view)), last=True)


def _own_bid(view: View) -> Cards:
    return () if view.seat is None else view.players[view.seat].bid


def _earned(cards: Iterable[Card], *, last: bool = False) -> int:
    """Return the most profit that the sets among these cards earn."""
    return profit([kept(sale.cards) for sale in best_sales(in_order(cards), last=last)])


def _less(cards: Iterable[Card], some: Cards) -> list[Card]:
    rest = list(cards)
    for card in some:
        rest.remove(card)
    return rest
