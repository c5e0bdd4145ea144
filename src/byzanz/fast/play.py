"""Dealing and state transitions, compiled.

The code follows :mod:`byzanz.rules.play` line by line; tests play both in lockstep. Action numbers
must be legal: nothing is checked here. ``game`` is a record as a row of integers.
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

from . import layout
from .bits import lowest
from .chance import draw
from .jit import entry, inlined, part, private
from .layout import (
    BID,
    GONE_M,
    HAND,
    HAND_M,
    HIDDEN,
    HIDDEN_M,
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
    size_of,
    worth_of,
)

HAND_LIMIT = 7

# These are NumPy integers, because Numba would compile a function again for every Python literal
# that is passed to it.
_NONE, _NO_CARDS = np.int64(-1), np.int64(0)

_VALUES = np.array(
    [[card.worth - 1 if card.worth else 4 for card in cards] for cards in SETS[:SETS_A_GOOD]],
    dtype=np.int64,
)
"""The sets of one good: for each card its value minus one, 4 for a merchant."""

_DECK_IN_ORDER = np.repeat(np.arange(25, dtype=np.int64), [*([6, 5, 3, 2] * layout.GOODS), 16])


@inlined
def offer_cards(players: int) -> int:
    """Return the offer cards of the set-up, four bits each, the lowest first (R2.2)."""
    if players == 3:
        return 0x642
    if players == 4:
        return 0x5432
    if players == 5:
        return 0x54321
    return 0x654321


@inlined
def removed_cards(players: int) -> int:
    """Return the number of cards that are removed unseen (R2.2)."""
    if players == 4:
        return 12
    return 2 if players == 5 else 4


@entry
def deal(game: Record, players: int, seed: int) -> None:
    """Set the record to the first state of the seed's deal."""
    for place in range(layout.RECORD_LENGTH):
        game[place] = 0
    game[layout.CHANCE] = seed
    for place in range(layout.CARDS):
        game[layout.DECK + (place >> 3)] |= _DECK_IN_ORDER[place] << (8 * (place & 7))
    for last in range(layout.CARDS - 1, 0, -1):
        other = draw(game, last + 1)
        swap = layout.byte_at(game, last) ^ layout.byte_at(game, other)
        game[layout.DECK + (last >> 3)] ^= swap << (8 * (last & 7))
        game[layout.DECK + (other >> 3)] ^= swap << (8 * (other & 7))
    begin(game, players)


@part
def begin(game: Record, players: int) -> None:
    """Set the record to the first state of the game with its cards.

    All fields except ``cards`` and ``chance`` must be 0.
    """
    game[layout.PLAYERS] = players
    for seat in range(players):
        for place in range(4 * seat, 4 * seat + 4):
            face = layout.byte_at(game, place)
            if face == layout.MERCHANT:
                game[SEAT + seat] += (1 << HAND_M) | (1 << HIDDEN_M)
            else:
                game[HAND + seat] += 1 << shift_of(face)
        game[HIDDEN + seat] = game[HAND + seat]
    game[layout.DRAWN] = 4 * players + removed_cards(players)
    game[layout.STACK] = players
    _next_auction(game, game[layout.STARTER])


@entry
def step(game: Record, number: int) -> None:
    """Play a legal action number for the seat to act."""
    seat = game[TURN]
    if number < CONFIRM:
        one = 1 << shift_of(number)
        game[HAND + seat] -= one
        game[layout.LAID] += one
        return
    if number >= SELL:
        sell(game, seat, number)
        return
    # All other actions end with the same code, so that the threads of a GPU run it together.
    winner, settling = -1, seat
    if number <= PASS:
        if number == CONFIRM:
            _bid(game, seat)
        else:
            _pass(game, seat)
        winner = _call_on(game, seat)
        if winner < 0:
            return
    elif number < TAKE:
        _give(game, number - GIVE)
        winner = seat
    elif number < DISCARD:
        _take(game, seat, number - TAKE)
    elif number < DONE:
        _discard(game, seat, number - DISCARD)
    else:
        _done(game, seat)
        return
    if winner >= 0:
        _auction_over(game, winner)
        settling = winner
    _settle(game, settling)


@private
def _bid(game: Record, seat: int) -> None:
    """Add the laid cards, face up, to the seat's bid (R3.2, R3.4)."""
    laid = game[layout.LAID]
    game[BID + seat] += laid
    game[layout.LAID] = 0
    _hide(game, seat, faces_in(laid))
    worth = worth_of(game[BID + seat])
    game[SEAT + seat] = (game[SEAT + seat] & ~(255 << layout.WORTH)) | (worth << layout.WORTH)
    game[layout.HIGHEST] = worth


