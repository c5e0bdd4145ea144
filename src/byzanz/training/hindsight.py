"""What became of the learner's decisions, compiled: a slot's ticks are gone through backwards."""

from __future__ import annotations

from byzanz.fast.compiled import part
from byzanz.fast.words import SEATS, Bytes

from .sight import KIND, SEAT
from .slot import LEARNER, PROFITS, SHARES, Floats

UNIT = 20.0
"""Profit beyond the others' average that counts as much as a win, where profit counts."""

# What is kept of a choice: the number, the logarithm of its share, what the learner expected.
NUMBER, LOG, CHANCE, MARGIN = range(4)
CHOICE = 4

# What it turned out to be: how much better than expected, the margin, each slot's share of the win.
GAIN, END, WINS = 0, 1, 2
TARGET = WINS + SEATS

# What is told of a slot: the learner's profits, in how many seats, and games without beginning.
PROFIT, TAKEN, CUT = range(3)
TOLD = 3


@part
def look_back(
    slot: int,
    newest: int,
    filled: int,
    window: int,
    profit: float,
    trace: float,
    sights: Bytes,
    choices: Floats,
    results: Floats,
    targets: Floats,
    ready: Bytes,
    scratch: Floats,
    told: Floats,
) -> None:
    """Sets the targets of the learner's decisions in games that ended within the window.

    Arrays are by tick and slot; ``newest`` is the last tick's place, and ``filled`` ticks are kept.
    The next value that counts for a decision is the same seat's next, and at last its reward.
    Games that ended before the window were learnt from already, and there it stops.
    """
    for each in range(TOLD):
        told[slot, each] = 0
    players, seen = 0, 0
    for age in range(filled):
        at = newest - age if newest >= age else newest - age + len(sights)
        if results[at, slot, 0] > 0:
            if age >= window:
                return
            players, seen, end = int(results[at, slot, 0]), 0, at
            total = 0.0
            for seat in range(players):
                total += results[at, slot, PROFITS + seat]
            for seat in range(players):
                own = results[at, slot, PROFITS + seat]
                margin = (own - (total - own) / (players - 1)) / UNIT
                scratch[slot, seat] = results[at, slot, SHARES + seat] + profit * margin
                scratch[slot, SEATS + seat] = 0
                scratch[slot, 2 * SEATS + seat] = margin
        if players and sights[at, slot, KIND] == LEARNER:
            seat = int(sights[at, slot, SEAT])
            value = choices[at, slot, CHANCE] + profit * choices[at, slot, MARGIN]
            carried = scratch[slot, seat] - value + trace * scratch[slot, SEATS + seat]
            scratch[slot, seat], scratch[slot, SEATS + seat] = value, carried
            targets[at, slot, GAIN] = carried
            targets[at, slot, END] = scratch[slot, 2 * SEATS + seat]
            for place in range(SEATS):
                won = results[end, slot, SHARES + (seat + place) % players]
                targets[at, slot, WINS + place] = won if place < players else 0
            ready[at, slot] = 1
            if not (seen >> seat) & 1:
                seen |= 1 << seat
                told[slot, PROFIT] += results[end, slot, PROFITS + seat]
                told[slot, TAKEN] += 1
    if players and filled == len(sights):
        told[slot, CUT] = 1
