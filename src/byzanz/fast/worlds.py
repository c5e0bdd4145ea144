"""Sampled worlds, compiled: random deals of the cards that a seat has not seen."""

from __future__ import annotations

from . import layout
from .chance import draw
from .jit import entry, part, private
from .layout import (
    HAND,
    HAND_M,
    HIDDEN,
    HIDDEN_M,
    SEAT,
    Record,
    byte_at,
    count_of,
    shift_of,
    size_of,
)
from .play import removed_cards


@private
def _set_byte(game: Record, place: int, face: int) -> None:
    shift = 8 * (place & 7)
    value = game[layout.DECK + (place >> 3)]
    game[layout.DECK + (place >> 3)] = (value & ~(255 << shift)) | (face << shift)


@part
def copy_game(source: Record, target: Record) -> None:
    """Copy a record."""
    for place in range(layout.RECORD_LENGTH):
        target[place] = source[place]


@entry
def deal_unseen(game: Record, seat: int) -> None:
    """Shuffle the cards that the seat has not seen, uniformly at random.

    These are the others' hidden hands, the removed cards and the deck. No other seat may have laid
    cards towards a bid.
    """
    players = game[layout.PLAYERS]
    dealt = 4 * players
    # The first places of the deck, which were dealt as hands, are free: gather hidden cards there.
    hidden = 0
    for other in range(players):
        if other != seat:
            for face in range(layout.GOODS_FACES):
                for _ in range(count_of(game[HIDDEN + other], face)):
                    _set_byte(game, hidden, face)
                    hidden += 1
            for _ in range((game[SEAT + other] >> HIDDEN_M) & 255):
                _set_byte(game, hidden, layout.MERCHANT)
                hidden += 1
    removed = removed_cards(players)
    drawn = game[layout.DRAWN]
    for last in range(hidden + removed + layout.CARDS - drawn - 1, 0, -1):
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
    """Return the place of the n-th unseen card: gathered, removed, or in the deck."""
    if number < hidden:
        return number
    if number < hidden + removed:
        return dealt + number - hidden
    return drawn + number - hidden - removed


@private
def _deal_hidden(game: Record, seat: int, place: int) -> int:
    """Deal the seat as many hidden cards as it had, from this place on; return the next place."""
    merchants = (game[SEAT + seat] >> HIDDEN_M) & 255
    count = size_of(game[HIDDEN + seat]) + merchants
    game[HAND + seat] -= game[HIDDEN + seat]
    game[HIDDEN + seat] = 0
    game[SEAT + seat] -= (merchants << HIDDEN_M) + (merchants << HAND_M)
    for _ in range(count):
        face = byte_at(game, place)
        if face == layout.MERCHANT:
            game[SEAT + seat] += (1 << HIDDEN_M) + (1 << HAND_M)
        else:
            game[HIDDEN + seat] += 1 << shift_of(face)
            game[HAND + seat] += 1 << shift_of(face)
        place += 1
    return place
