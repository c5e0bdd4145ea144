"""Compiled functions for games in which chance nodes draw the cards, as in OpenSpiel.

The record's deck is empty. When an auction begins, the game waits until the caller has drawn the
cards of the offer one by one.
"""

from __future__ import annotations

from byzanz.encoding.numbers import NUMBERS

from . import layout
from .chance import draw
from .jit import entry, private
from .layout import DECK, DRAWN, MERCHANTS, OFFER, OVER, PHASE, TURN, Bytes, Floats, Ints, Record
from .legal import choose, write_mask
from .play import removed_cards, step
from .policy_ids import RANDOM
from .results import write_profits, write_shares
from .sensible import sensible
from .single import ILLEGAL
from .worlds import copy_game

AT_CHANCE, ENDED = -1, -4
"""Returned instead of a seat if a card is to be drawn, and if the game is over."""


@entry
def play_until_chance(game: Record, number: int, mask: Bytes) -> int:
    """Play an action number if it is legal, and write the mask of the next seat to act.

    Returns that seat, AT_CHANCE if an offer is to be turned up, ENDED, or ILLEGAL. ``mask`` must
    be the mask of the seat to act before the call.
    """
    if not 0 <= number < NUMBERS or not mask[number]:
        return ILLEGAL
    drawn = game[DRAWN]
    step(game, number)
    if game[DRAWN] != drawn:
        game[DRAWN] = drawn
        game[OFFER] = 0
        game[MERCHANTS] &= ~(255 << layout.OFFER_M)
        return AT_CHANCE
    write_mask(game, mask)
    return ENDED if game[PHASE] == OVER else game[TURN]


@entry
def turn_up(game: Record, goods: int, merchants: int, count: int, mask: Bytes) -> int:
    """Set the offer to these ``count`` cards, write the mask, and return the seat to act."""
    game[OFFER] = goods
    game[MERCHANTS] += merchants << layout.OFFER_M
    game[DRAWN] += count
    write_mask(game, mask)
    return game[TURN]


@entry
def roll_out(  # noqa: PLR0913, PLR0917
    root: Record, left: Ints, policy: int, games: int, game: Record, profits: Ints, shares: Floats
) -> None:
    """Play several games from one decision to their end, each with the undrawn cards shuffled.

    ``left`` has the number of undrawn cards of each face. Writes the means of the profits to
    ``shares[1]`` and of the shares to ``shares[2]``, and advances the root's random generator.
    ``game``, ``profits`` and ``shares[0]`` are overwritten.
    """
    for seat in range(layout.SEATS):
        shares[1, seat] = shares[2, seat] = 0
    for _ in range(games):
        copy_game(root, game)
        _shuffle(game, left)
        root[layout.CHANCE] = game[layout.CHANCE]
        while game[PHASE] != OVER:
            step(game, choose(game) if policy == RANDOM else sensible(game))
        write_profits(game, profits)
        write_shares(game, shares[0])
        for seat in range(layout.SEATS):
            shares[1, seat] += profits[seat] / games
            shares[2, seat] += shares[0, seat] / games


@private
def _shuffle(game: Record, left: Ints) -> None:
    """Put the undrawn cards into the removed cards and the deck, in random order."""
    players, drawn = game[layout.PLAYERS], game[DRAWN]
    dealt, removed = 4 * players, removed_cards(players)
    for place in range(layout.CARDS // 8):
        game[DECK + place] = 0
    count = 0
    for face in range(len(left)):
        for _ in range(left[face]):
            # Insert each card at a random place among those so far; move the one there to the end.
            other = draw(game, count + 1)
            if other < count:
                moved = layout.byte_at(game, _place(other, dealt, removed, drawn))
                _set_byte(game, _place(count, dealt, removed, drawn), moved)
            _set_byte(game, _place(other, dealt, removed, drawn), face)
            count += 1


@private
def _place(number: int, dealt: int, removed: int, drawn: int) -> int:
    return dealt + number if number < removed else drawn + number - removed


@private
def _set_byte(game: Record, place: int, face: int) -> None:
    shift = 8 * (place & 7)
    value = game[DECK + (place >> 3)]
    game[DECK + (place >> 3)] = (value & ~(255 << shift)) | (face << shift)
