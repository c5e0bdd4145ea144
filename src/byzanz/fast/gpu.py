"""The compiled game on a GPU, one game a thread, from the very same source.

``python -m byzanz.fast.gpu digests FILE`` plays 10,000 games and keeps their digests, which tests
recompute on the CPU; ``python -m byzanz.fast.gpu bench`` measures steps a second. Both need
numba-cuda and an NVIDIA GPU; nothing else in this package does.
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

if not hasattr(np, "row_stack"):  # numba-cuda still asks NumPy for its old name
    np.row_stack = np.vstack

from numba import cuda, int64

from .digest import POLICIES, digest_of_game, shortened
from .legal import choose
from .play import deal, step
from .sensible import sensible
from .words import (
    OVER,
    PHASE,
    WORDS,
    Words,
)

GAMES_EACH = 1250
"""Games of each policy and number of players whose digests are kept: 10,000 in all."""

_THREADS = 128


@cuda.jit
def _digest_kernel(players: int, policy: int, digests: Words) -> None:
    seed = cuda.grid(1)
    if seed < len(digests):
        game = cuda.local.array(WORDS, int64)
        digests[seed] = digest_of_game(game, players, int64(seed), policy)


def _playing(policy: Callable[[Words], int]) -> Any:
    """A kernel that plays by one policy: each has its own, for less code is fetched faster."""

    @cuda.jit
    def kernel(players: int, first: int, games: int, steps: Words) -> None:
        # All threads of a warp deal together: dealing is long, and nobody waits for one game's.
        place = cuda.grid(1)
        if place < len(steps):
            game = cuda.local.array(WORDS, int64)
            count = 0
            for number in range(games):
                deal(game, players, int64(first + number * len(steps) + place))
                while game[PHASE] != OVER:
                    step(game, policy(game))
                    count += 1
            steps[place] = count

    return kernel


_KERNELS = {"random": _playing(choose), "sensible": _playing(sensible)}


def digests_on_gpu(players: int, policy: str, games: int) -> Words:
    """The digests of the first games of a policy, computed on the GPU."""
    digests = cuda.to_device(np.zeros(games, dtype=np.int64))
    _digest_kernel[-(-games // _THREADS), _THREADS](players, POLICIES[policy], digests)
    return np.asarray(digests.copy_to_host())


def speed(players: int, policy: str, threads: int, games: int) -> tuple[float, float]:
    """How many steps and how many games a second the GPU plays, after a warm-up."""
    steps = cuda.device_array(threads, dtype=np.int64)
    kernel = _KERNELS[policy][-(-threads // _THREADS), _THREADS]
    kernel(players, 1, 1, steps)
    cuda.synchronize()
    start = time.perf_counter()
    kernel(players, 1, games, steps)
    cuda.synchronize()
    spent = time.perf_counter() - start
    return float(steps.copy_to_host().sum()) / spent, threads * games / spent


def write_digests(path: Path) -> None:
    """Keeps the digests of 10,000 games, and which GPU played them."""
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
    """The exit status of one command."""
    parser = argparse.ArgumentParser(prog="python -m byzanz.fast.gpu", description=__doc__)
    parser.add_argument("command", choices=["digests", "bench"])
    parser.add_argument("file", nargs="?", type=Path, help="where digests are kept")
    parser.add_argument("--threads", type=int, nargs="*", default=[1 << 21], help="for bench")
    parser.add_argument("--games", type=int, default=20, help="games a thread, for bench")
    options = parser.parse_args()
    if options.command == "digests":
        if options.file is None:
            parser.error("digests are kept in a file: name it")
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
