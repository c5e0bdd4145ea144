"""Play with checks on engine records: an action is played only if it is legal.

A function that plays an action returns False and changes nothing if it cannot confirm that the
action is legal. The readable rules then decide: :func:`byzanz.notation.judge` says what is wrong.
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
    SETS,
    SETS_A_GOOD,
    TAKE,
)
from byzanz.fast import layout, sell, step
from byzanz.fast.jit import part, private
from byzanz.fast.layout import (
    AUCTION,
    FINAL,
    HAND,
    HAND_M,
    LIMIT,
    MERCHANT,
    OFFER_M,
    OVER,
    PHASE,
    SEAT,
    TURN,
    Bytes,
    Record,
    count_of,
    shift_of,
    worth_of,
)
from byzanz.fast.legal import kinds_in_market
from byzanz.fast.play import begin, removed_cards
from byzanz.rules import COPIES, FACES

_SET_FACES = np.array(SETS, dtype=np.int64)
"""The three faces of each set, in the order of the action numbers."""
_COPIES = np.array([COPIES[face] for face in FACES], dtype=np.int64)

# These are NumPy integers, because Numba would compile a function again for every Python literal
# that is passed to it.
_CONFIRM, _DONE = np.int64(CONFIRM), np.int64(DONE)


@part
def dealt_before_deck(players: int) -> int:
    """Return how many cards are dealt or removed before the deck begins (R2.1, R2.2)."""
    return 4 * players + removed_cards(players)


@part
def begin_with(game: Record, players: int, cards: Bytes) -> bool:
    """Set the engine record to the first state of a deal; return whether the deal is valid.

    The number of players must be valid (R2.1), and the cards those of the game (R1.1). ``cards``
    has the hands seat by seat, then the removed cards, then the deck.
    """
    if players < 3 or players > layout.SEATS:
        return False
    for place in range(layout.RECORD_LENGTH):
        game[place] = 0
    for place in range(layout.CARDS):
        if cards[place] > MERCHANT:
            return False
        game[layout.DECK + (place >> 3)] |= np.int64(cards[place]) << (8 * (place & 7))
    for face in range(len(_COPIES)):
        count = 0
        for place in range(layout.CARDS):
            count += cards[place] == face
        if count != _COPIES[face]:
            return False
    begin(game, players)
    return True


@part
def play_bid(game: Record, seat: int, cards: int) -> bool:
    """Add packed goods to the seat's bid (R3.2 to R3.4)."""
    if cards == 0 or game[PHASE] != AUCTION or game[TURN] != seat:
        return False
    hand = game[HAND + seat]
    for face in range(layout.GOODS_FACES):
        if count_of(cards, face) > count_of(hand, face):
            return False
    own = (game[SEAT + seat] >> layout.WORTH) & 255
    if own + worth_of(cards) <= game[layout.HIGHEST]:
        return False
    game[HAND + seat] -= cards
    game[layout.LAID] = cards
    step(game, _CONFIRM)
    return True


@part
def play_number(game: Record, seat: int, number: int) -> bool:  # noqa: C901, PLR0912
    """Play the action with this number; :func:`play_bid` plays bids."""
    phase = game[PHASE]
    if seat < 0 or seat >= game[layout.PLAYERS] or phase == OVER:
        return False
    if number >= SELL:
        return number < NUMBERS and _play_sale(game, seat, number)
    if number == DONE:
        if phase != FINAL or game[SEAT + seat] & layout.DONE:
            return False
        game[TURN] = seat  # the seats may be done in any order (I8)
        step(game, _DONE)
        return True
    if game[TURN] != seat:
        return False
    if number == PASS:
        legal = phase == AUCTION
    elif GIVE <= number < TAKE:
        face = number - GIVE
        if face == MERCHANT:
            legal = (game[layout.MERCHANTS] >> OFFER_M) & 255 > 0
        else:
            legal = count_of(game[layout.OFFER], face) > 0
        legal = legal and phase == layout.GIVE
    elif TAKE <= number < DISCARD:
        legal = phase == layout.TAKE and (kinds_in_market(game) >> (number - TAKE)) & 1 > 0
    elif DISCARD <= number < DONE:
        face = number - DISCARD
        if face == MERCHANT:
            legal = (game[SEAT + seat] >> HAND_M) & 255 > 0
        else:
            legal = count_of(game[HAND + seat], face) > 0
        legal = legal and phase == LIMIT
    else:
        return False
    if legal:
        step(game, number)
    return legal


@private
def _play_sale(game: Record, seat: int, number: int) -> bool:
    """Sell a set, in turn or out of turn (R5.1)."""
    if game[SEAT + seat] & layout.DONE:
        return False
    hand = game[HAND + seat]
    merchants = (game[SEAT + seat] >> HAND_M) & 255
    for place in range(3):
        face = _SET_FACES[number - SELL, place]
        if face == MERCHANT:
            if merchants == 0:
                return False
            merchants -= 1
        else:
            if count_of(hand, face) == 0:
                return False
            hand -= 1 << shift_of(face)
    sell(game, seat, number)
    return True


@part
def sale_of(first: int, second: int, third: int) -> int:
    """Return the action number of the sale of three faces, in face order; -1 if they are no set."""
    if first == MERCHANT:
        return NUMBERS - 1 if second == MERCHANT and third == MERCHANT else -1
    good = first >> 2
    number = good * SETS_A_GOOD
    for kind in range(SETS_A_GOOD):
        if (
            _SET_FACES[number + kind, 0] == first
            and _SET_FACES[number + kind, 1] == second
            and _SET_FACES[number + kind, 2] == third
        ):
            return SELL + number + kind
    return -1
