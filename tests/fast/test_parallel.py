"""Loops over rows give the same result on any number of cores, in threads and after a fork."""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np
import pytest

from byzanz.fast import Batch
from byzanz.fast.layout import Ints
from byzanz.fast.parallel import by_rows


def played(games: int) -> bytes:
    batch = Batch(4, range(games))
    batch.step(batch.choose())
    batch.finish()
    return b"".join(each.tobytes() for each in (batch.games, *batch.observe(), *batch.results()))


def test_the_engine_works_without_a_cache_directory() -> None:
    nowhere = (
        "from numba.core import caching; caching.CacheImpl._locator_classes = []\n"
        "import byzanz.bots.emperor, byzanz.bots.strategist, byzanz.bots.trader\n"
        "from byzanz.fast import Batch\n"
        "print(len(Batch(3, range(5)).games))"
    )
    done = subprocess.run([sys.executable, "-c", nowhere], capture_output=True, check=False)
    assert (done.stdout, done.stderr) == (b"5\n", b"")


@pytest.mark.parametrize("games", [0, 1, 5, 1001])
def test_one_core_and_all_cores_give_the_same_result(games: int) -> None:
    on_all = played(games)
    most = numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        assert played(games) == on_all
    finally:
        numba.set_num_threads(most)


def test_batches_can_be_played_in_several_threads() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(played, [1001] * 8)) == {played(1001)}


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
@pytest.mark.filterwarnings("ignore:.*use of fork.*:DeprecationWarning")
def test_a_forked_child_uses_its_own_threads() -> None:
    here = played(1001)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(played, [1001]).get(timeout=60) == here


def test_each_row_is_processed_once() -> None:
    for rows in (0, 1, 2, 3, 7, 1000):
        counts = np.zeros(1000, dtype=np.int64)
        _count(counts[:rows], 2)
        assert counts.tolist() == [2] * rows + [0] * (1000 - rows)


@by_rows(fewest=3)
def _count(counts: Ints, more: int) -> None:
    for row in range(len(counts)):
        counts[row] += more
