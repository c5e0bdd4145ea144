"""What a hand is worth to a trader, compiled, in whole points.

A set in hand counts what it would earn, :data:`POINTS` for one of profit. Of the rest a pair is
half a set, a single card is little more than a coin for bids, and a merchant completes whatever
gains most by it. All but sets count for less towards the end of the game, and nothing after it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from byzanz.fast import layout as w
from byzanz.fast.bits import ones
from byzanz.fast.jit import part
from byzanz.fast.layout import Words, size_of
from byzanz.fast.legal import goods_with_sets

POINTS = 32
"""Points for one of profit."""

HAND_LIMIT = 7

STAGES = 5
"""Stage 0 is after all is over, 1 the last round, and so on; from 4 on all rounds are alike."""

# What a rest is worth at a stage: points a value for the higher and the lower card of a pair, and
# for a single card; points for being a single card, one merchant, two merchants.
HIGHER, LOWER, SINGLE, ALONE, MERCHANT, MERCHANTS = range(6)
RESTS = 6

_MOST_MERCHANTS = 16
_ROWS = 3 * (w.LANE + 1)


def values_of(rests: npt.NDArray[np.int64]) -> Words:
    """The table of values by stage: goods with 0, 1 or 2 merchants helping, then merchants alone.

    ``rests`` holds, for the stages from 1 on, what :data:`HIGHER` to :data:`MERCHANTS` name.
    """
    values = np.zeros((STAGES, _ROWS + _MOST_MERCHANTS + 1), dtype=np.int64)
    for stage in range(STAGES):
        rest = [0] * RESTS if stage == 0 else [int(points) for points in rests[stage - 1]]
        for helpers in range(3):
            for lane in range(w.LANE + 1):
                values[stage, helpers * (w.LANE + 1) + lane] = _lane_value(lane, helpers, rest)
        for merchants in range(_MOST_MERCHANTS + 1):
            alone = (0, rest[MERCHANT], rest[MERCHANTS])[merchants % 3]
            values[stage, _ROWS + merchants] = 5 * POINTS * (merchants // 3) + alone
    return values


def _lane_value(lane: int, helpers: int, rest: list[int]) -> int:
    """The value of the cards of one good, by their ten bits, with this many merchants to help."""
    counts = (lane & 7, lane >> 3 & 7, lane >> 6 & 3, lane >> 8)
    cards = [value for value in (4, 3, 2, 1) for _ in range(counts[value - 1])]
    sets = min((len(cards) + helpers) // 3, len(cards))
    fillers = max(2 * sets - helpers, 0)
    over = cards[sets : len(cards) - fillers]
    earned = POINTS * sum(cards[:sets])
    if len(over) == 1:
        return earned + over[0] * rest[SINGLE] + rest[ALONE]
    if len(over) > 1:
        return earned + over[0] * rest[HIGHER] + sum(over[1:]) * rest[LOWER]
    return earned


@part
def hand_value(values: Words, excess: int, stage: int, goods: int, merchants: int) -> int:
    """What packed goods and merchants are worth at a stage, merchants helping where they gain most.

    Cards above the limit that no sale would clear cost ``excess`` points each (R6.1).
    """
    table = values[stage]
    lane_count = w.LANE + 1
    over = size_of(goods) + merchants - HAND_LIMIT
    value = 0
    if over > 0:
        sets = ones(goods_with_sets(goods, merchants))
        if over > 3 * sets:
            value = -excess * (over - 3 * sets)
    if merchants == 0:
        while goods:
            value += table[goods & w.LANE]
            goods >>= 10
        return value
    # The best with none, up to one, two and three merchants used.
    none, one, two, three = 0, 0, 0, 0
    while goods:
        lane = goods & w.LANE
        goods >>= 10
        if lane:
            by_none = table[lane]
            by_one = table[lane_count + lane]
            by_two = table[2 * lane_count + lane]
            three = max(three + by_none, two + by_one, one + by_two)
            two = max(two + by_none, one + by_one, none + by_two)
            one = max(one + by_none, none + by_one)
            none += by_none
    best = max(none + table[_ROWS + merchants], one + table[_ROWS + merchants - 1])
    if merchants > 1:
        best = max(best, two + table[_ROWS + merchants - 2])
    if merchants > 2:
        best = max(best, three + table[_ROWS + merchants - 3])
    return value + best
