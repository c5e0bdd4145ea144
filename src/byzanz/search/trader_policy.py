"""The trader's compiled policy, which compares the hands that its choices lead to.

The policy reads the hand of the player to move, the open cards, and the cards that others are known
to hold, and nothing else. Moves are those of :mod:`byzanz.search.move_conversion`.
"""

from __future__ import annotations

import numpy as np

from byzanz.encoding.numbers import CONFIRM, DISCARD, DONE, GIVE, PASS, TAKE
from byzanz.fast import layout, step
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
    Ints,
    Record,
    face_at,
    faces_in,
)

from .hand_value import STAGES, hand_value
from .sales import best_discard, best_sale

# Indices into the parameters, whose values are in ``trader_parameters.py``.
EXCESS = 0  # points lost for each card above the hand limit
SURVIVAL = 1  # probability, in 64ths, that a kind is left after half a taker
RIVAL_TAKE = 2  # weight, in 64ths, of the best rival's gain when taking
RIVAL_GIVE = 3  # weight, in 64ths, of the best rival's gain when giving
ALL_PASS = 4  # the starter passes if every rival prefers passing by at least these points
PASS_BONUS = 5  # from this index on: points for passing, by number of offer cards left
PARAMETERS = PASS_BONUS + 7

# These are NumPy integers, because Numba would compile another version of a function for a Python
# integer.
_ZERO, _ONE, _CONFIRM = np.int64(0), np.int64(1), np.int64(CONFIRM)


@part
def rounds_left(game: Record) -> int:
    """Return the number of rounds left, including the current one."""
    players = game[layout.PLAYERS]
    cards_per_round = 12 if players == 3 else 14 if players == 4 else 15 if players == 5 else 21
    return 1 + (layout.CARDS - game[layout.DRAWN]) // cards_per_round


@part
def stage_of(game: Record) -> int:
    """Return the stage at which hands are valued: the rounds left, at most four."""
    return min(rounds_left(game), STAGES - 1)


@part
def expected_market_gain(
    values: Ints,
    parameters: Ints,
    stage: int,
    goods: int,
    merchants: int,
    market: int,
    market_merchants: int,
    half_takers: int,
) -> int:
    """Return the expected gain of a hand in the market.

    The hand gets its best kind if nobody has taken it, else the second best, else the third.
    ``half_takers`` is twice the expected number of players who take before this one; each half
    taker reduces the probability that a kind is left.
    """
    excess = parameters[EXCESS]
    now = hand_value(values, excess, stage, goods, merchants)
    first, second, third = 0, 0, 0
    gain = 0
    if market_merchants:
        first = max(hand_value(values, excess, stage, goods, merchants + market_merchants) - now, 0)
    for good in range(layout.GOODS):
        taken = market & (layout.LANE << (10 * good))
        if taken:
            gain = hand_value(values, excess, stage, goods + taken, merchants) - now
            if gain > first:
                first, second, third = gain, first, second
            elif gain > second:
                second, third = gain, second
            elif gain > third:
                third = gain
    survives = 4096
    for _ in range(half_takers):
        survives = (survives * parameters[SURVIVAL]) >> 6
    gone = 4096 - survives
    next_best = second + ((gone * (third - second)) >> 12)
    return first + ((gone * (next_best - first)) >> 12)


@part
def cheapest_bid(
    values: Ints, excess: int, stage: int, goods: int, merchants: int, needed: int
) -> int:
    """Return packed cards worth at least ``needed`` that leave a good hand; 0 if there are none.

    The search is greedy: it adds the card with the lowest loss per point of worth.
    """
    bid_cards = 0
    hand = goods
    while needed > 0:
        best, chosen = 1 << 40, -1
        faces = faces_in(hand)
        now = hand_value(values, excess, stage, hand, merchants)
        while faces:
            shift = lowest(faces)
            loss = now - hand_value(values, excess, stage, hand - (1 << shift), merchants)
            value = (face_at(shift) & 3) + 1
            # The loss per point of worth that is needed, with a penalty for overbidding.
            rate = 64 * max(loss, 0) // min(needed, value) + 8 * max(value - needed, 0)
            if rate < best:
                best, chosen = rate, shift
            faces &= faces - 1
        if chosen < 0:
            return 0
        hand -= 1 << chosen
        bid_cards += 1 << chosen
        needed -= (face_at(chosen) & 3) + 1
    faces = faces_in(bid_cards)
    while faces:
        shift = lowest(faces)
        value = (face_at(shift) & 3) + 1
        if needed + value <= 0:
            bid_cards -= 1 << shift
            needed += value
        faces &= faces - 1
    return bid_cards


