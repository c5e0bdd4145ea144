"""Single games for callers in Python: each call does as much work as possible.

Calling a compiled function from Python takes about a microsecond, the time of several steps of
a game. Unlike the functions that it calls, :func:`play_number` checks the action number.
"""

from __future__ import annotations

from byzanz.encoding.numbers import NUMBERS

from .jit import entry
from .layout import PLAYERS, TURN, Bytes, Floats, Ints, Record
from .legal import write_mask
from .observe import write_features
from .play import step
from .results import write_profits, write_shares

ILLEGAL = -2
"""Returned instead of a seat for an action number that is not legal."""


@entry
def play_number(game: Record, number: int, mask: Bytes) -> int:
    """Play an action number if it is legal, and write the mask of the next seat to act.

    Returns that seat, -1 if the game is over, or ILLEGAL if nothing was played. ``mask`` must be
    the mask of the seat to act before the call.
    """
    if not 0 <= number < NUMBERS or not mask[number]:
        return ILLEGAL
    step(game, number)
    write_mask(game, mask)
    return game[TURN]


@entry
def observe_seat(game: Record, seat: int, row: Bytes, mask: Bytes) -> None:
    """Write a seat's features, and its mask, which is all 0 unless it is the seat to act."""
    write_features(game, seat, row)
    if game[TURN] == seat:
        write_mask(game, mask)
    else:
        for number in range(NUMBERS):
            mask[number] = 0


@entry
def observe_all_seats(game: Record, rows: Bytes) -> None:
    """Write the features of every seat, one row each."""
    for seat in range(game[PLAYERS]):
        write_features(game, seat, rows[seat])


@entry
def write_results(game: Record, profits: Ints, shares: Floats) -> None:
    """Write each seat's profit and share of the win."""
    write_profits(game, profits)
    write_shares(game, shares)


@entry
def write_legal(mask: Bytes, numbers: Ints) -> int:
    """Write the numbers that a mask allows, ascending; return how many there are."""
    count = 0
    for number in range(NUMBERS):
        if mask[number]:
            numbers[count] = number
            count += 1
    return count
