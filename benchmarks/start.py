"""Start-up time of the compiled engine: its first use, and later ones.

For each use, ``python -m benchmarks.start`` copies the package to a new folder, so that nothing is
compiled yet, and runs the use there in two processes, one after the other. It prints their CPU
time, which other load on the machine hardly changes, and their wall-clock time.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "src" / "byzanz"

USES = {
    "a single game": (
        "game = np.zeros(fast.RECORD_LENGTH, dtype=np.int64)\n"
        "fast.deal(game, 4, 1)\n"
        "while game[2] != 5: fast.step(game, fast.choose(game))"
    ),
    "a batch, finished at random": "fast.Batch(4, range(4096)).finish()",
    "a batch, finished sensibly": "fast.Batch(4, range(4096)).finish('sensible')",
    "a batch, masks and features": "fast.Batch(4, range(4096)).observe()",
    "a batch, one checked step": "batch = fast.Batch(4, range(4096)); batch.step(batch.choose())",
}


def seconds(use: str, source: Path) -> tuple[float, float]:
    """Return the CPU time and the wall-clock time of a process that uses the package once."""
    code = f"import numpy as np\nfrom byzanz import fast\n{use}"
    before, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONPATH": str(source)}, check=True
    )
    after = os.times()
    spent = after.children_user - before.children_user
    return spent + after.children_system - before.children_system, time.perf_counter() - start


def main() -> None:
    """Print a line for each use."""
    for name, use in USES.items():
        with tempfile.TemporaryDirectory() as folder:
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(PACKAGE, Path(folder) / PACKAGE.name, ignore=ignored)
            for which in ("first", "later"):
                cpu, clock = seconds(use, Path(folder))
                sys.stdout.write(f"{name}, {which}: {cpu:.1f} s ({clock:.1f} s)\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
