"""Which set to sell and which card to discard, compiled: what leaves most, kept cards counted."""

from __future__ import annotations

import numpy as np

from byzanz.encoding.numbers import NUMBERS, SELL, SETS, SETS_A_GOOD
from byzanz.fast import layout as w
from byzanz.fast.bits import highest, lowest
from byzanz.fast.jit import part, private
from byzanz.fast.layout import Words, face_at, faces_in, shift_of

from .hand_value import POINTS, hand_value

# The sets of one good: by the values less one of their cards, 4 for a merchant, which it is; by
# which it is, its goods cards packed and what it earns.
_KINDS = np.full((5, 5, 5), -1, dtype=np.int64)
_CARDS = np.zeros(SETS_A_GOOD, dtype=np.int64)
_EARNED = np.zeros(SETS_A_GOOD, dtype=np.int64)
for _kind, _cards in enumerate(SETS[:SETS_A_GOOD]):
    _KINDS[tuple([card.worth - 1 if card.worth else 4 for card in _cards])] = _kind
    _CARDS[_kind] = sum((0, 1, 1 << 3, 1 << 6, 1 << 8)[card.worth] for card in _cards)
    _EARNED[_kind] = max(card.worth for card in _cards)


@private
def _lowest_value(lane: int) -> int:
    """The lowest value less one in ten bits of a good; 4 if they are empty."""
    return face_at(lowest(faces_in(lane))) if lane else 4


@part
def set_of(lane: int, helpers: int) -> int:
    """Which set a good's highest card, its lowest and so many merchants make; -1 if none."""
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
    # Of the cards named top is the highest, and merchants, numbered 4, come last.
    if helpers == 2:
        return _KINDS[top, 4, 4]
    return _KINDS[first, top, 4] if helpers else _KINDS[first, second, top]


@part
def best_sale(values: Words, excess: int, stage: int, goods: int, merchants: int) -> int:
    """The number of the sale that leaves most, kept card and hand together; above it, how much."""
    best, chosen = -(1 << 40), -1
    if merchants > 2:
        best = 5 * POINTS + hand_value(values, excess, stage, goods, merchants - 3)
        chosen = NUMBERS - 1
    for good in range(w.GOODS):
        lane = (goods >> (10 * good)) & w.LANE
        if lane:
            for helpers in range(min(merchants, 2) + 1):
                kind = set_of(lane, helpers)
                if kind >= 0:
                    left = goods - (_CARDS[kind] << (10 * good))
                    value = POINTS * _EARNED[kind] + hand_value(
                        values, excess, stage, left, merchants - helpers
                    )
                    if value > best:
                        best, chosen = value, SELL + SETS_A_GOOD * good + kind
    return (best << 10) | chosen if chosen >= 0 else -1


@part
def least_missed(values: Words, excess: int, stage: int, goods: int, merchants: int) -> int:
    """The face whose discard leaves most; above it, how much."""
    best, chosen = -(1 << 40), 0
    if merchants:
        best, chosen = hand_value(values, excess, stage, goods, merchants - 1), w.MERCHANT
    faces = faces_in(goods)
    while faces:
        shift = lowest(faces)
        value = hand_value(values, excess, stage, goods - (1 << shift), merchants)
        if value > best:
            best, chosen = value, face_at(shift)
        faces &= faces - 1
    return (best << 10) | chosen