@inlined
def _pass(game: Record, seat: int) -> None:
    """Take the seat out of this auction and return its bid to its hand (R3.5)."""
    game[HAND + seat] += game[BID + seat]
    game[BID + seat] = 0
    game[SEAT + seat] = (game[SEAT + seat] & ~(255 << layout.WORTH)) | layout.PASSED


@private
def _call_on(game: Record, seat: int) -> int:
    """Pass the turn to the next player still in the auction, or end the auction (R3.3, R3.6).

    Return the seat that gets the offer because all have passed, or -1.
    """
    players = game[layout.PLAYERS]
    following, still_in = seat, 0
    for distance in range(1, players + 1):
        other = seat + distance
        if other >= players:
            other -= players
        if game[SEAT + other] & (layout.PASSED | (15 << layout.OFFER_CARD)) == 0:
            if still_in == 0:
                following = other
            still_in += 1
    if still_in == 0:
        return game[layout.STARTER]  # R3.10: the starter is the one who passed first (I9)
    if still_in == 1 and game[BID + following] != 0:
        _won(game, following)
    else:
        game[TURN] = following
    return -1


@private
def _won(game: Record, winner: int) -> None:
    """Move the winning bid to the market; the winner gives a card of the offer next (R3.8a)."""
    game[layout.MARKET] += game[BID + winner]
    game[BID + winner] = 0
    game[SEAT + winner] &= ~(255 << layout.WORTH)
    game[layout.HIGHEST] = 0
    game[PHASE] = layout.GIVE
    game[TURN] = winner


@private
def _give(game: Record, face: int) -> None:
    """Move the chosen card of the offer to the market (R3.8b, R3.11)."""
    if face == layout.MERCHANT:
        game[layout.MERCHANTS] += (1 << MARKET_M) - (1 << OFFER_M)
    else:
        one = 1 << shift_of(face)
        game[layout.OFFER] -= one
        game[layout.MARKET] += one


@private
def _auction_over(game: Record, winner: int) -> None:
    """Give the winner the rest of the offer and the top offer card (R3.8c, R3.8d)."""
    players = game[layout.PLAYERS]
    for seat in range(players):
        game[SEAT + seat] &= ~layout.PASSED
    game[HAND + winner] += game[layout.OFFER]
    game[SEAT + winner] += ((game[layout.MERCHANTS] >> OFFER_M) & 255) << HAND_M
    game[layout.MERCHANTS] &= ~(255 << OFFER_M)
    game[layout.OFFER] = 0
    game[layout.STACK] -= 1
    game[SEAT + winner] |= (
        (offer_cards(players) >> (4 * game[layout.STACK])) & 15
    ) << layout.OFFER_CARD
    if game[layout.STACK] == 0:
        game[layout.TAKERS] = _taking_order(game)


@private
def _taking_order(game: Record) -> int:
    """Return the seats in ascending order of their offer cards (R4.1): seat + 1, four bits each."""
    order = 0
    place = 0
    for card in range(1, 7):
        for seat in range(game[layout.PLAYERS]):
            if (game[SEAT + seat] >> layout.OFFER_CARD) & 15 == card:
                order |= (seat + 1) << (4 * place)
                place += 1
    return order


@private
def _take(game: Record, seat: int, kind: int) -> None:
    """Move all market cards of the kind to the seat's hand (R4.1)."""
    if kind == layout.GOODS:
        game[SEAT + seat] += ((game[layout.MERCHANTS] >> MARKET_M) & 255) << HAND_M
        game[layout.MERCHANTS] &= ~(255 << MARKET_M)
    else:
        taken = game[layout.MARKET] & (layout.LANE << (10 * kind))
        game[layout.MARKET] ^= taken
        game[HAND + seat] += taken
    game[layout.TAKERS] >>= 4


@entry
def sell(game: Record, seat: int, number: int) -> None:
    """Sell a set: keep its highest card as profit, remove the other two (R5.1)."""
    if number == NUMBERS - 1:
        game[SEAT + seat] += (1 << layout.KEPT_M) - (3 << HAND_M)
        game[layout.MERCHANTS] += 2 << GONE_M
    else:
        good = (number - SELL) // SETS_A_GOOD
        kind = (number - SELL) - good * SETS_A_GOOD
        kept, faces = _NONE, _NO_CARDS
        for place in range(3):
            value = _VALUES[kind, place]
            if value == 4:
                game[SEAT + seat] -= 1 << HAND_M
                game[layout.MERCHANTS] += 1 << GONE_M
            else:
                # The cards of a set ascend, so the last goods card is the highest.
                if kept >= 0:
                    game[layout.GONE] += 1 << shift_of(kept)
                kept = 4 * good + value
                game[HAND + seat] -= 1 << shift_of(kept)
                faces |= 1 << shift_of(kept)
        game[layout.KEPT + seat] += 1 << shift_of(kept)
        _hide(game, seat, faces)
    _hide_merchants(game, seat)
    if game[PHASE] == layout.LIMIT and game[TURN] == seat:
        _settle(game, seat)