@part
def best_card_to_give(
    game: Record,
    values: Ints,
    parameters: Ints,
    stage: int,
    seat: int,
    goods: int,
    merchants: int,
    market: int,
) -> int:
    """Return the card to give to the market from a won offer (R3.8b).

    The low eight bits hold the card's face. The higher bits hold the value of the remaining hand
    and of the market.
    """
    offered = (game[layout.MERCHANTS] >> OFFER_M) & 255
    market_merchants = (game[layout.MERCHANTS] >> MARKET_M) & 255
    half_takers = 2 * (game[layout.STACK] - 1)
    best, chosen = -(1 << 40), layout.MERCHANT
    all_goods, all_merchants = goods + game[layout.OFFER], merchants + offered
    faces = faces_in(game[layout.OFFER])
    merchant_left = offered > 0
    while faces or merchant_left:
        if faces:
            shift = lowest(faces)
            card, merchant = 1 << shift, 0
            face = face_at(shift)
            faces &= faces - 1
        else:
            card, merchant, face, merchant_left = 0, 1, layout.MERCHANT, False
        value = hand_value(
            values, parameters[EXCESS], stage, all_goods - card, all_merchants - merchant
        )
        value += expected_market_gain(
            values,
            parameters,
            stage,
            all_goods - card,
            all_merchants - merchant,
            market + card,
            market_merchants + merchant,
            half_takers,
        )
        if parameters[RIVAL_GIVE]:
            rival_gain = _best_rival_gain(
                game, values, parameters, stage, seat, market, market_merchants, card, merchant
            )
            value -= (parameters[RIVAL_GIVE] * rival_gain) >> 6
        if value > best:
            best, chosen = value, face
    return (best << 8) | chosen


