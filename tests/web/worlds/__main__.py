"""``python -m tests.web.worlds --games 200``: compare games in two worlds."""

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
from tests.random_games import MOST_ACTIONS

from .comparing import Tally, compare_games, compare_points, plan_of
from .fixed_server import two_servers
from .histories import compare_histories
from .recorder import Leak

BATCH = 4
"""The number of games that share a pair of servers."""


def compared(first: int, last: int, stride: int) -> Tally:
    """Compare games at single points, games from the creation of the table on, and histories."""
    tally = Tally()
    with TemporaryDirectory() as folder, two_servers(Path(folder)) as servers:
        for number in range(first, last):
            for more in compare_points(servers, number, stride):
                tally.add(more)
            observer = Chance(branch(5, number)).choice((None, *range(plan_of(number).players)))
            more = compare_games(servers, number, observer, steps=MOST_ACTIONS)
            more.games = 0  # the same game again
            tally.add(more)
            for more in compare_histories(servers, number, 10 * stride, sale=bool(number // 4 % 2)):
                tally.add(more)
    return tally


def main() -> int:
    """Compare the games; return 1 at the first leak."""
    parser = argparse.ArgumentParser(prog="python -m tests.web.worlds", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--stride", type=int, default=1, help="compare at every n-th point only")
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
            console.print(f"leak: {leak}", style="red", markup=False)
            return 1
    console.print(
        f"{tally.games} games, {tally.points} points, {tally.answers} responses and frames, "
        f"{tally.bytes:,} bytes in {len(LANGUAGES)} languages: the same in both worlds",
        soft_wrap=True,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
