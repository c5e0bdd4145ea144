"""Evaluation of candidates in many sampled worlds, with the network on a GPU.

The games are played in compiled code on the CPU; only the network runs on the GPU. Results differ
from those of :mod:`byzanz.search.batched_worlds` in the last digits.
"""

from __future__ import annotations

import numpy as np

from byzanz.encoding.features import SLOTS
from byzanz.fast.layout import Floats, Ints, Record
from byzanz.network import Network
from byzanz.network.torch_forward import SharedForward

from .batched_worlds import BatchedWorlds, begin, gather, take

_BATCH = 256
"""The number of playouts that run side by side."""


class GpuWorlds(BatchedWorlds):
    """Room for playouts with a network on a device that several threads share.

    It is not thread-safe: each thread needs its own.
    """

    def __init__(self, network: Network, forward: SharedForward) -> None:
        """Create room for playouts with this network, whose forward pass is ``forward``."""
        super().__init__(network, _BATCH)
        self._forward = forward

    def _run(self, roots: Record, numbers: Ints, seat: int, seeds: Ints, drawn: int) -> Floats:
        results = np.zeros((len(seeds) * len(roots), SLOTS))
        rows, masks = self._work[0], self._work[1]
        begin(self._room)
        while True:
            count = gather(
                roots, numbers, seat, drawn, seeds, results, self._room, rows, masks, *self._rows
            )
            if count == 0:
                return results
            best, values = self._forward(rows[:count], masks[:count])
            take(best, values, results, self._room, *self._rows)
