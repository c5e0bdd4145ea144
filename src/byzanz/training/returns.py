"""What became of the learner's decisions, compiled: a slot's ticks are gone through backwards."""

from __future__ import annotations

from byzanz.fast.jit import part
from byzanz.fast.layout import SEATS, Bytes

from .env import LEARNER, PROFITS, SHARES, Floats
from .observation import KIND, SEAT

UNIT = 20.0
"""Profit beyond the others' average that counts as much as a win, where profit counts."""

# An outlook: the margin of profit, and each slot's share of the win.
MARGIN, WINS = 0, 1
OUTLOOK = WINS + SEATS

# What is kept of a choice: the number, the logarithm of its share, and what the learner expected.
NUMBER, LOG, EXPECTED = range(3)
CHOICE = EXPECTED + OUTLOOK

# What it turned out to be: how much better than expected, and what was to be expected.
GAIN, PROPER = range(2)
TARGET = PROPER + OUTLOOK

NEXT, LATER = range(2)
"""What a seat's next decision expects, and what there is proper to expect; at last the result."""

SPREAD = 0.95
"""How far results reach back into what is proper to expect: as the trace does for gains.

Further than late in a training: what is expected must be right on average, a gain only clear.
"""

# What is told of a slot: the learner's profits, in how many seats, and games without beginning.
PROFIT, TAKEN, CUT = range(3)
TOLD = 3


@part
def _end(results: Floats, players: int, scratch: Floats) -> None:
    """Of a game that ended so, each seat's outlook behind its last decision: the result."""
    total = 0.0
    for seat in range(players):
        total += results[PROFITS + seat]
    for seat in range(players):
        own = results[PROFITS + seat]
        scratch[seat, LATER, OUTLOOK] = 0
        for each in (NEXT, LATER):
            scratch[seat, each, MARGIN] = (own - (total - own) / (players - 1)) / UNIT
            for place in range(SEATS):
                won = results[SHARES + (seat + place) % players]
                scratch[seat, each, WINS + place] = won if place < players else 0


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
    The next outlook that counts for a decision is the same seat's next, and at last the result.
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
            _end(results[at, slot], players, scratch[slot])
        if players and sights[at, slot, KIND] == LEARNER:
            seat = int(sights[at, slot, SEAT])
            gain = trace * scratch[slot, seat, LATER, OUTLOOK]
            for each in range(OUTLOOK):
                coming, later = scratch[slot, seat, NEXT, each], scratch[slot, seat, LATER, each]
                expected = choices[at, slot, EXPECTED + each]
                proper = coming + SPREAD * (later - coming)
                scratch[slot, seat, NEXT, each], scratch[slot, seat, LATER, each] = expected, proper
                targets[at, slot, PROPER + each] = proper
                if each <= WINS:
                    gain += (coming - expected) * (profit if each == MARGIN else 1)
            scratch[slot, seat, LATER, OUTLOOK] = targets[at, slot, GAIN] = gain
            ready[at, slot] = 1
            if not (seen >> seat) & 1:
                seen |= 1 << seat
                told[slot, PROFIT] += results[end, slot, PROFITS + seat]
                told[slot, TAKEN] += 1
    if players and filled == len(sights):
        told[slot, CUT] = 1
