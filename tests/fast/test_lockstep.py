"""The compiled engine agrees with the readable one, and planted faults are detected."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fast.lockstep import lockstep

ROOT = Path(__file__).parents[2]

# The planted faults: the file, its text, and the text that replaces it.
FAULTS = {
    "R2.2 removed cards": ("play.py", "return 2 if players == 5 else 4", "return 4"),
    "R3.3 an equal bid": (
        "legal.py",
        "(laid) > game[layout.HIGHEST]",
        "(laid) >= game[layout.HIGHEST]",
    ),
    "R3.5 the bid taken back": ("play.py", "    game[HAND + seat] += game[BID + seat]\n", ""),
    "R3.9 the next starter": (
        "play.py",
        "    seat = winner\n",
        "    seat = game[layout.STARTER]\n",
    ),
    "R3.10 the winner when all pass": (
        "play.py",
        "return game[layout.STARTER]  #",
        "return seat  #",
    ),
    "R3.11 the last offer": (
        "play.py",
        "layout.AUCTION if stack > 1",
        "layout.AUCTION if stack > 0",
    ),
    "R4.1 the order of taking": ("play.py", "card in range(1, 7)", "card in range(6, 0, -1)"),
    "R4.2 the rest of the market": (
        "play.py",
        "    game[layout.GONE] += game[layout.MARKET]\n",
        "",
    ),
    "R5.1 the kept card": (
        "play.py",
        "1 << shift_of(kept)\n        _hide",
        "1 << 0\n        _hide",
    ),
    "R5.2 two merchants": ("legal.py", "return merchants > 1 and", "return merchants > 0 and"),
    "R6.1 the hand limit": ("play.py", "& 255) > HAND_LIMIT", "& 255) >= HAND_LIMIT"),
    "R7.2 the tie-break": ("results.py", " + size_of(game[HAND + seat] + laid)", ""),
    "I6 known cards": (
        "play.py",
        "if spare > 0:\n            hidden",
        "if 0:\n            hidden",
    ),
}


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("seed", [0, 2**64 - 1])
def test_both_engines_agree(players: int, seed: int) -> None:
    assert lockstep(players, seed) > 100


def run_lockstep(source: Path, games: int) -> subprocess.CompletedProcess[str]:
    # Without the compiler, the functions are plain Python and start at once.
    env = os.environ | {"PYTHONPATH": f"{source}:{ROOT}", "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-W", "ignore", "-m", "tests.fast.lockstep", "--games", str(games)]
    return subprocess.run(
        command, env=env, capture_output=True, text=True, timeout=300, check=False
    )


def test_both_engines_agree_without_the_compiler() -> None:
    done = run_lockstep(ROOT / "src", 1)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_detected(fault: str, tmp_path: Path) -> None:
    file, old, new = FAULTS[fault]
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    path = tmp_path / "src" / "byzanz" / "fast" / file
    text = path.read_text(encoding="utf-8")
    assert text.count(old) >= 1
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = run_lockstep(tmp_path / "src", 6)
    assert done.returncode == 1, "the fault was not noticed"
    assert "Traceback" in done.stderr or "differ" in done.stdout or "illegal" in done.stdout
