"""Looking ahead, compiled: candidates for an answer, and how they fare in worlds that may be.

A world deals anew what the seat has not seen. Each candidate is played in the same world, and then
everybody plays on: like a trader, or, which takes a hundred times as long, like one who looks ahead
in a few worlds too.
"""

from __future__ import annotations

from math import exp

import numpy as np

from byzanz.encoding.numbers import DISCARD, GIVE, NUMBERS, PASS, SELL, SETS_A_GOOD, TAKE
from byzanz.fast import deal_unseen
from byzanz.fast import layout as w
from byzanz.fast.bits import lowest
from byzanz.fast.jit import entry, private, unlocked
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
    Words,
    count_of,
    face_at,
    faces_in,
    size_of,
    worth_of,
)
from byzanz.fast.worlds import copy_game

from .hand_value import POINTS, hand_value
from .sales import set_of
from .trader_policy import EXCESS, answer, play, rounds_left, stage_of

MOST_CANDIDATES = 48
# How a game stands at a stage: points that make the lead e times as likely, 64ths of a hand's value
# that count, and points for each of its worth, for a merchant and for a card.
SPREAD, SETS, WORTH, JOKERS, CARDS = range(5)

TOTALS = 6
"""Bids are weighed at so many totals from the lowest legal one up."""
GLANCE = 4
"""The worlds that those look into who look ahead within a world."""
USUAL = 0.01
"""How much more likely to win something else must make them than what a trader does."""


# NumPy's numbers, for Numba compiles a function anew for every plain one that it is given.
_NONE, _GIVE, _DISCARD = np.int64(0), np.int64(GIVE), np.int64(DISCARD)


@entry
def write_candidates(game: Words, values: Words, habits: Words, candidates: Words) -> int:
    """Writes the answers that the seat on turn should think about, and returns how many there are.

    Of all bids of one worth only that is thought about whose cards the hand misses least.
    """
    phase = game[PHASE]
    if phase == w.AUCTION:
        return _write_bids(game, values, habits, candidates)
    if phase == w.GIVE:
        merchants = (game[w.MERCHANTS] >> OFFER_M) & 255
        return _write_faces(candidates, _NONE, _GIVE, game[w.OFFER], merchants)
    count = 0
    if phase == w.TAKE:
        for good in range(w.GOODS):
            if (game[w.MARKET] >> (10 * good)) & w.LANE:
                candidates[count] = TAKE + good
                count += 1
        if (game[w.MERCHANTS] >> MARKET_M) & 255:
            candidates[count] = TAKE + w.GOODS
            count += 1
        return count
    goods = game[HAND + game[TURN]]
    merchants = game[SEAT + game[TURN]] & 255
    if merchants > 2:
        candidates[0] = NUMBERS - 1
        count = 1
    for good in range(w.GOODS):
        lane = (goods >> (10 * good)) & w.LANE
        for helpers in range(min(merchants, 2) + 1 if lane else 0):
            kind = set_of(lane, helpers)
            if kind >= 0:
                candidates[count] = SELL + SETS_A_GOOD * good + kind
                count += 1
    return _write_faces(candidates, count, _DISCARD, goods, merchants)


@private
def _write_faces(candidates: Words, count: int, first: int, goods: int, merchants: int) -> int:
    faces = faces_in(goods)
    while faces:
        candidates[count] = first + face_at(lowest(faces))
        count += 1
        faces &= faces - 1
    if merchants:
        candidates[count] = first + w.MERCHANT
        count += 1
    return count


@private
def _write_bids(game: Words, values: Words, habits: Words, candidates: Words) -> int:
    """To pass, and for each of the lowest totals the cards that are missed least."""
    seat = game[TURN]
    hand = game[HAND + seat]
    merchants = game[SEAT + seat] & 255
    needed = game[w.HIGHEST] + 1 - ((game[SEAT + seat] >> w.WORTH) & 255)
    stage = stage_of(game)
    best = candidates[MOST_CANDIDATES - TOTALS :]
    for total in range(TOTALS):
        best[total] = -(1 << 40)
        candidates[1 + total] = 0
    # Every choice of cards: counted up like a number whose digits are the faces' counts.
    plan = 0
    faces = faces_in(hand)
    while True:
        rest = faces
        while rest:
            shift = lowest(rest)
            face = face_at(shift)
            if count_of(plan, face) < count_of(hand, face):
                plan += 1 << shift
                break
            plan -= count_of(plan, face) << shift
            rest &= rest - 1
        if plan == 0:
            break
        total = worth_of(plan) - needed
        if 0 <= total < TOTALS:
            value = hand_value(values, habits[EXCESS], stage, hand - plan, merchants)
            if value > best[total]:
                best[total] = value
                candidates[1 + total] = -plan
    candidates[0] = PASS
    count = 1
    for total in range(TOTALS):
        if candidates[1 + total]:
            candidates[count] = candidates[1 + total]
            count += 1
    return count


