"""The batch on a GPU, in Numba's CUDA simulator, and the exchange of arrays without copies."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from byzanz.fast import Batch, dlpack
from byzanz.fast.convert import Records
from tests.requirements import import_or_skip

STEPS = 9

SIMULATOR = {
    "NUMBA_ENABLE_CUDASIM": "1",
    "NUMBA_DISABLE_JIT": "1",
    "PYTHONWARNINGS": "ignore::RuntimeWarning",  # interpreted integers overflow as intended
}


def records_near_the_end(players: int, games: int) -> Records:
    """Return games of which most, but not all, end within the next steps."""
    batch, kept = Batch(players, range(games)), []
    while not batch.over.all():
        kept.append(batch.records.copy())
        batch.step(batch.choose())
    lengths = np.sum([records["turn"] >= 0 for records in kept], axis=0)
    return np.array([kept[length - 3 * (game + 1)][game] for game, length in enumerate(lengths)])


def test_a_simulated_gpu_returns_what_the_cpu_returns(tmp_path: Path) -> None:
    import_or_skip("numba.cuda")
    records = records_near_the_end(3, 4)
    file = tmp_path / "records.npy"
    np.save(file, records)
    done = subprocess.run(
        [sys.executable, "-m", "tests.fast.simulated_gpu", str(file), str(STEPS)],
        env=os.environ | SIMULATOR,
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    # The compiled engine, which the simulator does not use, leaves the same games.
    expected = []
    for autoreset in (False, True):
        batch, ended = Batch.from_records(records, autoreset=autoreset), 0
        for _ in range(STEPS):
            ended += int(batch.step(batch.choose()).terminated.sum())
        assert ended == 3
        again = batch.copy()
        again.reset()
        which = np.arange(len(batch)) % 2 == 0
        expected.append(np.where(which[:, None], again.games, batch.games))
    batch = Batch.from_records(records)
    batch.finish("sensible")
    assert done.stdout.split() == [each.tobytes().hex() for each in (*expected, batch.games)]


class Exporter:
    """An array in the CPU's memory that others use through a capsule."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CPU, 0

    def __dlpack__(self, **_: object) -> Any:
        array = self.array
        return dlpack.capsule(
            array.ctypes.data, array.shape, array.dtype, self.__dlpack_device__(), array
        )


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float64, np.bool_])
@pytest.mark.parametrize("shape", [(5,), (3, 4), (0, 2)])
def test_capsules_are_arrays_in_the_same_memory(dtype: type, shape: tuple[int, ...]) -> None:
    torch = import_or_skip("torch")
    array = np.ones(shape, dtype)
    used = len(dlpack._used)
    taken = [np.from_dlpack(Exporter(array)), torch.from_dlpack(Exporter(array)).numpy()]
    assert len(dlpack._used) == used + 2
    array[...] = 0
    for each in taken:
        assert each.dtype == array.dtype
        assert np.array_equal(each, array)
        assert array.size == 0 or each.ctypes.data == array.ctypes.data
    del taken, each
    gc.collect()
    assert len(dlpack._used) == used


def test_a_capsule_keeps_its_owner_until_it_is_deleted() -> None:
    used = len(dlpack._used)
    exported = Exporter(np.arange(4)).__dlpack__()
    assert len(dlpack._used) == used + 1
    del exported
    gc.collect()
    assert len(dlpack._used) == used
