"""Run the GPU's kernels in Numba's CUDA simulator: ``python -m tests.fast.simulated_gpu FILE``.

The file has records of games near their end. The environment must have ``NUMBA_ENABLE_CUDASIM=1``
and ``NUMBA_DISABLE_JIT=1``, because the simulator interprets kernels and all that they call.
"""

from __future__ import annotations

import sys

import numpy as np

from byzanz.fast import Batch
from byzanz.fast.gpu import GpuBatch
from byzanz.fast.gpu_check import check_refusals, check_steps


def main(file: str, steps: int) -> None:
    """Compare both batches, and print the games that the simulated GPU leaves."""
    records = np.load(file)
    check_refusals(3, 2)
    for autoreset in (False, True):
        there = GpuBatch.from_records(records, autoreset=autoreset)
        check_steps(Batch.from_records(records, autoreset=autoreset), there, steps)
        sys.stdout.write(f"{there.games.copy_to_host().tobytes().hex()}\n")
    finished = GpuBatch.from_records(records)
    finished.finish("sensible")
    sys.stdout.write(f"{finished.games.copy_to_host().tobytes().hex()}\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
