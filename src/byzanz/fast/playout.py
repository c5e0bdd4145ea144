"""Whole games with a policy for each seat, compiled; the actions are recorded."""

from __future__ import annotations

from .jit import entry
from .layout import OVER, PHASE, TURN, Ints, Record
from .legal import choose
from .play import step
from .sensible import sensible

MOST_STEPS = 2048
"""An upper bound for the action numbers of a game; the longest possible has fewer than 1,400."""


@entry
def play_out(game: Record, sensible_seats: int, numbers: Ints, seats: Ints) -> int:
    """Play the game to its end; write the number and seat of each step, and return the step count.

    Seats whose bit in ``sensible_seats`` is set play the sensible policy, the others at random.
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
