"""The 289 action numbers, and their conversion from and to actions.

| numbers | meaning |
|---|---|
| 0 to 23 | lay one goods card of this face towards a bid |
| 24 | confirm the laid cards as a bid |
| 25 | pass |
| 26 to 50 | give a face |
| 51 to 57 | take a kind |
| 58 to 82 | discard a face |
| 83 | done |
| 84 to 288 | sell a set: 34 per good, in the order of ``SETS``; the last is three merchants |
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from byzanz.rules import (
    FACES,
    Action,
    Bid,
    Card,
    Cards,
    Discard,
    Done,
    Give,
    Kind,
    Pass,
    Sell,
    Take,
)

ADD = 0
CONFIRM = 24
PASS = 25
GIVE = 26
TAKE = 51
DISCARD = 58
DONE = 83
SELL = 84
NUMBERS = 289

GOODS = [kind for kind in Kind if kind is not Kind.MERCHANT]


def _sets(kind: Kind) -> list[Cards]:
    """Return the sets of one good: with no merchant, then with one, then with two."""
    cards = [card for card in FACES if card.kind is kind]
    return [
        (*goods, *(Card.M,) * (3 - size))
        for size in (3, 2, 1)
        for goods in combinations_with_replacement(cards, size)
    ]


SETS: tuple[Cards, ...] = (
    *(cards for kind in GOODS for cards in _sets(kind)),
    (Card.M, Card.M, Card.M),
)
"""The 205 sets in the order of their action numbers; no good has three 4s."""

SETS_A_GOOD = 34

_SET_NUMBERS = {cards: SELL + place for place, cards in enumerate(SETS)}


def numbers_of(action: Action) -> tuple[int, ...]:
    """Return an action's number, or for a bid those of its cards in face order and CONFIRM."""
    match action:
        case Bid():
            return (*(ADD + card for card in action.cards), CONFIRM)
        case Pass():
            return (PASS,)
        case Give():
            return (GIVE + action.card,)
        case Take():
            return (TAKE + action.kind,)
        case Discard():
            return (DISCARD + action.card,)
        case Done():
            return (DONE,)
        case Sell():
            return (_SET_NUMBERS[action.cards],)


def action_of(number: int) -> Action | None:
    """Return the action of a number; None for laying a card and for confirming a bid.

    Raises ValueError if there is no such number.
    """
    if not 0 <= number < NUMBERS:
        raise ValueError(f"action numbers are 0 to {NUMBERS - 1}, not {number}")
    if number <= CONFIRM:
        return None
    if number == PASS:
        return Pass()
    if number < TAKE:
        return Give(Card(number - GIVE))
    if number < DISCARD:
        return Take(Kind(number - TAKE))
    if number < DONE:
        return Discard(Card(number - DISCARD))
    return Done() if number == DONE else Sell(SETS[number - SELL])
