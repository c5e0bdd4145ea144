"""How a trader plays, compiled: it weighs what each choice leaves it with.

The seat on turn looks at its own hand, at what lies open, and at the cards known to be in others'
hands, and at nothing else. An answer is an action's number, or a bid's cards, packed and negative:
bids are whole.
"""

from __future__ import annotations

import numpy as np

from byzanz.encoding.numbers import CONFIRM, DISCARD, DONE, GIVE, PASS, TAKE
from byzanz.fast import layout as w
from byzanz.fast import step
from byzanz.fast.bits import lowest
from byzanz.fast.jit import entry, part, private
from byzanz.fast.layout import (
    BID,
    HAND,
    HAND_M,
    HIDDEN,
    HIDDEN_M,
    MARKET_M,
    OFFER_M,
    PHASE,
    SEAT,
    TURN,
    Words,
    face_at,
    faces_in,
)

from .hand_value import STAGES, hand_value
from .sales import best_sale, least_missed

# What a trader is like, in points or in 64ths; ``character.py`` holds the figures.
EXCESS = 0  # points lost by a card above the limit
HOLD = 1  # chance that a kind in the market outlasts one taker
DENY_TAKE = 2  # how much of what others would have gained counts, when taking
DENY_GIVE = 3  # and when giving
ALL_PASS = 4  # how much the others must dislike a lot for all to pass
WAIT = 5  # from here: points for staying in, by how many offer cards are left
HABITS = WAIT + 7

# NumPy's numbers, for Numba compiles a function anew for every plain one that it is given.
_NOTHING, _ONE, _CONFIRM = np.int64(0), np.int64(1), np.int64(CONFIRM)


@part
def rounds_left(game: Words) -> int:
    """How many rounds there are to come, this one too."""
    players = game[w.PLAYERS]
    a_round = 12 if players == 3 else 14 if players == 4 else 15 if players == 5 else 21
    return 1 + (w.CARDS - game[w.DRAWN]) // a_round


@part
def stage_of(game: Words) -> int:
    """The stage that the hands are valued at: the rounds to come, as far as they matter."""
    return min(rounds_left(game), STAGES - 1)


@part
def from_market(
    values: Words,
    habits: Words,
    stage: int,
    goods: int,
    merchants: int,
    market: int,
    more: int,
    takers: int,
) -> int:
    """What a hand may expect to gain in the market when so many halves of takers come before.

    It gets the kind it wants most if nobody took it, else the next, and so on.
    """
    excess = habits[EXCESS]
    now = hand_value(values, excess, stage, goods, merchants)
    first, second, third = 0, 0, 0
    gain = 0
    if more:
        first = max(hand_value(values, excess, stage, goods, merchants + more) - now, 0)
    for good in range(w.GOODS):
        taken = market & (w.LANE << (10 * good))
        if taken:
            gain = hand_value(values, excess, stage, goods + taken, merchants) - now
            if gain > first:
                first, second, third = gain, first, second
            elif gain > second:
                second, third = gain, second
            elif gain > third:
                third = gain
    there = 4096
    for _ in range(takers):
        there = (there * habits[HOLD]) >> 6
    gone = 4096 - there
    rest = second + ((gone * (third - second)) >> 12)
    return first + ((gone * (rest - first)) >> 12)


@part
def to_lay(values: Words, excess: int, stage: int, goods: int, merchants: int, needed: int) -> int:
    """Cards of the hand, packed, worth at least ``needed`` and missed least; 0 if none are."""
    plan = 0
    hand = goods
    while needed > 0:
        best, chosen = 1 << 40, -1
        faces = faces_in(hand)
        now = hand_value(values, excess, stage, hand, merchants)
        while faces:
            shift = lowest(faces)
            loss = now - hand_value(values, excess, stage, hand - (1 << shift), merchants)
            value = (face_at(shift) & 3) + 1
            # What is missed for each point of worth that counts; an overshoot is wasted.
            rate = 64 * max(loss, 0) // min(needed, value) + 8 * max(value - needed, 0)
            if rate < best:
                best, chosen = rate, shift
            faces &= faces - 1
        if chosen < 0:
            return 0
        hand -= 1 << chosen
        plan += 1 << chosen
        needed -= (face_at(chosen) & 3) + 1
    faces = faces_in(plan)
    while faces:
        shift = lowest(faces)
        value = (face_at(shift) & 3) + 1
        if needed + value <= 0:
            plan -= 1 << shift
            needed += value
        faces &= faces - 1
    return plan


