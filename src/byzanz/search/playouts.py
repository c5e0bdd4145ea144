"""Compiled code that lists candidates and plays them out with the trader's policy.

All candidates are played in the same sampled worlds. Then the seats play the round to its end, by
the trader's policy or by a nested search, which takes about a hundred times as long. A model
estimates the win probability in the position after the round.
"""

from __future__ import annotations

from math import exp

import numpy as np

from byzanz.encoding.numbers import DISCARD, GIVE, NUMBERS, PASS, SELL, SETS_A_GOOD, TAKE
from byzanz.fast import layout
from byzanz.fast.bits import lowest
from byzanz.fast.jit import entry, nogil_entry, private
from byzanz.fast.layout import (
    HAND,
    KEPT,
    KEPT_M,
    MARKET_M,
    OFFER_M,
    PHASE,
    SEAT,
    TURN,
    Floats,
    Ints,
    Record,
    count_of,
    face_at,
    faces_in,
    size_of,
    worth_of,
)
from byzanz.fast.worlds import copy_game

from .hand_value import POINTS, hand_value
from .sales import set_of
from .trader_policy import EXCESS, play_move, rounds_left, stage_of, trader_move
from .worlds import sample_world

MAX_CANDIDATES = 48
"""An upper bound on the number of candidates."""
BID_TOTALS = 6
"""Number of bid totals considered, from the lowest legal one up."""
NESTED_WORLDS = 4
"""Worlds sampled at the inner level of a nested search."""
NESTED_MARGIN = 0.01
"""The margin of win probability by which a move must beat the trader's in a nested search."""

# Columns of the weights of the win probability model: the number of points that multiplies the odds
# by e; the weight of a hand's value, in 64ths; and the points per card value, merchant and card.
SCALE, SETS, WORTH, MERCHANTS, CARDS = range(5)

# These are NumPy integers, because Numba would compile another version of a function for a Python
# integer.
_ZERO, _GIVE, _DISCARD = np.int64(0), np.int64(GIVE), np.int64(DISCARD)


@entry
def write_candidates(game: Record, values: Ints, parameters: Ints, candidates: Ints) -> int:
    """Write the candidate moves of the seat whose turn it is, and return their number.

    The candidates are all sensible moves. In an auction they are a pass and, for each of the lowest
    totals, the bid that leaves the best hand. The function cannot be used in the final sale.
    """
    phase = game[PHASE]
    if phase == layout.AUCTION:
        return _write_bids(game, values, parameters, candidates)
    if phase == layout.GIVE:
        merchants = (game[layout.MERCHANTS] >> OFFER_M) & 255
        return _write_faces(candidates, _ZERO, _GIVE, game[layout.OFFER], merchants)
    count = 0
    if phase == layout.TAKE:
        for good in range(layout.GOODS):
            if (game[layout.MARKET] >> (10 * good)) & layout.LANE:
                candidates[count] = TAKE + good
                count += 1
        if (game[layout.MERCHANTS] >> MARKET_M) & 255:
            candidates[count] = TAKE + layout.GOODS
            count += 1
        return count
    goods = game[HAND + game[TURN]]
    merchants = game[SEAT + game[TURN]] & 255
    if merchants > 2:
        candidates[0] = NUMBERS - 1
        count = 1
    for good in range(layout.GOODS):
        lane = (goods >> (10 * good)) & layout.LANE
        for helpers in range(min(merchants, 2) + 1 if lane else 0):
            number = set_of(lane, helpers)
            if number >= 0:
                candidates[count] = SELL + SETS_A_GOOD * good + number
                count += 1
    return _write_faces(candidates, count, _DISCARD, goods, merchants)


@private
def _write_faces(candidates: Ints, count: int, first: int, goods: int, merchants: int) -> int:
    """Append a move for each face, numbered from ``first``; return the new number of moves."""
    faces = faces_in(goods)
    while faces:
        candidates[count] = first + face_at(lowest(faces))
        count += 1
        faces &= faces - 1
    if merchants:
        candidates[count] = first + layout.MERCHANT
        count += 1
    return count


