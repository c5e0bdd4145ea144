"""A fast heuristic policy for playouts, compiled, with integer arithmetic.

The value of a hand is eight points for each unit of profit that its sets earn, and fewer points for
cards that may become part of a set. The policy takes and keeps the cards that maximise the value of
its own hand. It bids its least useful cards as long as the offer adds more value than they have,
and it sells only when it must.
"""

from __future__ import annotations

import numpy as np

from byzanz.encoding.numbers import (
    CONFIRM,
    DISCARD,
    DONE,
    GIVE,
    NUMBERS,
    PASS,
    SELL,
    SETS_A_GOOD,
    TAKE,
)

from . import layout
from .bits import lowest
from .chance import draw
from .jit import entry, part, private
from .layout import (
    BID,
    HAND,
    HAND_M,
    MARKET_M,
    OFFER_M,
    PHASE,
    SEAT,
    TURN,
    Record,
    count_of,
    face_at,
    faces_in,
    shift_of,
)
from .legal import goods_with_sets, kinds_in_market
from .play import _VALUES

POINTS = 8
"""Points of hand value per unit of profit."""


def _lane_value(lane: int) -> int:
    """Return the value of one good's cards, given their ten bits."""
    counts = (lane & 7, lane >> 3 & 7, lane >> 6 & 3, lane >> 8)
    values = [value for value in (4, 3, 2, 1) for _ in range(counts[value - 1])]
    sets = len(values) // 3
    rest = values[sets : len(values) - 2 * sets]
    earned = POINTS * sum(values[:sets])
    pair = POINTS * rest[0] // 2 if len(rest) == 2 else 0
    return earned + pair + sum(rest)


_LANE_VALUES = np.array([_lane_value(lane) for lane in range(1024)], dtype=np.int64)

_KINDS = np.full((5, 5, 5), -1, dtype=np.int64)
for _kind, (_a, _b, _c) in enumerate(_VALUES):
    _KINDS[_a, _b, _c] = _kind