@private
def _discard(game: Record, seat: int, face: int) -> None:
    """Discard a card face up (R6.1, I6)."""
    if face == layout.MERCHANT:
        game[SEAT + seat] -= 1 << HAND_M
        game[layout.MERCHANTS] += 1 << GONE_M
        _hide_merchants(game, seat)
    else:
        one = 1 << shift_of(face)
        game[HAND + seat] -= one
        game[layout.GONE] += one
        _hide(game, seat, one)


@private
def _hide(game: Record, seat: int, faces: int) -> None:
    """Limit the hidden cards of these faces to those still in hand (I6)."""
    hidden = game[HIDDEN + seat]
    while faces and hidden:
        shift = lowest(faces)
        face = face_at(shift)
        spare = count_of(hidden, face) - count_of(game[HAND + seat], face)
        if spare > 0:
            hidden -= spare << shift
        faces &= faces - 1
    game[HIDDEN + seat] = hidden


@private
def _hide_merchants(game: Record, seat: int) -> None:
    """Limit the hidden merchants to those still in hand (I6)."""
    spare = ((game[SEAT + seat] >> HIDDEN_M) & 255) - ((game[SEAT + seat] >> HAND_M) & 255)
    if spare > 0:
        game[SEAT + seat] -= spare << HIDDEN_M


@private
def _settle(game: Record, seat: int) -> None:
    """Continue play, unless the seat has more than seven cards (R6.1, I5)."""
    if size_of(game[HAND + seat]) + ((game[SEAT + seat] >> HAND_M) & 255) > HAND_LIMIT:
        game[PHASE] = layout.LIMIT
        game[TURN] = seat
    elif game[layout.STACK] > 0:
        _next_auction(game, _next_without_offer_card(game, seat))
    elif game[layout.TAKERS] and (
        game[layout.MARKET] or (game[layout.MERCHANTS] >> MARKET_M) & 255
    ):
        game[PHASE] = layout.TAKE  # I4: with an empty market the other takers are skipped
        game[TURN] = (game[layout.TAKERS] & 15) - 1
    else:
        _round_over(game)


@private
def _next_auction(game: Record, starter: int) -> None:
    """Start an auction: turn up as many cards as the top offer card says (R3.1)."""
    stack = game[layout.STACK]
    count = (offer_cards(game[layout.PLAYERS]) >> (4 * (stack - 1))) & 15
    # R3.11: the last player without an offer card needs no bid.
    game[PHASE] = layout.AUCTION if stack > 1 else layout.GIVE
    game[TURN] = starter
    game[layout.STARTER] = starter
    game[layout.HIGHEST] = 0
    for place in range(game[layout.DRAWN], game[layout.DRAWN] + count):
        face = layout.byte_at(game, place)
        if face == layout.MERCHANT:
            game[layout.MERCHANTS] += 1 << OFFER_M
        else:
            game[layout.OFFER] += 1 << shift_of(face)
    game[layout.DRAWN] += count


@private
def _next_without_offer_card(game: Record, winner: int) -> int:
    """Return the next seat without an offer card, clockwise from the winner (R3.9)."""
    players = game[layout.PLAYERS]
    seat = winner
    while True:
        seat = seat + 1 if seat + 1 < players else 0
        if (game[SEAT + seat] >> layout.OFFER_CARD) & 15 == 0:
            return seat


@private
def _round_over(game: Record) -> None:
    """Clear the market; the holder of the lowest offer card starts the next round (R4.2, R4.3)."""
    players = game[layout.PLAYERS]
    starter = (_taking_order(game) & 15) - 1
    for seat in range(players):
        game[SEAT + seat] &= ~(15 << layout.OFFER_CARD)
    game[layout.GONE] += game[layout.MARKET]
    game[layout.MARKET] = 0
    game[layout.MERCHANTS] += ((game[layout.MERCHANTS] >> MARKET_M) & 255) << GONE_M
    game[layout.MERCHANTS] &= ~(255 << MARKET_M)
    game[layout.TAKERS] = 0
    game[layout.STACK] = players
    game[layout.STARTER] = starter
    if game[layout.DRAWN] < layout.CARDS:
        _next_auction(game, starter)
    else:
        game[PHASE] = layout.FINAL
        game[TURN] = 0


@private
def _done(game: Record, seat: int) -> None:
    """Mark the seat as done; the game is over once all are done (I8, R7.2)."""
    game[SEAT + seat] |= layout.DONE
    for other in range(game[layout.PLAYERS]):
        if game[SEAT + other] & layout.DONE == 0:
            game[TURN] = other
            return
    game[PHASE] = layout.OVER
    game[TURN] = -1
