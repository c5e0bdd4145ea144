"""Decisions that look only at the player's own cards."""

from __future__ import annotations

from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import sensible, step
from byzanz.fast.convert import record_of
from byzanz.network.network import action_for
from byzanz.rules import Action, Bid, Card, Cards, Discard, Give, Take, View, worth

from .silly_actions import earned_by_taking, least_useful, needed, own_bid_cost

_CLEARLY_MORE = 2
"""How much more profit a kind must earn to be taken only for the sets that it completes."""


def own_hand_action(view: View, chance: int) -> Action:
    """Return an action that is chosen only for the value of the viewer's own hand.

    It does not depend on what the others hold or want. The compiled policy ``sensible`` proposes
    the action, with ``chance`` as its random state. That policy values pairs highly, so some of its
    proposals are corrected: those that break or miss a set, and bids that pay more than they need.
    """
    record = record_of(view, chance)
    numbers: list[int] = []
    while not numbers or numbers[-1] < CONFIRM:
        numbers.append(int(sensible(record)))
        step(record, numbers[-1])
    action = action_for(numbers)
    match action:
        case Bid():
            return _frugal(view, action)
        case Take():
            return _with_a_set(view, action)
        case Give():
            return Give(_keeping_sets(action.card, view.offer, (*view.hand, *view.offer)))
        case Discard():
            return Discard(_keeping_sets(action.card, view.hand, view.hand))
    return action


def _keeping_sets(card: Card, choices: Cards, held: Cards) -> Card:
    """Return the card, or the least useful choice if giving that up costs less profit."""
    return least_useful(card, choices, held, in_every_respect=False)


def _frugal(view: View, bid: Bid) -> Bid:
    """Return the bid without unneeded cards, and without a 4 or a set if other cards are enough."""
    cards = sorted(bid.cards, key=lambda card: card.worth)
    for card in tuple(cards):
        if worth(cards) - card.worth >= needed(view):
            cards.remove(card)
    lost, *_ = own_bid_cost(view, tuple(cards))
    if not lost and not (cards[-1].worth == 4 and needed(view) <= 2):
        return Bid(tuple(cards))
    others = [other for other in view.options.bids if worth(other) <= worth(cards)]
    return Bid(min(others, key=lambda other: own_bid_cost(view, other)))


def _with_a_set(view: View, take: Take) -> Take:
    """Return the take, or one that earns clearly more with the sets that it completes."""
    last = view.round == view.setup.rounds
    earnings = earned_by_taking(view, last=last)
    best = max(earnings, key=lambda other: earnings[other])
    return best if earnings[best] >= earnings[take] + (1 if last else _CLEARLY_MORE) else take
