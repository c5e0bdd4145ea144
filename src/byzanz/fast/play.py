"""The course of a game, compiled: dealing, and the next state after an action's number.

Line by line the same game as :mod:`byzanz.rules.play`; tests play both in lockstep. A number must
be legal: nothing is checked here. ``game`` is a record seen as its words.
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

from . import layout as w
from .bits import lowest
from .chance import draw
from .jit import entry, inlined, private
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
    Words,
    count_of,
    face_at,
    faces_in,
    shift_of,
    size_of,
    worth_of,
)

HAND_LIMIT = 7

# NumPy's numbers, for Numba compiles a function anew for every plain one that it is given.
_NONE, _NO_CARDS = np.int64(-1), np.int64(0)

_VALUES = np.array(
    [[card.worth - 1 if card.worth else 4 for card in cards] for cards in SETS[:SETS_A_GOOD]],
    dtype=np.int64,
)
"""The sets of one good: by card the value less one, 4 for a merchant."""

_DECK_IN_ORDER = np.repeat(np.arange(25, dtype=np.int64), [*([6, 5, 3, 2] * w.GOODS), 16])


@inlined
def offer_cards(players: int) -> int:
    """The offer cards of the set-up, four bits each, the lowest first (R2.2)."""
    if players == 3:
        return 0x642
    if players == 4:
        return 0x5432
    if players == 5:
        return 0x54321
    return 0x654321


@inlined
def removed_cards(players: int) -> int:
    """How many cards leave the game unseen (R2.2)."""
    if players == 4:
        return 12
    return 2 if players == 5 else 4


@entry
def deal(game: Words, players: int, seed: int) -> None:
    """Makes the record the first state of the deal that the seed stands for."""
    for place in range(w.WORDS):
        game[place] = 0
    game[w.CHANCE] = seed
    for place in range(w.CARDS):
        game[w.DECK + (place >> 3)] |= _DECK_IN_ORDER[place] << (8 * (place & 7))
    for last in range(w.CARDS - 1, 0, -1):
        other = draw(game, last + 1)
        swap = w.byte_at(game, last) ^ w.byte_at(game, other)
        game[w.DECK + (last >> 3)] ^= swap << (8 * (last & 7))
        game[w.DECK + (other >> 3)] ^= swap << (8 * (other & 7))
    game[w.PLAYERS] = players
    for seat in range(players):
        for place in range(4 * seat, 4 * seat + 4):
            face = w.byte_at(game, place)
            if face == w.MERCHANT:
                game[SEAT + seat] += (1 << HAND_M) | (1 << HIDDEN_M)
            else:
                game[HAND + seat] += 1 << shift_of(face)
        game[HIDDEN + seat] = game[HAND + seat]
    game[w.DRAWN] = 4 * players + removed_cards(players)
    game[w.STACK] = players
    _next_auction(game, game[w.STARTER])


@entry
def step(game: Words, number: int) -> None:
    """Plays a legal number for the seat on turn."""
    seat = game[TURN]
    if number < CONFIRM:
        one = 1 << shift_of(number)
        game[HAND + seat] -= one
        game[w.LAID] += one
        return
    if number >= SELL:
        sell(game, seat, number)
        return
    # The rest ends in common: an auction won, a hand to settle. On a GPU all threads share it.
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
def _bid(game: Words, seat: int) -> None:
    """R3.2, R3.4: the cards laid are added, open, to the seat's bid."""
    laid = game[w.LAID]
    game[BID + seat] += laid
    game[w.LAID] = 0
    _hide(game, seat, faces_in(laid))
    worth = worth_of(game[BID + seat])
    game[SEAT + seat] = (game[SEAT + seat] & ~(255 << w.WORTH)) | (worth << w.WORTH)
    game[w.HIGHEST] = worth


@inlined
def _pass(game: Words, seat: int) -> None:
    """R3.5: the seat is out of this auction and takes its bid back into hand."""
    game[HAND + seat] += game[BID + seat]
    game[BID + seat] = 0
    game[SEAT + seat] = (game[SEAT + seat] & ~(255 << w.WORTH)) | w.PASSED


