"""``python -m tests.web.worlds --games 200``: that many games, compared in two worlds."""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import track

from byzanz.locale import LANGUAGES
from byzanz.rules import Chance, branch
from tests.playing import MOST_ACTIONS

from .ear import Leak
from .histories import forgotten
from .stage import two_stages
from .walking import Tally, examined, lived_twice, plan_of

BATCH = 4
"""Games that share a pair of servers."""


def compared(first: int, last: int, stride: int) -> Tally:
    """The games of these numbers compared: at their points, in their course, and in their past."""
    tally = Tally()
    with TemporaryDirectory() as folder, two_stages(Path(folder)) as stages:
        for number in range(first, last):
            for more in examined(stages, number, stride):
                tally.add(more)
            observer = Chance(branch(5, number)).choice((None, *range(plan_of(number).players)))
            more = lived_twice(stages, number, observer, steps=MOST_ACTIONS)
            more.games = 0  # it is the same game
            tally.add(more)
            for more in forgotten(stages, number, 10 * stride, sale=bool(number // 4 % 2)):
                tally.add(more)
    return tally


def main() -> int:
    """Compares the games; 1 at the first leak."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.worlds", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--stride", type=int, default=1, help="compare at every so manieth point")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args()
    end = asked.first + asked.games
    console, tally = Console(), Tally()
    with ProcessPoolExecutor(asked.jobs) as pool:
        batches = [
            pool.submit(compared, first, min(first + BATCH, end), asked.stride)
            for first in range(asked.first, end, BATCH)
        ]
        try:
            for batch in track(as_completed(batches), "two worlds", len(batches), console=console):
                tally.add(batch.result())
        except Leak as leak:
            pool.shutdown(cancel_futures=True)
            console.print(f"a leak: {leak}", style="red", markup=False)
            return 1
    console.print(
        f"{tally.games} games, {tally.points} points, {tally.answers} answers and frames, "
        f"{tally.bytes:,} bytes in {len(LANGUAGES)} languages: the same in both worlds",
        soft_wrap=True,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
