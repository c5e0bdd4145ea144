"""Measure luck over many games of equal players.

    python -m scripts.measure_luck --games 400 --bot emperor --players 4 --jobs 16 --out luck.json

Prints each seat's mean luck with its standard error, which should contain 0, and the variance of
the result before and after luck is subtracted. The games are seeded, so a run can be repeated.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from math import sqrt
from pathlib import Path
from statistics import fmean, pvariance

from byzanz.bots import make_bot
from byzanz.coach.luck import LuckMeter
from byzanz.network import Network
from byzanz.rules import Deal, Game


@cache
def meter() -> LuckMeter:
    return LuckMeter(Network.load())


def measure(bot: str, players: int, seed: int) -> tuple[list[float], list[float], list[float]]:
    """Play a game; return each seat's share of the win, its luck, and its chances before."""
    seats = [make_bot(bot, seed=1000 * seed + seat) for seat in range(players)]
    game = Game.start(Deal.from_seed(players, seed))
    while (turn := game.state.turn) is not None:
        game = game.play(turn, seats[turn].choose(game.view(turn)))
    winners = game.result.winners
    shares = [1 / len(winners) if seat in winners else 0.0 for seat in range(players)]
    return shares, meter().luck(game).tolist(), meter().start(players).tolist()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--first", type=int, default=1, help="seed of the first game")
    parser.add_argument("--bot", default="emperor")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    found = []
    with ProcessPoolExecutor(options.jobs) as pool:
        seeds = range(options.first, options.first + options.games)
        tasks = [pool.submit(measure, options.bot, options.players, seed) for seed in seeds]
        for done, task in enumerate(as_completed(tasks), start=1):
            found.append(task.result())
            if done % 10 == 0:
                print(f"\r{done} of {len(tasks)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    report = summary(found, options.players)
    report |= {"bot": options.bot, "players": options.players, "games": options.games}
    if options.out:
        options.out.write_text(json.dumps(report, indent=1))
    print(json.dumps(report, indent=1))
    return 0


def summary(
    found: list[tuple[list[float], list[float], list[float]]], players: int
) -> dict[str, object]:
    """Return the mean luck of each seat and the variances, in points."""
    games = len(found)
    seats = []
    for seat in range(players):
        luck = [100 * each[1][seat] for each in found]
        raw = [100 * each[0][seat] for each in found]
        adjusted = [one - other for one, other in zip(raw, luck, strict=True)]
        seats.append(
            {
                "mean luck": round(fmean(luck), 2),
                "standard error": round(sqrt(pvariance(luck) / games), 2),
                "raw variance": round(pvariance(raw), 1),
                "adjusted variance": round(pvariance(adjusted), 1),
            }
        )
    before = fmean(float(str(each["raw variance"])) for each in seats)
    after = fmean(float(str(each["adjusted variance"])) for each in seats)
    return {"seats": seats, "ratio of variances": round(after / before, 3)}


if __name__ == "__main__":
    sys.exit(main())
