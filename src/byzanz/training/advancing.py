"""Who plays a seat, and how games come to the next choice, compiled.

Seats are played by kinds: below :data:`SCRIPTED` a network's, from there on a policy of compiled
code. Numbers without a choice are played at once, so that no network is asked for them.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from byzanz.bots.thinking.character import habits, values
from byzanz.bots.thinking.trading import answer, play
from byzanz.fast import choose, sensible, step, write_mask
from byzanz.fast import words as w
from byzanz.fast.compiled import part
from byzanz.fast.words import PHASE, TURN, Bytes, Words
from byzanz.network.forward import only_number

LEARNER = 0
SCRIPTED = 16
RANDOM, SENSIBLE, TRADER = 16, 17, 18
NOBODY = -1

SCRIPTS = {"random": RANDOM, "sensible": SENSIBLE, "trader": TRADER}
"""The kinds that need no network, by name."""


@part
def next_kind(game: Words, kinds: Words, mask: Bytes) -> int:
    """Plays on to the next choice; returns the kind that has it, NOBODY once the game is over.

    The mask is then that of the seat on turn, if a network plays it.
    """
    while game[PHASE] != w.OVER:
        kind = kinds[game[TURN]]
        if kind >= SCRIPTED:
            return kind
        write_mask(game, mask)
        number = only_number(mask)
        if number < 0:
            return kind
        step(game, number)
    return NOBODY


@part
def play_at_random(game: Words, values: Words, habits: Words) -> None:  # noqa: ARG001
    """Plays any legal number."""
    step(game, choose(game))


@part
def play_sensibly(game: Words, values: Words, habits: Words) -> None:  # noqa: ARG001
    """Plays what the compiled engine's own policy does."""
    step(game, sensible(game))


@part
def trade(game: Words, values: Words, habits: Words) -> None:
    """Plays what a trader does, a whole bid at once."""
    play(game, answer(game, values, habits[game[w.PLAYERS] - 3]))


PLAYS = {RANDOM: play_at_random, SENSIBLE: play_sensibly, TRADER: trade}
"""What each script does on turn."""


@lru_cache(maxsize=1)
def characters() -> tuple[Words, Words]:
    """What a trader is like: its values of hands, and its habits for 3 to 6 players."""
    return values(), np.stack([habits(players) for players in (3, 4, 5, 6)])
