"""One slot of the stream, compiled: a game that goes on and, once over, makes room for the next.

Seats are played by kinds: below :data:`SCRIPTED` a network's, from there on a policy of compiled
code. Numbers without a choice are played at once, so that nobody is asked for them. The functions
here take all slots' arrays and one slot, so that a core's loop and a GPU's thread run the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import FEATURES
from byzanz.fast import choose, deal, sensible, step, write_features, write_profits, write_shares
from byzanz.fast import layout as w
from byzanz.fast.jit import part
from byzanz.fast.layout import PHASE, SEATS, TURN, Bytes, Words
from byzanz.network.forward import only_number, write_choices
from byzanz.search.trader_parameters import habits, values
from byzanz.search.trader_policy import answer, play

from .observation import CATEGORIES, KIND, MASK, SEAT

LEARNER = 0
IMITATOR = 15
SCRIPTED = 16
RANDOM, SENSIBLE, TRADER = 16, 17, 18
NOBODY = 255

WAITS = -1
"""The number of a game that waits, since the network on turn was not asked."""

SCRIPTS = {"random": RANDOM, "sensible": SENSIBLE, "trader": TRADER}
"""The kinds that need no network, by name."""

STRANGERS = 6
"""Who may sit in a slot: the learner, a past self, one of three scripts, or the imitator."""

Floats = npt.NDArray[np.float32]

# Who plays a game, in words: the kinds by seat, and the decision with which they begin to play;
# those before it are left to chance.
BEGIN = SEATS
SEATED = SEATS + 1

# A game to come, in words: how many play (0: no more games), its seed, and who plays it.
PLAYERS, SEED, KINDS = 0, 1, 2
COMING = KINDS + SEATED

# How a game ended: how many played (0: it did not end), by seat the share of the win, the profit.
SHARES, PROFITS = 1, 1 + SEATS
RESULTS = PROFITS + SEATS


@part
def look(slot: int, games: Words, kinds: Words, waiting: Words, sights: Bytes) -> None:
    """Makes the sight what the seat on turn may know, if a network plays it.

    The mask is there already. Otherwise what was seen last stays, but for the kind.
    """
    game, sight, kind = games[slot], sights[slot], waiting[slot]
    sight[KIND] = kind
    if kind < SCRIPTED:
        seat, players = game[TURN], game[w.PLAYERS]
        sight[SEAT] = seat
        write_features(game, seat, sight[:FEATURES])
        for place in range(SEATS):
            category = 0
            if place < players:
                other = kinds[slot, (seat + place) % players]
                if other >= SCRIPTED:
                    category = other - SCRIPTED + 2
                elif other == IMITATOR:
                    category = STRANGERS - 1
                else:
                    category = min(other, 1)
            sight[CATEGORIES + place] = category


@part
def play_on(
    slot: int,
    games: Words,
    kinds: Words,
    waiting: Words,
    sights: Bytes,
    numbers: Words,
    results: Floats,
    coming: Words,
) -> None:
    """Plays the number if a network was asked, and on to the next choice; or the game waits.

    If the game ends, its results are told until the next call, and the game to come is dealt;
    without one the slot stays as it is.
    """
    game, asked = games[slot], waiting[slot]
    more = coming[slot, PLAYERS]
    if asked == NOBODY and more == 0:
        return
    results[slot, 0] = 0
    if asked < SCRIPTED:
        if numbers[slot] == WAITS:
            return
        step(game, numbers[slot])
    mask = sights[slot, MASK:CATEGORIES]
    kind = _next_kind(game, kinds[slot], mask)
    if kind == NOBODY:
        if asked != NOBODY:
            results[slot, 0] = game[w.PLAYERS]
            write_shares(game, results[slot, SHARES:PROFITS])
            write_profits(game, results[slot, PROFITS:])
        if more:
            deal(game, more, coming[slot, SEED])
            coming[slot, SEED] += 1  # the next deal, should this game end before others come
            for place in range(SEATED):
                kinds[slot, place] = coming[slot, KINDS + place]
            kind = _next_kind(game, kinds[slot], mask)
    waiting[slot] = kind


@part
def _next_kind(game: Words, kinds: Words, mask: Bytes) -> int:
    """Plays on to the next choice; returns the kind that has it, NOBODY once the game is over."""
    if not _comes_to_choice(game, mask):
        return NOBODY
    if kinds[BEGIN] > 0 and game[w.LAID] == 0:
        kinds[BEGIN] -= 1
    return kinds[game[TURN]] if kinds[BEGIN] == 0 else RANDOM


@part
def _comes_to_choice(game: Words, mask: Bytes) -> bool:
    """Plays on to the next choice, and sets its mask; tells whether there is one."""
    while game[PHASE] != w.OVER:
        write_choices(game, mask)
        number = only_number(mask)
        if number < 0:
            return True
        step(game, number)
    return False


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


PLAYS: dict[int, Any] = {RANDOM: play_at_random, SENSIBLE: play_sensibly, TRADER: trade}
"""What each script does on turn."""


@lru_cache(maxsize=1)
def characters() -> tuple[Words, Words]:
    """What a trader is like: its values of hands, and its habits for 3 to 6 players."""
    return values(), np.stack([habits(players) for players in (3, 4, 5, 6)])