@part
def best_gift(
    game: Words,
    values: Words,
    habits: Words,
    stage: int,
    seat: int,
    goods: int,
    merchants: int,
    market: int,
) -> int:
    """The face of the offer to give to the market by who holds these cards and the offer (R3.8b).

    Returns the face and, above its eight bits, the value of what is left and of the market.
    """
    offered = (game[w.MERCHANTS] >> OFFER_M) & 255
    more = (game[w.MERCHANTS] >> MARKET_M) & 255
    takers = 2 * (game[w.STACK] - 1)
    best, chosen = -(1 << 40), w.MERCHANT
    all_goods, all_merchants = goods + game[w.OFFER], merchants + offered
    faces = faces_in(game[w.OFFER])
    some = offered > 0
    while faces or some:
        if faces:
            shift = lowest(faces)
            one, joker = 1 << shift, 0
            face = face_at(shift)
            faces &= faces - 1
        else:
            one, joker, face, some = 0, 1, w.MERCHANT, False
        value = hand_value(values, habits[EXCESS], stage, all_goods - one, all_merchants - joker)
        value += from_market(
            values,
            habits,
            stage,
            all_goods - one,
            all_merchants - joker,
            market + one,
            more + joker,
            takers,
        )
        if habits[DENY_GIVE]:
            value -= (
                habits[DENY_GIVE]
                * _welcome(game, values, habits, stage, seat, market, more, one, joker)
            ) >> 6
        if value > best:
            best, chosen = value, face
    return (best << 8) | chosen


