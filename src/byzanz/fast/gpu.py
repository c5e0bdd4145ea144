"""The compiled engine on a GPU, one game per thread, from the same source.

``python -m byzanz.fast.gpu check`` compares batches on the GPU and the CPU, ``digests FILE`` plays
10,000 games and stores their digests, which tests recompute on the CPU, and ``bench`` measures
steps per second. Only this module needs numba-cuda and an NVIDIA GPU.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

if not hasattr(np, "row_stack"):  # numba-cuda uses this name, which NumPy removed
    np.row_stack = np.vstack

from numba import cuda, int64, uint8

from byzanz.encoding.features import FEATURES
from byzanz.encoding.numbers import NUMBERS
from byzanz.rules.deal import setup_for

from .batch import Batch
from .digest import digest_of_game, shortened
from .layout import OVER, PHASE, RECORD_LENGTH, TURN, Bytes, Ints, Record
from .legal import choose, write_mask
from .loops import step_all
from .observe import write_features
from .play import deal, step
from .policy_ids import POLICIES, RANDOM
from .sensible import sensible

GAMES_EACH = 1250
"""Games with stored digests for each policy and player count: 10,000 in all."""

_THREADS = 128


@cuda.jit
def _digest_kernel(players: int, policy: int, digests: Ints) -> None:
    seed = cuda.grid(1)
    if seed < len(digests):
        game = cuda.local.array(RECORD_LENGTH, int64)
        mask = cuda.local.array(NUMBERS, uint8)
        row = cuda.local.array(FEATURES, uint8)
        digests[seed] = digest_of_game(game, mask, row, players, int64(seed), policy)


@cuda.jit
def _deal_kernel(games: Record, players: int, seeds: Ints) -> None:
    place = cuda.grid(1)
    if place < len(games):
        deal(games[place], players, seeds[place])


@cuda.jit
def _choose_kernel(games: Record, numbers: Ints) -> None:
    place = cuda.grid(1)
    if place < len(games) and games[place, PHASE] != OVER:
        numbers[place] = choose(games[place])


@cuda.jit
def _step_kernel(games: Record, numbers: Ints) -> None:
    place = cuda.grid(1)
    if place < len(games) and games[place, PHASE] != OVER:
        step(games[place], numbers[place])


@cuda.jit
def _observe_kernel(games: Record, masks: Bytes, rows: Bytes) -> None:
    place = cuda.grid(1)
    if place < len(games):
        write_mask(games[place], masks[place])
        turn = games[place, TURN]
        write_features(games[place], max(0, turn), rows[place])


@cuda.jit
def _finish_kernel(games: Record, policy: int) -> None:
    place = cuda.grid(1)
    if place < len(games):
        game = cuda.local.array(RECORD_LENGTH, int64)
        for field in range(RECORD_LENGTH):
            game[field] = games[place, field]
        while game[PHASE] != OVER:
            step(game, choose(game) if policy == RANDOM else sensible(game))
        for field in range(RECORD_LENGTH):
            games[place, field] = game[field]


class GpuBatch:
    """A batch of games on the GPU, like :class:`byzanz.fast.Batch` on the CPU.

    Its arrays are on the GPU: ``games``, ``masks``, ``rows`` (the features) and ``numbers`` (the
    actions to play, which must be legal).
    """

    def __init__(self, players: int, seeds: npt.ArrayLike) -> None:
        """Deal one game for each seed (unsigned 64-bit).

        Raises IllegalDeal if there is no game for this number of players (R2.1).
        """
        setup_for(players)
        dealt = np.asarray(seeds, dtype=np.uint64).view(np.int64)
        count = len(dealt)
        self.players = players
        self.games = cuda.device_array((count, RECORD_LENGTH), dtype=np.int64)
        self.masks = cuda.device_array((count, NUMBERS), dtype=np.uint8)
        self.rows = cuda.device_array((count, FEATURES), dtype=np.uint8)
        self.numbers = cuda.to_device(np.zeros(count, dtype=np.int64))
        self._grid = -(-count // _THREADS), _THREADS
        _deal_kernel[self._grid](self.games, players, cuda.to_device(dealt))

    def observe(self) -> None:
        """Write the masks and features of the seats on turn."""
        _observe_kernel[self._grid](self.games, self.masks, self.rows)

    def choose(self) -> None:
        """Draw a legal action number for each game that is not over."""
        _choose_kernel[self._grid](self.games, self.numbers)

    def step(self) -> None:
        """Play ``numbers``, one in each game that is not over."""
        _step_kernel[self._grid](self.games, self.numbers)

    def finish(self, policy: str = "random") -> None:
        """Play all games to their end by a policy."""
        _finish_kernel[self._grid](self.games, POLICIES[policy])


def _kernel_for(policy: Callable[[Record], int]) -> Any:
    """Return a kernel for one policy; a kernel with less code loads its instructions faster."""

    @cuda.jit
    def kernel(players: int, first: int, games: int, steps: Ints) -> None:
        # All threads of a warp deal together: dealing is slow and would stall the other threads.
        place = cuda.grid(1)
        if place < len(steps):
            game = cuda.local.array(RECORD_LENGTH, int64)
            count = 0
            for number in range(games):
                deal(game, players, int64(first + number * len(steps) + place))
                while game[PHASE] != OVER:
                    step(game, policy(game))
                    count += 1
            steps[place] = count

    return kernel


_KERNELS = {"random": _kernel_for(choose), "sensible": _kernel_for(sensible)}


def digests_on_gpu(players: int, policy: str, games: int) -> Ints:
    """Return the digests of a policy's games with seeds from 0 on, computed on the GPU."""
    digests = cuda.to_device(np.zeros(games, dtype=np.int64))
    _digest_kernel[-(-games // _THREADS), _THREADS](players, POLICIES[policy], digests)
    return np.asarray(digests.copy_to_host())


def speed(players: int, policy: str, threads: int, games: int) -> tuple[float, float]:
    """Return the steps and the games per second on the GPU, measured after a warm-up."""
    steps = cuda.device_array(threads, dtype=np.int64)
    kernel = _KERNELS[policy][-(-threads // _THREADS), _THREADS]
    kernel(players, 1, 1, steps)
    cuda.synchronize()
    start = time.perf_counter()
    kernel(players, 1, games, steps)
    cuda.synchronize()
    spent = time.perf_counter() - start
    return float(steps.copy_to_host().sum()) / spent, threads * games / spent


def check(games: int = 2048) -> None:
    """Compare batches on GPU and CPU after every step; raise AssertionError if they differ."""
    for players in (3, 4, 5, 6):
        here, there = Batch(players, range(games)), GpuBatch(players, range(games))
        while not here.over.all():
            masks, rows = here.observe()
            there.observe()
            _agree(there.masks, masks)
            _agree(there.rows, rows)
            numbers = here.choose()
            there.choose()
            step_all(here.games, numbers)
            there.step()
            _agree(there.games, here.games)
        for policy in POLICIES:
            here, there = Batch(players, range(games)), GpuBatch(players, range(games))
            here.finish(policy)
            there.finish(policy)
            _agree(there.games, here.games)


def _agree(there: Any, here: npt.NDArray[Any]) -> None:
    if not np.array_equal(there.copy_to_host(), here):
        raise AssertionError("the GPU and the CPU disagree")


def write_digests(path: Path) -> None:
    """Write the digests of 10,000 games and the name of the GPU to a file."""
    found = {
        policy: {
            str(players): shortened(digests_on_gpu(players, policy, GAMES_EACH))
            for players in (3, 4, 5, 6)
        }
        for policy in POLICIES
    }
    device = cuda.get_current_device().name
    kept = {"device": device.decode() if isinstance(device, bytes) else device, "digests": found}
    path.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Run one command and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m byzanz.fast.gpu", description=__doc__)
    parser.add_argument("command", choices=["check", "digests", "bench"])
    parser.add_argument("file", nargs="?", type=Path, help="the file for the digests")
    parser.add_argument("--threads", type=int, nargs="*", default=[1 << 21], help="for bench")
    parser.add_argument("--games", type=int, default=20, help="games per thread, for bench")
    options = parser.parse_args()
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


if __name__ == "__main__":
    sys.exit(main())
