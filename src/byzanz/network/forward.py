"""The compiled forward pass: from one row of features to a policy and win probabilities."""

from __future__ import annotations

from math import exp, log

import numpy as np
from numba import njit

from byzanz.encoding.features import SLOTS
from byzanz.encoding.numbers import CONFIRM, DONE, NUMBERS, SELL
from byzanz.fast import step, write_features, write_mask
from byzanz.fast.chance import draw
from byzanz.fast.jit import CACHED, entry, nogil_entry, part
from byzanz.fast.layout import FINAL, LIMIT, PHASE, TURN, Bytes, Ints, Record

from .feature_groups import GOODS_NUMBERS, TABLE_NUMBERS
from .layers import PLAYERS, TABLE, Floats, Net, Workspace, count_of, forward, score

_inlined_early = njit(inline="always", cache=CACHED, nogil=True, _nrt=False, no_cfunc_wrapper=True)
"""A decorator that inlines a function before compilation.

Otherwise Numba would compile the layers again for each function that calls them, which takes a long
time.
"""

SOURCE_ROW = np.full(NUMBERS, TABLE)
"""For each action number, the row of the last layer that its head reads."""
HEAD_OUTPUT = np.zeros(NUMBERS, np.int64)
"""For each action number, the index of its output in that head."""
for _good, _numbers in enumerate(GOODS_NUMBERS):
    SOURCE_ROW[_numbers] = _good
    HEAD_OUTPUT[_numbers] = np.arange(len(_numbers))
HEAD_OUTPUT[TABLE_NUMBERS] = np.arange(len(TABLE_NUMBERS))

_SMALLEST = np.float32(1e-30)
"""The lower bound of a probability before its logarithm is taken."""

MOST_NUMBERS = 8
"""The most action numbers in a decision: a bid of seven cards (R6.1) and its confirmation."""


@_inlined_early
def policy(net: Net, workspace: Workspace) -> None:
    """Write the probability of each action number, given the workspace's features and mask."""
    _, mask, output, scratch, _ = workspace
    last = scratch[forward(net, workspace) :]
    top = np.float32(-3e38)
    for number in range(NUMBERS):
        if mask[number]:
            source, place = SOURCE_ROW[number], HEAD_OUTPUT[number]
            if source == TABLE:
                output[number] = score(last[source], net[3], net[4], place)
            else:
                output[number] = score(last[source], net[1], net[2], place)
            top = max(top, output[number])
    total = 0.0
    for number in range(NUMBERS):
        output[number] = exp(output[number] - top) if mask[number] else 0
        total += output[number]
    for number in range(NUMBERS):
        output[number] /= total


@nogil_entry
def win_probabilities(net: Net, workspace: Workspace) -> None:
    """Write each slot's win probability to the output's first places, given the features."""
    row, _, output, scratch, _ = workspace
    last = scratch[forward(net, workspace) :]
    players = count_of(row)
    for slot in range(SLOTS):
        output[slot] = score(last[PLAYERS + slot], net[5], net[6], 0) if slot < players else 0
    calibrate(output, players, net[7])


@part
def calibrate(output: Floats, players: int, calibrations: Floats) -> None:
    """Replace the first scores, one for each player, with calibrated win probabilities."""
    _softmax(output, players)
    calibration = calibrations[players - 3]
    slope, own_bias, linear = calibration[0], calibration[1], calibration[2]
    for slot in range(players):
        bias = own_bias if slot == 0 else np.float32(0)
        output[slot] = slope * log(max(output[slot], _SMALLEST)) + linear * output[slot] + bias
    _softmax(output, players)


@part
def _softmax(scores: Floats, count: int) -> None:
    """Replace the first ``count`` scores with their softmax."""
    top = np.float32(-3e38)
    for place in range(count):
        top = max(top, scores[place])
    total = 0.0
    for place in range(count):
        scores[place] = exp(scores[place] - top)
        total += scores[place]
    for place in range(count):
        scores[place] /= total


@part
def sample(game: Record, probabilities: Floats, temperature: float, floor: float) -> int:
    """Sample an action number with the random generator of the engine record.

    Temperature 0 returns the most probable number; temperature 1 samples from the probabilities.
    A number is never sampled if its probability is below ``floor`` times the highest probability.
    """
    best = 0
    for number in range(NUMBERS):
        if probabilities[number] > probabilities[best]:
            best = number
    if temperature <= 0:
        return best
    least = max(floor * probabilities[best], _SMALLEST)
    total = 0.0
    for number in range(NUMBERS):
        if probabilities[number] >= least:
            total += (probabilities[number] / probabilities[best]) ** (1 / temperature)
    left = total * draw(game, 1 << 30) / (1 << 30)
    for number in range(NUMBERS):
        if probabilities[number] >= least:
            left -= (probabilities[number] / probabilities[best]) ** (1 / temperature)
            if left < 0:
                return number
    return best


@part
def only_number(mask: Bytes) -> int:
    """Return the only legal action number, or -1 if there is more than one or none."""
    found = -1
    for number in range(NUMBERS):
        if mask[number]:
            if found >= 0:
                return -1
            found = number
    return found


@entry
def write_choice_mask(game: Record, mask: Bytes) -> None:
    """Write the mask of the legal action numbers that the network considers.

    The network sells sets only at the hand limit and in the final sale (R6.1, R7.1), because cards
    in hand can be bid. In the final sale it sells all its sets before it is done.
    """
    write_mask(game, mask)
    if game[PHASE] == FINAL:
        for number in range(SELL, NUMBERS):
            if mask[number]:
                mask[DONE] = 0
    elif game[PHASE] != LIMIT:
        for number in range(SELL, NUMBERS):
            mask[number] = 0


@_inlined_early
def choose_number(
    net: Net, workspace: Workspace, game: Record, temperature: float, floor: float
) -> int:
    """Return the network's action number for the seat whose turn it is.

    If only one number is legal, it is returned without running the network.
    """
    row, mask, output, _, _ = workspace
    write_choice_mask(game, mask)
    number = only_number(mask)
    if number >= 0:
        return number
    write_features(game, game[TURN], row)
    policy(net, workspace)
    return sample(game, output, temperature, floor)


@nogil_entry
def decide(
    net: Net, workspace: Workspace, game: Record, temperature: float, floor: float, numbers: Ints
) -> int:
    """Play a whole decision of the seat whose turn it is.

    Write its action numbers and return how many there are.
    """
    for count in range(MOST_NUMBERS):
        number = choose_number(net, workspace, game, temperature, floor)
        numbers[count] = number
        step(game, number)
        if number >= CONFIRM:
            return count + 1
    return 0
