"""The trader's compiled choice of a set to sell or a card to discard."""

from __future__ import annotations

import numpy as np

from byzanz.encoding.numbers import NUMBERS, SELL, SETS, SETS_A_GOOD
from byzanz.fast import layout
from byzanz.fast.bits import highest, lowest
from byzanz.fast.jit import part, private
from byzanz.fast.layout import Ints, face_at, faces_in, shift_of

from .hand_value import POINTS, hand_value

# Tables of the sets of one good. The first is indexed by the three cards of a set (value minus one,
# 4 for a merchant) and gives the set's number. The others are indexed by that number and give the
# set's goods cards, packed, and its profit.
_SET_NUMBER = np.full((5, 5, 5), -1, dtype=np.int64)
_SET_CARDS = np.zeros(SETS_A_GOOD, dtype=np.int64)
_PROFIT = np.zeros(SETS_A_GOOD, dtype=np.int64)
for _number, _cards in enumerate(SETS[:SETS_A_GOOD]):
    _SET_NUMBER[tuple([card.worth - 1 if card.worth else 4 for card in _cards])] = _number
    _SET_CARDS[_number] = sum((0, 1, 1 << 3, 1 << 6, 1 << 8)[card.worth] for card in _cards)
    _PROFIT[_number] = max(card.worth for card in _cards)


@private
def _lowest_value(lane: int) -> int:
    """Return the lowest value of one good's packed cards, minus one; 4 if there are no cards."""
    return face_at(lowest(faces_in(lane))) if lane else 4


@part
def set_of(lane: int, helpers: int) -> int:
    """Return the number of the set to sell from one good's packed cards; -1 if there is none.

    It consists of the highest card, ``helpers`` merchants and the lowest cards.
    """
    top = face_at(highest(faces_in(lane)))
    rest = lane - (1 << shift_of(top))
    first = second = 4
    if helpers < 2:
        first = _lowest_value(rest)
        if first == 4:
            return -1
        if helpers == 0:
            second = _lowest_value(rest - (1 << shift_of(first)))
            if second == 4:
                return -1
    # Cards are in face order: the top card is the highest, and merchants come last.
    if helpers == 2:
        return _SET_NUMBER[top, 4, 4]
    return _SET_NUMBER[first, top, 4] if helpers else _SET_NUMBER[first, second, top]


@part
def best_sale(values: Ints, excess: int, stage: int, goods: int, merchants: int) -> int:
    """Return the best sale; -1 if there is none.

    The low ten bits hold the sale's action number. The higher bits hold its value, which is that of
    the kept card and of the remaining hand.
    """
    best, chosen = -(1 << 40), -1
    if merchants > 2:
        best = 5 * POINTS + hand_value(values, excess, stage, goods, merchants - 3)
        chosen = NUMBERS - 1
    for good in range(layout.GOODS):
        lane = (goods >> (10 * good)) & layout.LANE
        if lane:
            for helpers in range(min(merchants, 2) + 1):
                number = set_of(lane, helpers)
                if number >= 0:
                    left = goods - (_SET_CARDS[number] << (10 * good))
                    value = POINTS * _PROFIT[number] + hand_value(
                        values, excess, stage, left, merchants - helpers
                    )
                    if value > best:
                        best, chosen = value, SELL + SETS_A_GOOD * good + number
    return (best << 10) | chosen if chosen >= 0 else -1


@part
def best_discard(values: Ints, excess: int, stage: int, goods: int, merchants: int) -> int:
    """Return the best discard.

    The low ten bits hold the card's face. The higher bits hold the value of the remaining hand.
    """
    best, chosen = -(1 << 40), 0
    if merchants:
        best, chosen = hand_value(values, excess, stage, goods, merchants - 1), layout.MERCHANT
    faces = faces_in(goods)
    while faces:
        shift = lowest(faces)
        value = hand_value(values, excess, stage, goods - (1 << shift), merchants)
        if value > best:
            best, chosen = value, face_at(shift)
        faces &= faces - 1
    return (best << 10) | chosen
