"""Check or time the engine on a GPU: ``python -m byzanz.fast.gpu check|digests|bench``."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .batch import Batch
from .digest import shortened
from .gpu import GpuBatch
from .gpu_kernels import PLAY_KERNELS, THREADS, cuda, digest_games
from .layout import Ints
from .policy_ids import POLICIES

GAMES_EACH = 1250
"""Games with stored digests for each policy and player count: 10,000 in all."""


def digests_on_gpu(players: int, policy: str, games: int) -> Ints:
    """Return the digests of a policy's games with seeds from 0 on, computed on the GPU."""
    digests = cuda.to_device(np.zeros(games, dtype=np.int64))
    digest_games[-(-games // THREADS), THREADS](players, POLICIES[policy], digests)
    return np.asarray(digests.copy_to_host())


def speed(players: int, policy: str, threads: int, games: int) -> tuple[float, float]:
    """Return the steps and the games per second on the GPU, measured after a warm-up."""
    steps = cuda.device_array(threads, dtype=np.int64)
    kernel = PLAY_KERNELS[policy][-(-threads // THREADS), THREADS]
    kernel(players, 1, 1, steps)
    cuda.synchronize()
    start = time.perf_counter()
    kernel(players, 1, games, steps)
    cuda.synchronize()
    spent = time.perf_counter() - start
    return float(steps.copy_to_host().sum()) / spent, threads * games / spent


def check(games: int = 2048, counts: Sequence[int] = (3, 4, 5, 6), steps: int = 600) -> None:
    """Compare batches on GPU and CPU; raise AssertionError if they differ."""
    for players in counts:
        for autoreset in (False, True):
            here = Batch(players, range(games), autoreset=autoreset)
            there = GpuBatch(players, range(games), autoreset=autoreset)
            first, info = here.reset(range(5, games + 5))
            seen, gpu_info = there.reset(range(5, games + 5))
            _same("first turns", gpu_info["turns"], info["turns"])
            for name, array in first.items():
                _same(f"first {name}", seen[name], array)
            check_steps(here, there, steps)
        check_refusals(players, games)
        for policy in POLICIES:
            here, there = Batch(players, range(games)), GpuBatch(players, range(games))
            here.finish(policy)
            there.finish(policy)
            _same("finished games", there.games, here.games)
            _same("results", there.results(), here.results())
            _same("over", there.over, here.over)


def check_steps(here: Batch, there: GpuBatch, steps: int) -> None:
    """Compare everything that two batches return after each step, and new deals at the end."""
    for taken in range(steps):
        if here.over.all():
            break
        numbers = here.choose()
        _same("choices", there.choose(), numbers, here.over)
        going = here.step(numbers)
        if taken % 3:  # the batch's own numbers, checked or not
            played = there.step() if taken % 3 == 1 else there.step_unchecked()
        else:
            played = there.step(numbers)
        _same("games", there.games, here.games)
        _same("rewards", played.rewards, going.rewards)
        _same("terminated", played.terminated, going.terminated)
        _same("turns", played.info["turns"], going.info["turns"])
        for name, array in going.observations.items():
            _same(name, played.observations[name], array)
        if going.terminated.any():
            _same("profit", played.info["profit"], going.info["profit"], ~going.terminated)
    _same("over", there.over, here.over)
    _same("results", there.results(), here.results())
    if not np.array_equal(there.to_host().games, here.games):
        raise AssertionError("the copies on the CPU differ")
    which = np.arange(len(here)) % 2 == 0
    there.redeal(which)
    kept = there.games.copy_to_host()
    if not np.array_equal(kept[~which], here.games[~which]):
        raise AssertionError("redeal changed games that it should keep")
    here.reset()
    if not np.array_equal(kept[which], here.games[which]):
        raise AssertionError("the GPU and the CPU deal different new games")


def check_refusals(players: int, games: int) -> None:
    """Check that wrong arguments are refused, and change nothing."""
    batch = GpuBatch(players, range(games))
    before = batch.games.copy_to_host()
    numbers = Batch(players, range(games)).choose()
    illegal = numbers.copy()
    illegal[-1] = 289
    for wrong, error in (
        (illegal, ValueError), (-illegal - 1, ValueError), (numbers + 0.9, TypeError),
        (numbers[1:], ValueError), (cuda.to_device(numbers[1:]), ValueError),
    ):  # fmt: skip
        _refused(partial(batch.step, wrong), error)
    _refused(lambda: batch.redeal(numbers), TypeError)
    _refused(lambda: batch.reset(range(games + 1)), ValueError)
    _refused(lambda: batch.finish("perfect"), ValueError)
    _refused(lambda: GpuBatch(players, [-1]), ValueError)
    if not np.array_equal(batch.games.copy_to_host(), before):
        raise AssertionError("a refused call changed the games")


def _refused(call: Callable[[], object], error: type[Exception]) -> None:
    try:
        call()
    except error:
        return
    raise AssertionError(f"a wrong argument did not raise {error.__name__}")


def _same(what: str, there: Any, here: Any, ignored: npt.NDArray[np.bool_] | None = None) -> None:
    """Raise AssertionError if arrays on GPU and CPU differ, except in ignored games."""
    if isinstance(there, tuple):
        for one, other in zip(there, here, strict=True):
            _same(what, one, other)
        return
    found, counted = there.copy_to_host(), slice(None) if ignored is None else ~ignored
    if found.dtype != here.dtype or not np.array_equal(found[counted], here[counted]):
        raise AssertionError(f"the GPU and the CPU disagree: {what}")


def write_digests(path: Path) -> None:
    """Write the digests of 10,000 games and the name of the GPU to a file."""
    found = {
        policy: {
            str(players): shortened(digests_on_gpu(players, policy, GAMES_EACH))
            for players in (3, 4, 5, 6)
        }
        for policy in POLICIES
    }
    path.write_text(
        json.dumps({"device": device_name(), "digests": found}, indent=1) + "\n", encoding="utf-8"
    )


def device_name() -> str:
    """Return the name of the GPU."""
    name = cuda.get_current_device().name
    return name.decode() if isinstance(name, bytes) else str(name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m byzanz.fast.gpu", description=__doc__)
    parser.add_argument("command", choices=["check", "digests", "bench"])
    parser.add_argument("file", nargs="?", type=Path, help="the file for the digests")
    parser.add_argument("--threads", type=int, nargs="*", default=[1 << 21], help="for bench")
    parser.add_argument("--games", type=int, default=20, help="games per thread, for bench")
    options = parser.parse_args(arguments)
    if options.command == "check":
        check()
        sys.stdout.write("GPU and CPU agree\n")
        return 0
    if options.command == "digests":
        if options.file is None:
            parser.error("digests needs a file")
        write_digests(options.file)
        return 0
    for threads in options.threads:
        for policy in POLICIES:
            for players in (3, 4, 5, 6):
                steps, games = speed(players, policy, threads, options.games)
                sys.stdout.write(
                    f"{threads} threads, {policy}, {players} players: {steps / 1e6:,.0f} million "
                    f"steps/s, {games / 1e6:.2f} million games/s\n"
                )
    return 0