@private
def _call_on(game: Words, seat: int) -> int:
    """R3.3, R3.6: the next player still in the auction is called, or one has won it.

    Returns who takes the offer at once because all have passed, or -1.
    """
    players = game[w.PLAYERS]
    following, still_in = seat, 0
    for distance in range(1, players + 1):
        other = seat + distance
        if other >= players:
            other -= players
        if game[SEAT + other] & (w.PASSED | (15 << w.OFFER_CARD)) == 0:
            if still_in == 0:
                following = other
            still_in += 1
    if still_in == 0:
        return game[w.STARTER]  # R3.10: who passed first is the starter (I9)
    if still_in == 1 and game[BID + following] != 0:
        _won(game, following)
    else:
        game[TURN] = following
    return -1


@private
def _won(game: Words, winner: int) -> None:
    """R3.8a: the whole bid goes into the market; the winner is to give a card of the offer."""
    game[w.MARKET] += game[BID + winner]
    game[BID + winner] = 0
    game[SEAT + winner] &= ~(255 << w.WORTH)
    game[w.HIGHEST] = 0
    game[PHASE] = w.GIVE
    game[TURN] = winner


@private
def _give(game: Words, face: int) -> None:
    """R3.8b, R3.11: the chosen card of the offer goes into the market."""
    if face == w.MERCHANT:
        game[w.MERCHANTS] += (1 << MARKET_M) - (1 << OFFER_M)
    else:
        one = 1 << shift_of(face)
        game[w.OFFER] -= one
        game[w.MARKET] += one


@private
def _auction_over(game: Words, winner: int) -> None:
    """R3.8 c and d: the winner takes what is left of the offer, and the top offer card."""
    players = game[w.PLAYERS]
    for seat in range(players):
        game[SEAT + seat] &= ~w.PASSED
    game[HAND + winner] += game[w.OFFER]
    game[SEAT + winner] += ((game[w.MERCHANTS] >> OFFER_M) & 255) << HAND_M
    game[w.MERCHANTS] &= ~(255 << OFFER_M)
    game[w.OFFER] = 0
    game[w.STACK] -= 1
    game[SEAT + winner] |= ((offer_cards(players) >> (4 * game[w.STACK])) & 15) << w.OFFER_CARD
    if game[w.STACK] == 0:
        game[w.TAKERS] = _taking_order(game)


@private
def _taking_order(game: Words) -> int:
    """All seats in ascending order of their offer cards, four bits each, seat + 1 (R4.1)."""
    order = 0
    place = 0
    for card in range(1, 7):
        for seat in range(game[w.PLAYERS]):
            if (game[SEAT + seat] >> w.OFFER_CARD) & 15 == card:
                order |= (seat + 1) << (4 * place)
                place += 1
    return order


@private
def _take(game: Words, seat: int, kind: int) -> None:
    """R4.1: all market cards of the kind go into the seat's hand."""
    if kind == w.GOODS:
        game[SEAT + seat] += ((game[w.MERCHANTS] >> MARKET_M) & 255) << HAND_M
        game[w.MERCHANTS] &= ~(255 << MARKET_M)
    else:
        taken = game[w.MARKET] & (w.LANE << (10 * kind))
        game[w.MARKET] ^= taken
        game[HAND + seat] += taken
    game[w.TAKERS] >>= 4


@entry
def sell(game: Words, seat: int, number: int) -> None:
    """R5.1: the highest card of the set stays as profit, the other two leave the game."""
    if number == NUMBERS - 1:
        game[SEAT + seat] += (1 << w.KEPT_M) - (3 << HAND_M)
        game[w.MERCHANTS] += 2 << GONE_M
    else:
        good = (number - SELL) // SETS_A_GOOD
        kind = (number - SELL) - good * SETS_A_GOOD
        kept, faces = _NONE, _NO_CARDS
        for place in range(3):
            value = _VALUES[kind, place]
            if value == 4:
                game[SEAT + seat] -= 1 << HAND_M
                game[w.MERCHANTS] += 1 << GONE_M
            else:
                # The cards of a set ascend, so the last goods card is the highest.
                if kept >= 0:
                    game[w.GONE] += 1 << shift_of(kept)
                kept = 4 * good + value
                game[HAND + seat] -= 1 << shift_of(kept)
                faces |= 1 << shift_of(kept)
        game[w.KEPT + seat] += 1 << shift_of(kept)
        _hide(game, seat, faces)
    _hide_merchants(game, seat)
    if game[PHASE] == w.LIMIT and game[TURN] == seat:
        _settle(game, seat)


