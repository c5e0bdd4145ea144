"""Check that the coach's grades are fair: weaker players lose more, and who loses more wins less.

On a machine with 16 cores (10 to 30 seconds of processor time for a game):

    python -m scripts.grade_levels --players 3 4 5 6 --games 12 --mixed 200 --jobs 16

For each number of players and each of the levels 1 to 9, games of equal players are reviewed, and
the mean loss per seat and game is printed. Then games of mixed levels are reviewed, and the
correlation between a seat's loss and its share of the win is printed. Every game is written to the
JSON file as soon as it is reviewed; if the file exists, its games are not played again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import sqrt
from pathlib import Path
from statistics import correlation, fmean, pstdev
from typing import Any

from byzanz.bots import LEVELS, make_bot
from byzanz.coach.game_review import review_game
from byzanz.rules import Chance, Deal, Game

GRADED = LEVELS[:9]
_SPLITS = 200
"""How often the games are divided into two halves at random."""


def grade(kind: str, bots: Sequence[str], seed: int, worlds: int) -> dict[str, Any]:
    """Play and review a game; return each seat's bot, loss, accuracy, marks, luck and result."""
    players = len(bots)
    seats = [make_bot(bot, seed=100 * seed + seat) for seat, bot in enumerate(bots)]
    game = Game.start(Deal.from_seed(players, seed))
    while (turn := game.state.turn) is not None:
        game = game.play(turn, seats[turn].choose(game.view(turn)))
    review = review_game(game, worlds=worlds, jobs=1)
    winners = game.result.winners
    return {
        "kind": kind,
        "players": players,
        "seed": seed,
        "bots": list(bots),
        "loss": [round(one.loss, 3) for one in review.seats],
        "decisions": [len(one.decisions) for one in review.seats],
        "accuracy": [one.accuracy for one in review.seats],
        "marks": [len(one.marked) for one in review.seats],
        "stars": [one.stars for one in review.seats],
        "luck": [round(one.luck.luck, 3) if one.luck else None for one in review.seats],
        "share": [(seat in winners) / len(winners) for seat in range(players)],
    }


def tasks(
    players: Sequence[int], games: int, mixed: int
) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """Yield the games to play: kind, bots and seed. Equal levels take turns, so that all grow."""
    for number in range(games):
        for count in players:
            for level in GRADED:
                yield level, (level,) * count, 7000 + number
    for number in range(mixed):
        chance = Chance(number)
        count = players[number % len(players)]
        yield "mixed", tuple(chance.choice(GRADED) for _ in range(count)), 8000 + number


def table(found: Sequence[dict[str, Any]], players: Sequence[int]) -> Iterator[str]:
    """Yield the lines of the report."""
    yield "mean loss per seat and game, in points of win probability (standard error)"
    yield "level   " + "".join(f"{count} players       " for count in players)
    for level in GRADED:
        cells = []
        for count in players:
            losses = [
                loss
                for one in found
                if one["kind"] == level and one["players"] == count
                for loss in one["loss"]
            ]
            error = pstdev(losses) / sqrt(len(losses)) if losses else 0.0
            cells.append(f"{fmean(losses):6.1f} ({error:4.1f})" if losses else " " * 13)
        yield f"{level:<7} " + "    ".join(cells)
    for count in players:
        games = [one for one in found if one["kind"] == "mixed" and one["players"] == count]
        # Compared with the others at the table: a game is won against them.
        loss = [each - fmean(one["loss"]) for one in games for each in one["loss"]]
        share = [each for one in games for each in one["share"]]
        if len(games) > 2:
            yield (
                f"{count} players: correlation of loss and share of the win "
                f"{correlation(loss, share):+.3f} in {len(games)} games of mixed levels"
            )
            luck = [each / 100 for one in games for each in one["luck"]]
            earned = [each - more for each, more in zip(share, luck, strict=True)]
            yield f"  with the share of the win less luck: {correlation(loss, earned):+.3f}"
            yield from _over_levels(games)


def _over_levels(games: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the correlations of the levels' mean losses and mean shares of the win."""
    seats: dict[str, list[tuple[float, float]]] = {}
    for one in games:
        for level, loss, share in zip(one["bots"], one["loss"], one["share"], strict=True):
            seats.setdefault(level, []).append((loss, share))
    enough = [found for found in seats.values() if len(found) > 1]
    if len(enough) < 3:
        return
    means = [(fmean(loss for loss, _ in one), fmean(share for _, share in one)) for one in enough]
    yield f"  over levels, mean loss and mean share: {correlation(*zip(*means, strict=True)):+.3f}"
    chance, halves = Chance(1), []
    for _ in range(_SPLITS):
        split = []
        for found in enough:
            half = len(found) // 2
            mixed = found.copy()
            chance.shuffle(mixed)
            split.append((fmean(a for a, _ in mixed[:half]), fmean(b for _, b in mixed[half:])))
        halves.append(correlation(*zip(*split, strict=True)))
    yield f"  mean loss in one half of the games, share in the other: {fmean(halves):+.3f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--players", type=int, nargs="+", default=[4])
    parser.add_argument("--games", type=int, default=6, help="games for each level")
    parser.add_argument("--mixed", type=int, default=0, help="games of mixed levels, in all")
    parser.add_argument("--worlds", type=int, default=64)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, help="stop after this time")
    parser.add_argument("--out", type=Path, default=Path("grades.json"))
    options = parser.parse_args()
    found = json.loads(options.out.read_text()) if options.out.exists() else []
    known = {(one["kind"], tuple(one["bots"]), one["seed"]) for one in found}
    todo = [
        task for task in tasks(options.players, options.games, options.mixed) if task not in known
    ]
    with ProcessPoolExecutor(options.jobs) as pool:
        running = [pool.submit(grade, *task, options.worlds) for task in todo]
        try:
            for done, task in enumerate(as_completed(running, options.seconds), start=1):
                found.append(task.result())
                options.out.write_text(json.dumps(found))
                print(f"\r{done} of {len(todo)} games", end="", file=sys.stderr, flush=True)
        except TimeoutError:
            pool.shutdown(cancel_futures=True)
    print(file=sys.stderr)
    for line in table(found, options.players):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
