"""Policies and win probabilities of many positions, given as rows of features and masks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from byzanz.encoding.features import FEATURES, SLOTS
from byzanz.encoding.numbers import NUMBERS
from byzanz.fast.jit import nogil_entry
from byzanz.fast.layout import Bytes

from .forward import policy, win_probabilities
from .layers import Floats, Net, Workspace
from .network import Network


def evaluate(
    network: Network, rows: npt.NDArray[np.uint8], masks: npt.NDArray[np.uint8]
) -> tuple[Floats, Floats]:
    """Return each position's policy over the action numbers in its mask, and its win probabilities.

    ``rows`` and ``masks`` are those of :meth:`byzanz.fast.Batch.observe`. Win probabilities are by
    slot: slot 0 is the seat to act. Raises ValueError if the arrays have the wrong shape or a mask
    is empty. A network must not be used by two threads at once.
    """
    rows, masks = np.ascontiguousarray(rows, np.uint8), np.ascontiguousarray(masks, np.uint8)
    if rows.shape != (len(rows), FEATURES) or masks.shape != (len(rows), NUMBERS):
        raise ValueError(
            f"expected rows of {FEATURES} features and as many masks of {NUMBERS} numbers, not "
            f"{rows.shape} and {masks.shape}"
        )
    if not masks.any(axis=1).all():
        raise ValueError("a mask has no action number; the game is over")
    policies = np.zeros((len(rows), NUMBERS), np.float32)
    values = np.zeros((len(rows), SLOTS), np.float32)
    _evaluate(network.arrays, network.workspace, rows, masks, policies, values)
    return policies, values


@nogil_entry
def _evaluate(
    net: Net, workspace: Workspace, rows: Bytes, masks: Bytes, policies: Floats, values: Floats
) -> None:
    row, mask, output, _, _ = workspace
    for place in range(len(rows)):
        for feature in range(FEATURES):
            row[feature] = rows[place, feature]
        for number in range(NUMBERS):
            mask[number] = masks[place, number]
        policy(net, workspace)
        for number in range(NUMBERS):
            policies[place, number] = output[number]
        win_probabilities(net, workspace)
        for slot in range(SLOTS):
            values[place, slot] = output[slot]
