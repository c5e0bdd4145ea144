"""The trader's compiled valuation of a hand, in integer points.

A set in hand counts :data:`POINTS` for each unit of profit that it would earn. Of the leftover
cards, a pair counts about half as much as a set, and a single card little more than its worth in
bids. Merchants are counted with the goods where they add most value. Leftover cards count less
towards the end of the game and nothing after it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from byzanz.fast import layout
from byzanz.fast.bits import ones
from byzanz.fast.jit import part
from byzanz.fast.layout import Ints, size_of
from byzanz.fast.legal import goods_with_sets

POINTS = 32
"""Points for one unit of profit."""

HAND_LIMIT = 7

STAGES = 5
"""The number of stages. Stage 0 is after the last market. Stages 1, 2 and 3 are the last round, the
second to last and the third to last; stage 4 is any earlier round."""

# Weights of leftover cards at a stage. The first three are points per card value: for the higher
# card of a pair, for the lower one, and for a single card. The others are fixed points: for a
# single card, for one merchant and for two.
PAIR_HIGH, PAIR_LOW, SINGLE, SINGLE_BONUS, ONE_MERCHANT, TWO_MERCHANTS = range(6)
LEFTOVER_WEIGHTS = 6

_MAX_MERCHANTS = 16
_GOODS_COLUMNS = 3 * (layout.LANE + 1)


def value_table(weights: npt.NDArray[np.int64]) -> Ints:
    """Return the lookup table of :func:`hand_value`, one row per stage.

    A row holds the values of one good's cards with 0, 1 and 2 merchants added, then the values of
    merchants without goods. ``weights`` has a row of leftover weights for each stage from 1 on.
    """
    values = np.zeros((STAGES, _GOODS_COLUMNS + _MAX_MERCHANTS + 1), dtype=np.int64)
    for stage in range(STAGES):
        given = [0] * LEFTOVER_WEIGHTS if stage == 0 else [int(each) for each in weights[stage - 1]]
        for helpers in range(3):
            for lane in range(layout.LANE + 1):
                column = helpers * (layout.LANE + 1) + lane
                values[stage, column] = _good_value(lane, helpers, given)
        for merchants in range(_MAX_MERCHANTS + 1):
            leftover = (0, given[ONE_MERCHANT], given[TWO_MERCHANTS])[merchants % 3]
            values[stage, _GOODS_COLUMNS + merchants] = 5 * POINTS * (merchants // 3) + leftover
    return values


def _good_value(lane: int, helpers: int, weights: list[int]) -> int:
    """Return the value of one good's cards, packed into ten bits, with ``helpers`` merchants."""
    counts = (lane & 7, lane >> 3 & 7, lane >> 6 & 3, lane >> 8)
    cards = [value for value in (4, 3, 2, 1) for _ in range(counts[value - 1])]
    sets = min((len(cards) + helpers) // 3, len(cards))
    fillers = max(2 * sets - helpers, 0)
    leftover = cards[sets : len(cards) - fillers]
    earned = POINTS * sum(cards[:sets])
    if len(leftover) == 1:
        return earned + leftover[0] * weights[SINGLE] + weights[SINGLE_BONUS]
    if len(leftover) > 1:
        return earned + leftover[0] * weights[PAIR_HIGH] + sum(leftover[1:]) * weights[PAIR_LOW]
    return earned


@part
def hand_value(values: Ints, excess: int, stage: int, goods: int, merchants: int) -> int:
    """Return the value of packed goods and merchants at a stage.

    ``values`` is the :func:`value_table`. Each merchant is counted where it adds most value. Each
    card that would still exceed the hand limit after all sales costs ``excess`` points (R6.1).
    """
    row = values[stage]
    lane_count = layout.LANE + 1
    over = size_of(goods) + merchants - HAND_LIMIT
    value = 0
    if over > 0:
        sets = ones(goods_with_sets(goods, merchants))
        if over > 3 * sets:
            value = -excess * (over - 3 * sets)
    if merchants == 0:
        while goods:
            value += row[goods & layout.LANE]
            goods >>= 10
        return value
    # The best values with no merchant used so far, and with up to one, two and three.
    none, one, two, three = 0, 0, 0, 0
    while goods:
        lane = goods & layout.LANE
        goods >>= 10
        if lane:
            by_none = row[lane]
            by_one = row[lane_count + lane]
            by_two = row[2 * lane_count + lane]
            three = max(three + by_none, two + by_one, one + by_two)
            two = max(two + by_none, one + by_one, none + by_two)
            one = max(one + by_none, none + by_one)
            none += by_none
    best = max(none + row[_GOODS_COLUMNS + merchants], one + row[_GOODS_COLUMNS + merchants - 1])
    if merchants > 1:
        best = max(best, two + row[_GOODS_COLUMNS + merchants - 2])
    if merchants > 2:
        best = max(best, three + row[_GOODS_COLUMNS + merchants - 3])
    return value + best
