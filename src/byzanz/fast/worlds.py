"""Dealing anew what a seat has not seen, compiled: the worlds that search looks into."""

from __future__ import annotations

from . import layout as w
from .chance import draw
from .jit import entry, part, private
from .layout import (
    HAND,
    HAND_M,
    HIDDEN,
    HIDDEN_M,
    SEAT,
    Words,
    byte_at,
    count_of,
    shift_of,
    size_of,
)
from .play import removed_cards


@private
def _set_byte(game: Words, place: int, face: int) -> None:
    shift = 8 * (place & 7)
    word = game[w.DECK + (place >> 3)]
    game[w.DECK + (place >> 3)] = (word & ~(255 << shift)) | (face << shift)


@part
def copy_game(source: Words, target: Words) -> None:
    """The target's words are the source's."""
    for place in range(w.WORDS):
        target[place] = source[place]


@entry
def deal_unseen(game: Words, seat: int) -> None:
    """Deals the cards that the seat has not seen in an order of chance, all equally likely.

    Others' hidden hands, the removed cards and the deck are dealt together. Nobody else may be
    laying a bid.
    """
    players = game[w.PLAYERS]
    dealt = 4 * players
    # The places of the dealt hands are free by now: the others' hidden cards are gathered there.
    hidden = 0
    for other in range(players):
        if other != seat:
            for face in range(w.GOODS_FACES):
                for _ in range(count_of(game[HIDDEN + other], face)):
                    _set_byte(game, hidden, face)
                    hidden += 1
            for _ in range((game[SEAT + other] >> HIDDEN_M) & 255):
                _set_byte(game, hidden, w.MERCHANT)
                hidden += 1
    removed = removed_cards(players)
    drawn = game[w.DRAWN]
    for last in range(hidden + removed + w.CARDS - drawn - 1, 0, -1):
        one = _place(last, hidden, removed, dealt, drawn)
        other = _place(draw(game, last + 1), hidden, removed, dealt, drawn)
        face = byte_at(game, one)
        _set_byte(game, one, byte_at(game, other))
        _set_byte(game, other, face)
    place = 0
    for other in range(players):
        if other != seat:
            place = _deal_hidden(game, other, place)


@private
def _place(number: int, hidden: int, removed: int, dealt: int, drawn: int) -> int:
    """Where the unseen card of this number lies: gathered, removed, or in the deck."""
    if number < hidden:
        return number
    if number < hidden + removed:
        return dealt + number - hidden
    return drawn + number - hidden - removed


@private
def _deal_hidden(game: Words, seat: int, place: int) -> int:
    """Gives the seat as many hidden cards as it had, from this place on; returns the next place."""
    merchants = (game[SEAT + seat] >> HIDDEN_M) & 255
    count = size_of(game[HIDDEN + seat]) + merchants
    game[HAND + seat] -= game[HIDDEN + seat]
    game[HIDDEN + seat] = 0
    game[SEAT + seat] -= (merchants << HIDDEN_M) + (merchants << HAND_M)
    for _ in range(count):
        face = byte_at(game, place)
        if face == w.MERCHANT:
            game[SEAT + seat] += (1 << HIDDEN_M) + (1 << HAND_M)
        else:
            game[HIDDEN + seat] += 1 << shift_of(face)
            game[HAND + seat] += 1 << shift_of(face)
        place += 1
    return place