@private
def _write_bids(game: Record, values: Ints, parameters: Ints, candidates: Ints) -> int:
    """Write a pass and, for each of the lowest totals, the bid that leaves the best hand."""
    seat = game[TURN]
    hand = game[HAND + seat]
    merchants = game[SEAT + seat] & 255
    needed = game[layout.HIGHEST] + 1 - ((game[SEAT + seat] >> layout.WORTH) & 255)
    stage = stage_of(game)
    best = candidates[MAX_CANDIDATES - BID_TOTALS :]
    for total in range(BID_TOTALS):
        best[total] = -(1 << 40)
        candidates[1 + total] = 0
    # Enumerate all choices of cards like a counter whose digits are the faces' counts.
    bid_cards = 0
    faces = faces_in(hand)
    while True:
        rest = faces
        while rest:
            shift = lowest(rest)
            face = face_at(shift)
            if count_of(bid_cards, face) < count_of(hand, face):
                bid_cards += 1 << shift
                break
            bid_cards -= count_of(bid_cards, face) << shift
            rest &= rest - 1
        if bid_cards == 0:
            break
        total = worth_of(bid_cards) - needed
        if 0 <= total < BID_TOTALS:
            value = hand_value(values, parameters[EXCESS], stage, hand - bid_cards, merchants)
            if value > best[total]:
                best[total] = value
                candidates[1 + total] = -bid_cards
    candidates[0] = PASS
    count = 1
    for total in range(BID_TOTALS):
        if candidates[1 + total]:
            candidates[count] = candidates[1 + total]
            count += 1
    return count


@private
def _play_out(
    game: Record, values: Ints, parameters: Ints, weights: Ints, seat: int, rounds: int
) -> float:
    """Play the round to its end by the trader's policy; return the seat's win probability."""
    while game[PHASE] < layout.FINAL and rounds_left(game) == rounds:
        play_move(game, trader_move(game, values, parameters))
    return _win_probability(game, values, weights, seat)


@private
def _win_probability(game: Record, values: Ints, weights: Ints, seat: int) -> float:
    """Return the seat's win probability between two rounds or at the end: a softmax of scores."""
    stage = 0 if game[PHASE] >= layout.FINAL else stage_of(game)
    own = _score(game, values, weights, seat, stage)
    total = 0.0
    for other in range(game[layout.PLAYERS]):
        ahead = _score(game, values, weights, other, stage) - own
        total += exp(ahead / weights[stage, SCALE])
    return 1 / total


@private
def _score(game: Record, values: Ints, weights: Ints, seat: int, stage: int) -> int:
    """Return a seat's score: points for its kept cards and for its hand."""
    goods, merchants = game[HAND + seat], game[SEAT + seat] & 255
    kept = worth_of(game[KEPT + seat]) + 5 * ((game[SEAT + seat] >> KEPT_M) & 255)
    value = hand_value(values, _ZERO, stage, goods, merchants)
    weight = weights[stage]
    return (
        POINTS * kept
        + ((weight[SETS] * value) >> 6)
        + weight[WORTH] * worth_of(goods)
        + weight[MERCHANTS] * merchants
        + weight[CARDS] * (size_of(goods) + merchants)
    )


@private
def _play_by_search(
    game: Record, values: Ints, parameters: Ints, weights: Ints, scratch: Ints, sums: Floats
) -> int:
    """Play the move that does best in a few sampled worlds; return the number of playouts.

    The trader's move is played unless another one is better by a margin.
    """
    candidates, world, trial = scratch[2], scratch[3], scratch[4]
    default = trader_move(game, values, parameters)
    count = write_candidates(game, values, parameters, candidates)
    if count == 1:
        play_move(game, default)
        return 0
    seat, rounds = game[TURN], rounds_left(game)
    for place in range(count):
        sums[place] = NESTED_WORLDS * NESTED_MARGIN if candidates[place] == default else 0.0
    for _ in range(NESTED_WORLDS):
        sample_world(game, seat, world)
        for place in range(count):
            copy_game(world, trial)
            play_move(trial, candidates[place])
            sums[place] += _play_out(trial, values, parameters, weights, seat, rounds)
    best = 0
    for place in range(count):
        if sums[place] > sums[best]:
            best = place
    play_move(game, candidates[best])
    return NESTED_WORLDS * count


@nogil_entry
def evaluate_worlds(
    root: Record,
    values: Ints,
    parameters: Ints,
    weights: Ints,
    candidates: Ints,
    results: Floats,
    scratch: Ints,
    sums: Floats,
    nested: bool,
) -> int:
    """Sample a world for each row of ``results`` and write each candidate's win probability in it.

    With ``nested`` every seat chooses by a nested search until the round ends. Returns the number
    of playouts. Advances the root's random state; ``scratch`` has room for five engine records.
    """
    seat, rounds = root[TURN], rounds_left(root)
    world, game = scratch[0], scratch[1]
    playouts = 0
    for row in range(len(results)):
        sample_world(root, seat, world)
        for place in range(len(candidates)):
            copy_game(world, game)
            play_move(game, candidates[place])
            while nested and game[PHASE] < layout.FINAL and rounds_left(game) == rounds:
                playouts += _play_by_search(game, values, parameters, weights, scratch, sums)
            results[row, place] = _play_out(game, values, parameters, weights, seat, rounds)
            playouts += 1
    return playouts
