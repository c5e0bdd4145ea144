"""Whole games by a policy for each seat, compiled, with what was played."""

from __future__ import annotations

from .jit import entry
from .layout import OVER, PHASE, TURN, Words
from .legal import choose
from .play import step
from .sensible import sensible

MOST_STEPS = 2048
"""No game takes more numbers; the longest possible takes fewer than 1,400."""


@entry
def play_out(game: Words, sensible_seats: int, numbers: Words, seats: Words) -> int:
    """Plays the game to its end; the number and the seat of each step are written, and counted.

    Seats whose bit is set in ``sensible_seats`` play sensibly, the others uniformly at random.
    """
    count = 0
    while game[PHASE] != OVER:
        seat = game[TURN]
        number = sensible(game) if (sensible_seats >> seat) & 1 else choose(game)
        numbers[count] = number
        seats[count] = seat
        count += 1
        step(game, number)
    return count