@private
def _best_rival_gain(
    game: Record,
    values: Ints,
    parameters: Ints,
    stage: int,
    seat: int,
    market: int,
    market_merchants: int,
    card: int,
    merchant: int,
) -> int:
    """Return the most that one more market card is worth to a rival with its known cards."""
    best = 0
    lane = layout.LANE << (10 * (lowest(card) // 10)) if card else 0
    for other in range(game[layout.PLAYERS]):
        if other != seat:
            goods = game[HAND + other] - game[HIDDEN + other] + game[BID + other]
            merchants = (game[SEAT + other] & 255) - ((game[SEAT + other] >> HIDDEN_M) & 255)
            if merchant:
                before = hand_value(
                    values, parameters[EXCESS], stage, goods, merchants + market_merchants
                )
                after = hand_value(
                    values, parameters[EXCESS], stage, goods, merchants + market_merchants + 1
                )
            else:
                taken = goods + (market & lane)
                before = hand_value(values, parameters[EXCESS], stage, taken, merchants)
                after = hand_value(values, parameters[EXCESS], stage, taken + card, merchants)
            best = max(best, after - before)
    return best


@part
def bid_advantage(
    game: Record,
    values: Ints,
    parameters: Ints,
    seat: int,
    goods: int,
    merchants: int,
    bid_cards: int,
) -> int:
    """Return how much more a seat gains by winning this lot with ``bid_cards`` than by passing."""
    stage = stage_of(game)
    stack = game[layout.STACK]
    bid = game[BID + seat]
    market = game[layout.MARKET]
    market_merchants = (game[layout.MERCHANTS] >> MARKET_M) & 255
    after = goods - bid_cards
    paid = market + bid + bid_cards
    winning = best_card_to_give(game, values, parameters, stage, seat, after, merchants, paid) >> 8
    passing = hand_value(values, parameters[EXCESS], stage, goods + bid, merchants)
    # A seat that passes may win a smaller lot and then takes earlier from the market.
    leading = 0
    for other in range(game[layout.PLAYERS]):
        if other != seat and (game[SEAT + other] >> layout.WORTH) & 255 == game[layout.HIGHEST]:
            leading = game[BID + other]
    passing += expected_market_gain(
        values,
        parameters,
        stage,
        goods + bid,
        merchants,
        market + leading,
        market_merchants,
        stack - 2,
    )
    return winning - passing - parameters[PASS_BONUS + stack]


@private
def _all_would_pass(game: Record, values: Ints, parameters: Ints) -> bool:
    """Return whether all rivals in the auction would pass this lot, given their known cards."""
    stage = stage_of(game)
    for seat in range(game[layout.PLAYERS]):
        if seat != game[TURN] and (game[SEAT + seat] >> layout.OFFER_CARD) & 15 == 0:
            goods = game[HAND + seat] - game[HIDDEN + seat]
            hidden = (game[SEAT + seat] >> HIDDEN_M) & 255
            merchants = (game[SEAT + seat] & 255) - hidden
            bid_cards = cheapest_bid(values, parameters[EXCESS], stage, goods, merchants, _ONE)
            if bid_cards == 0 and game[HIDDEN + seat] == 0 and hidden == 0:
                continue  # all of this rival's cards are known, and it cannot bid
            gain = bid_advantage(game, values, parameters, seat, goods, merchants, bid_cards)
            if gain > -parameters[ALL_PASS]:
                return False
    return True


@private
def _bid_or_pass(game: Record, values: Ints, parameters: Ints) -> int:
    seat = game[TURN]
    goods = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    own = (game[SEAT + seat] >> layout.WORTH) & 255
    needed = game[layout.HIGHEST] + 1 - own
    bid_cards = cheapest_bid(values, parameters[EXCESS], stage_of(game), goods, merchants, needed)
    if bid_cards == 0:
        return PASS
    gain = bid_advantage(game, values, parameters, seat, goods, merchants, bid_cards)
    if gain <= 0:
        return PASS
    if (
        parameters[ALL_PASS] >= 0
        and game[layout.HIGHEST] == 0
        and seat == game[layout.STARTER]
        and _all_would_pass(game, values, parameters)
    ):
        return PASS
    return -bid_cards


@private
def _best_kind_to_take(game: Record, values: Ints, parameters: Ints) -> int:
    """Return the action number of the best take.

    The value of a take is that of the hand after it, plus part of what a later taker would gain
    from the same kind.
    """
    seat = game[TURN]
    stage = stage_of(game)
    if stage == 1:
        stage = 0  # only the final sale follows the last market
    best, chosen = -(1 << 40), 0
    market = game[layout.MARKET]
    market_merchants = (game[layout.MERCHANTS] >> MARKET_M) & 255
    for kind in range(layout.GOODS + 1):
        taken = market & (layout.LANE << (10 * kind)) if kind < layout.GOODS else 0
        taken_merchants = market_merchants if kind == layout.GOODS else 0
        if taken or taken_merchants:
            value = hand_value(
                values,
                parameters[EXCESS],
                stage,
                game[HAND + seat] + taken,
                (game[SEAT + seat] & 255) + taken_merchants,
            )
            rival_gain = 0
            later = game[layout.TAKERS] >> 4
            while later:
                other = (later & 15) - 1
                goods = game[HAND + other] - game[HIDDEN + other]
                merchants = (game[SEAT + other] & 255) - ((game[SEAT + other] >> HIDDEN_M) & 255)
                gain = hand_value(
                    values, parameters[EXCESS], stage, goods + taken, merchants + taken_merchants
                ) - hand_value(values, parameters[EXCESS], stage, goods, merchants)
                rival_gain = max(rival_gain, gain)
                later >>= 4
            value += (parameters[RIVAL_TAKE] * rival_gain) >> 6
            if value > best:
                best, chosen = value, kind
    return TAKE + chosen


@entry
def trader_move(game: Record, values: Ints, parameters: Ints) -> int:
    """Return the trader's move for the seat whose turn it is."""
    phase = game[PHASE]
    if phase == layout.AUCTION:
        return _bid_or_pass(game, values, parameters)
    if phase == layout.TAKE:
        return _best_kind_to_take(game, values, parameters)
    seat = game[TURN]
    goods = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    stage = stage_of(game)
    if phase == layout.GIVE:
        market = game[layout.MARKET]
        best = best_card_to_give(game, values, parameters, stage, seat, goods, merchants, market)
        return GIVE + (best & 255)
    if phase == layout.FINAL:
        sale = best_sale(values, _ZERO, _ZERO, goods, merchants)
        return sale & 1023 if sale >= 0 else DONE
    sale = best_sale(values, parameters[EXCESS], stage, goods, merchants)
    discard = best_discard(values, parameters[EXCESS], stage, goods, merchants)
    if sale >= 0 and sale >> 10 >= discard >> 10:
        return sale & 1023
    return DISCARD + (discard & 1023)


@part
def play_move(game: Record, move: int) -> None:
    """Play a move for the seat whose turn it is."""
    if move < 0:
        game[HAND + game[TURN]] += move
        game[layout.LAID] = -move
        step(game, _CONFIRM)
    else:
        step(game, move)