@private
def _outlook(
    game: Words, values: Words, habits: Words, outlooks: Words, seat: int, rounds: int
) -> float:
    """The seat's chance to win, as it looks once traders have played this round to its end."""
    while game[PHASE] < w.FINAL and rounds_left(game) == rounds:
        play(game, answer(game, values, habits))
    return _chance(game, values, outlooks, seat)


@private
def _chance(game: Words, values: Words, outlooks: Words, seat: int) -> float:
    """The seat's chance to win, by what all have between two rounds or at the end."""
    stage = 0 if game[PHASE] >= w.FINAL else stage_of(game)
    own = _standing(game, values, outlooks, seat, stage)
    total = 0.0
    for other in range(game[w.PLAYERS]):
        ahead = _standing(game, values, outlooks, other, stage) - own
        total += exp(ahead / outlooks[stage, SPREAD])
    return 1 / total


@private
def _standing(game: Words, values: Words, outlooks: Words, seat: int, stage: int) -> int:
    """The points that a seat has kept and those that its hand promises."""
    goods, merchants = game[HAND + seat], game[SEAT + seat] & 255
    kept = worth_of(game[KEPT + seat]) + 5 * ((game[SEAT + seat] >> KEPT_M) & 255)
    value = hand_value(values, _NONE, stage, goods, merchants)
    promise = outlooks[stage]
    return (
        POINTS * kept
        + ((promise[SETS] * value) >> 6)
        + promise[WORTH] * worth_of(goods)
        + promise[JOKERS] * merchants
        + promise[CARDS] * (size_of(goods) + merchants)
    )


@private
def _glance(
    game: Words, values: Words, habits: Words, outlooks: Words, scratch: Words, sums: Floats
) -> int:
    """Lets the seat on turn play what fares best in a few worlds; returns the playouts it took.

    Without a clear lead of something else it does what a trader would do.
    """
    candidates, world, trial = scratch[2], scratch[3], scratch[4]
    usual = answer(game, values, habits)
    count = write_candidates(game, values, habits, candidates)
    if count == 1:
        play(game, usual)
        return 0
    seat, rounds = game[TURN], rounds_left(game)
    for place in range(count):
        sums[place] = GLANCE * USUAL if candidates[place] == usual else 0.0
    for _ in range(GLANCE):
        copy_game(game, world)
        deal_unseen(world, seat)
        game[w.CHANCE] = world[w.CHANCE]
        for place in range(count):
            copy_game(world, trial)
            play(trial, candidates[place])
            sums[place] += _outlook(trial, values, habits, outlooks, seat, rounds)
    best = 0
    for place in range(count):
        if sums[place] > sums[best]:
            best = place
    play(game, candidates[best])
    return GLANCE * count


@unlocked
def explore(
    root: Words,
    values: Words,
    habits: Words,
    outlooks: Words,
    candidates: Words,
    totals: Floats,
    scratch: Words,
    sums: Floats,
    worlds: int,
    deep: bool,
) -> int:
    """Adds to each candidate's total its outlook in so many worlds; chance in ``root`` moves on.

    Others and the seat itself go on as traders or, when ``deep``, look ahead at every answer of
    this round. Returns how many playouts it took; ``scratch`` has five rows of a record.
    """
    seat, rounds = root[TURN], rounds_left(root)
    world, game = scratch[0], scratch[1]
    playouts = 0
    for _ in range(worlds):
        copy_game(root, world)
        deal_unseen(world, seat)
        root[w.CHANCE] = world[w.CHANCE]
        for place in range(len(candidates)):
            copy_game(world, game)
            play(game, candidates[place])
            while deep and game[PHASE] < w.FINAL and rounds_left(game) == rounds:
                playouts += _glance(game, values, habits, outlooks, scratch, sums)
            totals[place] += _outlook(game, values, habits, outlooks, seat, rounds)
            playouts += 1
    return playouts