@private
def _welcome(
    game: Words,
    values: Words,
    habits: Words,
    stage: int,
    seat: int,
    market: int,
    more: int,
    one: int,
    joker: int,
) -> int:
    """What a card in the market is worth, by the cards known of them, to who wants it most."""
    best = 0
    lane = w.LANE << (10 * (lowest(one) // 10)) if one else 0
    for other in range(game[w.PLAYERS]):
        if other != seat:
            goods = game[HAND + other] - game[HIDDEN + other] + game[BID + other]
            merchants = (game[SEAT + other] & 255) - ((game[SEAT + other] >> HIDDEN_M) & 255)
            if joker:
                before = hand_value(values, habits[EXCESS], stage, goods, merchants + more)
                after = hand_value(values, habits[EXCESS], stage, goods, merchants + more + 1)
            else:
                taken = goods + (market & lane)
                before = hand_value(values, habits[EXCESS], stage, taken, merchants)
                after = hand_value(values, habits[EXCESS], stage, taken + one, merchants)
            best = max(best, after - before)
    return best


@part
def advantage(
    game: Words, values: Words, habits: Words, seat: int, goods: int, merchants: int, plan: int
) -> int:
    """How much better it is for a seat to win this lot by laying ``plan`` than to pass."""
    stage = stage_of(game)
    stack = game[w.STACK]
    bid = game[BID + seat]
    market = game[w.MARKET]
    more = (game[w.MERCHANTS] >> MARKET_M) & 255
    winning = (
        best_gift(game, values, habits, stage, seat, goods - plan, merchants, market + bid + plan)
        >> 8
    )
    passing = hand_value(values, habits[EXCESS], stage, goods + bid, merchants)
    # Who passes may win any of the smaller lots, and takes the earlier from the market.
    leading = 0
    for other in range(game[w.PLAYERS]):
        if other != seat and (game[SEAT + other] >> w.WORTH) & 255 == game[w.HIGHEST]:
            leading = game[BID + other]
    passing += from_market(
        values, habits, stage, goods + bid, merchants, market + leading, more, stack - 2
    )
    return winning - passing - habits[WAIT + stack]


@private
def _all_would_pass(game: Words, values: Words, habits: Words) -> bool:
    """Whether nobody left of the starter seems to want this lot, by the cards known of them."""
    stage = stage_of(game)
    for seat in range(game[w.PLAYERS]):
        if seat != game[TURN] and (game[SEAT + seat] >> w.OFFER_CARD) & 15 == 0:
            goods = game[HAND + seat] - game[HIDDEN + seat]
            hidden = (game[SEAT + seat] >> HIDDEN_M) & 255
            merchants = (game[SEAT + seat] & 255) - hidden
            plan = to_lay(values, habits[EXCESS], stage, goods, merchants, _ONE)
            if plan == 0 and game[HIDDEN + seat] == 0 and hidden == 0:
                continue  # all of its cards are known, and none is for bidding
            if advantage(game, values, habits, seat, goods, merchants, plan) > -habits[ALL_PASS]:
                return False
    return True


@private
def _bid_or_pass(game: Words, values: Words, habits: Words) -> int:
    seat = game[TURN]
    goods = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    own = (game[SEAT + seat] >> w.WORTH) & 255
    needed = game[w.HIGHEST] + 1 - own
    plan = to_lay(values, habits[EXCESS], stage_of(game), goods, merchants, needed)
    if plan == 0:
        return PASS
    better = advantage(game, values, habits, seat, goods, merchants, plan)
    if better <= 0:
        return PASS
    if (
        habits[ALL_PASS] >= 0
        and game[w.HIGHEST] == 0
        and seat == game[w.STARTER]
        and _all_would_pass(game, values, habits)
    ):
        return PASS
    return -plan


@private
def _kind_to_take(game: Words, values: Words, habits: Words) -> int:
    """R4.1: the kind that gains most, and keeps most from those who take later."""
    seat = game[TURN]
    stage = stage_of(game)
    if stage == 1:
        stage = 0  # all that comes after the last round's market is the sale
    best, chosen = -(1 << 40), 0
    market = game[w.MARKET]
    more = (game[w.MERCHANTS] >> MARKET_M) & 255
    for kind in range(w.GOODS + 1):
        taken = market & (w.LANE << (10 * kind)) if kind < w.GOODS else 0
        jokers = more if kind == w.GOODS else 0
        if taken or jokers:
            value = hand_value(
                values,
                habits[EXCESS],
                stage,
                game[HAND + seat] + taken,
                (game[SEAT + seat] & 255) + jokers,
            )
            denied = 0
            later = game[w.TAKERS] >> 4
            while later:
                other = (later & 15) - 1
                goods = game[HAND + other] - game[HIDDEN + other]
                merchants = (game[SEAT + other] & 255) - ((game[SEAT + other] >> HIDDEN_M) & 255)
                gain = hand_value(
                    values, habits[EXCESS], stage, goods + taken, merchants + jokers
                ) - hand_value(values, habits[EXCESS], stage, goods, merchants)
                denied = max(denied, gain)
                later >>= 4
            value += (habits[DENY_TAKE] * denied) >> 6
            if value > best:
                best, chosen = value, kind
    return TAKE + chosen


@entry
def answer(game: Words, values: Words, habits: Words) -> int:
    """What the trader does on turn: a number, or a bid's cards, packed and negative."""
    phase = game[PHASE]
    if phase == w.AUCTION:
        return _bid_or_pass(game, values, habits)
    if phase == w.TAKE:
        return _kind_to_take(game, values, habits)
    seat = game[TURN]
    goods = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    stage = stage_of(game)
    if phase == w.GIVE:
        gift = best_gift(game, values, habits, stage, seat, goods, merchants, game[w.MARKET])
        return GIVE + (gift & 255)
    if phase == w.FINAL:
        sale = best_sale(values, _NOTHING, _NOTHING, goods, merchants)
        return sale & 1023 if sale >= 0 else DONE
    sale = best_sale(values, habits[EXCESS], stage, goods, merchants)
    discard = least_missed(values, habits[EXCESS], stage, goods, merchants)
    if sale >= 0 and sale >> 10 >= discard >> 10:
        return sale & 1023
    return DISCARD + (discard & 1023)


@part
def play(game: Words, chosen: int) -> None:
    """Plays an answer for the seat on turn, a bid's cards all at once."""
    if chosen < 0:
        game[HAND + game[TURN]] += chosen
        game[w.LAID] = -chosen
        step(game, _CONFIRM)
    else:
        step(game, chosen)
