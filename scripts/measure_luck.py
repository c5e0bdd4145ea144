"""Measure luck over many games of equal players.

    python -m scripts.measure_luck --games 400 --bot emperor --players 4 --jobs 16 --out luck.json

Prints each seat's mean luck with its standard error, which should contain 0, and the variance of
the result before and after luck is subtracted. Every game is written to the JSON file as soon as it
is measured; if the file exists, its games are not played again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, pvariance
from typing import Any

from byzanz.bots import make_bot
from byzanz.coach.luck import LuckMeter
from byzanz.network import Network
from byzanz.rules import Deal, Game


@cache
def meter() -> LuckMeter:
    return LuckMeter(Network.load())


def measure(bot: str, players: int, seed: int) -> dict[str, Any]:
    """Play a game; return each seat's share of the win and its luck."""
    seats = [make_bot(bot, seed=1000 * seed + seat) for seat in range(players)]
    game = Game.start(Deal.from_seed(players, seed))
    while (turn := game.state.turn) is not None:
        game = game.play(turn, seats[turn].choose(game.view(turn)))
    winners = game.result.winners
    shares = [(seat in winners) / len(winners) for seat in range(players)]
    return {"bot": bot, "seed": seed, "share": shares, "luck": meter().luck(game).tolist()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--bot", default="emperor")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--out", type=Path, default=Path("luck.json"))
    options = parser.parse_args()
    found = json.loads(options.out.read_text()) if options.out.exists() else []
    known = {(one["bot"], one["seed"]) for one in found if len(one["share"]) == options.players}
    seeds = [seed for seed in range(1, options.games + 1) if (options.bot, seed) not in known]
    with ProcessPoolExecutor(options.jobs) as pool:
        running = [pool.submit(measure, options.bot, options.players, seed) for seed in seeds]
        try:
            for done, task in enumerate(as_completed(running, options.seconds), start=1):
                found.append(task.result())
                options.out.write_text(json.dumps(found))
                print(f"\r{done} of {len(seeds)} games", end="", file=sys.stderr, flush=True)
        except TimeoutError:
            pool.shutdown(cancel_futures=True)
    print(file=sys.stderr)
    for line in report([one for one in found if len(one["share"]) == options.players]):
        print(line)
    return 0


def report(found: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the mean luck of each seat and the variances, in points."""
    raw, luck = (
        [[100 * share for share in seat] for seat in zip(*[one[key] for one in found], strict=True)]
        for key in ("share", "luck")
    )
    before = after = 0.0
    for seat, (shares, lucks) in enumerate(zip(raw, luck, strict=True)):
        rest = [one - other for one, other in zip(shares, lucks, strict=True)]
        before, after = before + pvariance(shares), after + pvariance(rest)
        error = sqrt(pvariance(lucks) / len(lucks))
        yield f"seat {seat}: mean luck {fmean(lucks):+.2f}, standard error {error:.2f}"
    yield (
        f"{len(found)} games: mean variance {before / len(raw):.0f}, "
        f"without luck {after / len(raw):.0f}, ratio {after / before:.3f}"
    )


if __name__ == "__main__":
    sys.exit(main())