@private
def _discard(game: Words, seat: int, face: int) -> None:
    """R6.1: the card leaves the game, seen by all (I6)."""
    if face == w.MERCHANT:
        game[SEAT + seat] -= 1 << HAND_M
        game[w.MERCHANTS] += 1 << GONE_M
        _hide_merchants(game, seat)
    else:
        one = 1 << shift_of(face)
        game[HAND + seat] -= one
        game[w.GONE] += one
        _hide(game, seat, one)


@private
def _hide(game: Words, seat: int, faces: int) -> None:
    """I6: of these faces no more are hidden than the hand still holds."""
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
def _hide_merchants(game: Words, seat: int) -> None:
    """I6: no more merchants are hidden than the hand still holds."""
    spare = ((game[SEAT + seat] >> HIDDEN_M) & 255) - ((game[SEAT + seat] >> HAND_M) & 255)
    if spare > 0:
        game[SEAT + seat] -= spare << HIDDEN_M


@private
def _settle(game: Words, seat: int) -> None:
    """R6.1, I5: play goes on once this seat holds seven cards or fewer."""
    if size_of(game[HAND + seat]) + ((game[SEAT + seat] >> HAND_M) & 255) > HAND_LIMIT:
        game[PHASE] = w.LIMIT
        game[TURN] = seat
    elif game[w.STACK] > 0:
        _next_auction(game, _next_without_offer_card(game, seat))
    elif game[w.TAKERS] and (game[w.MARKET] or (game[w.MERCHANTS] >> MARKET_M) & 255):
        game[PHASE] = w.TAKE  # I4: with an empty market the rest is skipped
        game[TURN] = (game[w.TAKERS] & 15) - 1
    else:
        _round_over(game)


@private
def _next_auction(game: Words, starter: int) -> None:
    """R3.1: as many cards are turned up as the top offer card says."""
    stack = game[w.STACK]
    count = (offer_cards(game[w.PLAYERS]) >> (4 * (stack - 1))) & 15
    # R3.11: the last player without an offer card needs no bid.
    game[PHASE] = w.AUCTION if stack > 1 else w.GIVE
    game[TURN] = starter
    game[w.STARTER] = starter
    game[w.HIGHEST] = 0
    for place in range(game[w.DRAWN], game[w.DRAWN] + count):
        face = w.byte_at(game, place)
        if face == w.MERCHANT:
            game[w.MERCHANTS] += 1 << OFFER_M
        else:
            game[w.OFFER] += 1 << shift_of(face)
    game[w.DRAWN] += count


@private
def _next_without_offer_card(game: Words, winner: int) -> int:
    """R3.9: the first player left of the winner who has no offer card yet."""
    players = game[w.PLAYERS]
    seat = winner
    while True:
        seat = seat + 1 if seat + 1 < players else 0
        if (game[SEAT + seat] >> w.OFFER_CARD) & 15 == 0:
            return seat


@private
def _round_over(game: Words) -> None:
    """R4.2, R4.3: the market is cleared, and the holder of the lowest offer card starts anew."""
    players = game[w.PLAYERS]
    starter = (_taking_order(game) & 15) - 1
    for seat in range(players):
        game[SEAT + seat] &= ~(15 << w.OFFER_CARD)
    game[w.GONE] += game[w.MARKET]
    game[w.MARKET] = 0
    game[w.MERCHANTS] += ((game[w.MERCHANTS] >> MARKET_M) & 255) << GONE_M
    game[w.MERCHANTS] &= ~(255 << MARKET_M)
    game[w.TAKERS] = 0
    game[w.STACK] = players
    game[w.STARTER] = starter
    if game[w.DRAWN] < w.CARDS:
        _next_auction(game, starter)
    else:
        game[PHASE] = w.FINAL
        game[TURN] = 0


@private
def _done(game: Words, seat: int) -> None:
    """I8: the seat acts no more; when all are done the game is over (R7.2)."""
    game[SEAT + seat] |= w.DONE
    for other in range(game[w.PLAYERS]):
        if game[SEAT + other] & w.DONE == 0:
            game[TURN] = other
            return
    game[PHASE] = w.OVER
    game[TURN] = -1