@part
def hand_value(goods: int, merchants: int) -> int:
    """Return the value of packed goods and merchants in hand, in points."""
    value = (merchants // 3) * 5 * POINTS + (merchants % 3) * 11
    while goods:
        value += _LANE_VALUES[goods & layout.LANE]
        goods >>= 10
    return value


@part
def least_useful(goods: int, merchants: int, among: int, some: int) -> int:
    """Return the least useful of these faces, or of these and a merchant if ``some`` is not 0."""
    best, chosen = 1 << 40, layout.MERCHANT
    if some:
        best = hand_value(goods, merchants) - hand_value(goods, merchants - 1)
    while among:
        shift = lowest(among)
        lane = 10 * (shift // 10)
        held = (goods >> lane) & layout.LANE
        loss = _LANE_VALUES[held] - _LANE_VALUES[held - (1 << (shift - lane))]
        if loss < best:
            best, chosen = loss, face_at(shift)
        among &= among - 1
    return chosen


@part
def to_lay(goods: int, needed: int) -> int:
    """Return packed cards worth ``needed`` or more that a hand can best spare; 0 if impossible."""
    plan = 0
    while needed > 0:
        best, chosen = 1 << 40, -1
        faces = faces_in(goods)
        while faces:
            shift = lowest(faces)
            lane = 10 * (shift // 10)
            held = (goods >> lane) & layout.LANE
            loss = _LANE_VALUES[held] - _LANE_VALUES[held - (1 << (shift - lane))]
            value = (face_at(shift) & 3) + 1
            # The loss per point of worth; worth beyond what is needed does not count.
            rate = 64 * loss // (min(needed, value))
            if rate < best:
                best, chosen = rate, shift
            faces &= faces - 1
        if chosen < 0:
            return 0
        goods -= 1 << chosen
        plan += 1 << chosen
        needed -= (face_at(chosen) & 3) + 1
    return plan


@private
def _bid_or_pass(game: Record) -> int:
    seat = game[TURN]
    laid = game[layout.LAID]
    hand = game[HAND + seat] + laid
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    own = (game[SEAT + seat] >> layout.WORTH) & 255
    plan = to_lay(hand, game[layout.HIGHEST] + 1 - own)
    if laid and not _leads_to(laid, plan):
        return _laid_on(game[HAND + seat], laid, game[layout.HIGHEST] - own)
    if laid:
        return CONFIRM if plan == laid else face_at(lowest(faces_in(plan - laid)))
    if plan == 0:
        return PASS
    passing = hand_value(hand + game[BID + seat], merchants)
    offer_merchants = (game[layout.MERCHANTS] >> OFFER_M) & 255
    after = hand - plan + game[layout.OFFER]
    given = least_useful(
        after, merchants + offer_merchants, faces_in(game[layout.OFFER]), offer_merchants
    )
    if given == layout.MERCHANT:
        winning = hand_value(after, merchants + offer_merchants - 1)
    else:
        winning = hand_value(after - (1 << shift_of(given)), merchants + offer_merchants)
    # The threshold is random, so that playouts of one world differ.
    if winning - passing > draw(game, 2 * POINTS):
        return face_at(lowest(faces_in(plan)))
    return PASS


@private
def _last(laid: int) -> int:
    """Return the lowest count bit of the face laid last."""
    last = faces_in(laid)
    while last & (last - 1):
        last &= last - 1
    return last


@private
def _leads_to(laid: int, plan: int) -> bool:
    """Return whether the plan contains the laid cards and no card that comes before them."""
    faces = faces_in(laid)
    while faces:
        face = face_at(lowest(faces))
        if count_of(laid, face) > count_of(plan, face):
            return False
        faces &= faces - 1
    return faces_in(plan - laid) & (_last(laid) - 1) == 0


@private
def _laid_on(hand: int, laid: int, short: int) -> int:
    """Return the next number of a bid that another policy began: CONFIRM or the lowest card.

    Cards are laid in face order, so the lowest one keeps all later ones available.
    """
    if layout.worth_of(laid) > short:
        return CONFIRM
    return face_at(lowest(faces_in(hand) & -_last(laid)))


@part
def best_sale(goods: int, merchants: int) -> int:
    """Return the number of the set with the most profit, or -1 if there is none.

    Of sets with equal profit, it is the one with the fewest merchants.
    """
    best, chosen = 0, -1
    if merchants > 2:
        best, chosen = 5 * POINTS - 3, NUMBERS - 1
    lanes = goods_with_sets(goods, merchants)
    while lanes:
        shift = lowest(lanes)
        lane = (goods >> shift) & layout.LANE
        top = 3
        while count_of(lane, top) == 0:
            top -= 1
        rest = lane - (1 << shift_of(top))
        low = _lowest_value(rest)
        if low < 4:
            rest -= 1 << shift_of(low)
        middle = _lowest_value(rest) if low < 4 else 4
        spent = (low == 4) + (middle == 4)
        if spent <= merchants and POINTS * (top + 1) - spent > best:
            best = POINTS * (top + 1) - spent
            if low == 4:
                kind = _KINDS[top, 4, 4]
            elif middle == 4:
                kind = _KINDS[low, top, 4]
            else:
                kind = _KINDS[low, middle, top]
            chosen = SELL + (shift // 10) * SETS_A_GOOD + kind
        lanes &= lanes - 1
    return chosen


@private
def _lowest_value(lane: int) -> int:
    """Return the lowest value in a good's ten bits, minus one; 4 if they are empty."""
    for value in range(4):
        if count_of(lane, value):
            return value
    return 4


@private
def _most_wanted(game: Record) -> int:
    seat = game[TURN]
    goods = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    best, chosen = -1, 0
    kinds = kinds_in_market(game)
    while kinds:
        kind = lowest(kinds)
        if kind == layout.GOODS:
            more = (game[layout.MERCHANTS] >> MARKET_M) & 255
            gain = hand_value(goods, merchants + more) - hand_value(goods, merchants)
        else:
            held = (goods >> (10 * kind)) & layout.LANE
            taken = (game[layout.MARKET] >> (10 * kind)) & layout.LANE
            gain = _LANE_VALUES[held + taken] - _LANE_VALUES[held]
        if gain > best:
            best, chosen = gain, kind
        kinds &= kinds - 1
    return TAKE + chosen


@entry
def sensible(game: Record) -> int:
    """Return the policy's action number for the seat to act."""
    phase = game[PHASE]
    if phase == layout.AUCTION:
        return _bid_or_pass(game)
    if phase == layout.TAKE:
        return _most_wanted(game)
    seat = game[TURN]
    goods = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    if phase == layout.GIVE:
        offered = (game[layout.MERCHANTS] >> OFFER_M) & 255
        faces = faces_in(game[layout.OFFER])
        return GIVE + least_useful(goods + game[layout.OFFER], merchants + offered, faces, offered)
    sale = best_sale(goods, merchants)
    if sale >= 0:
        return sale
    if phase == layout.LIMIT:
        return DISCARD + least_useful(goods, merchants, faces_in(goods), merchants)
    return DONE
