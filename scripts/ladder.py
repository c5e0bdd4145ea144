"""Measure the ten levels: each against the level below it, and ``passive`` against each level.

``python -m scripts.ladder`` plays the games and prints the table of docs/levels.md. With
``--draw`` it only draws the chart from the measured shares in docs/pictures/ladder.json.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from byzanz.arena.charts.svg import GRID, PALE, circle, document, line, text
from byzanz.arena.game import seeded_match
from byzanz.bots.registry import LEVELS

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
FIRST_SEED = 5000
_COLOURS = {3: "#2f7d5b", 4: "#7b2d8b", 5: "#b5541f", 6: "#3b5fa8"}


def share_of_wins(one: str, rest: str, players: int, seed: int) -> float:
    """Return the share of wins of one bot against copies of another, in every seat of one deal."""
    won = 0.0
    for seat in range(players):
        names = [one if at == seat else rest for at in range(players)]
        winners = seeded_match(players, seed, names).result.winners
        won += (seat in winners) / len(winners)
    return won / players


def measure(one: str, rest: str, players: int, deals: int, pool: ProcessPoolExecutor) -> Row:
    """Play all deals; return the mean share of wins with the half-width of its 95 % interval."""
    seeds = range(FIRST_SEED, FIRST_SEED + deals)
    shares = list(pool.map(share_of_wins, [one] * deals, [rest] * deals, [players] * deals, seeds))
    half = 1.96 * stdev(shares) / math.sqrt(deals)
    return {"one": one, "rest": rest, "players": players, "deals": deals,
            "share": round(fmean(shares), 4), "half": round(half, 4)}  # fmt: skip


def chart(rows: list[Row]) -> str:
    """Return the chart of ratings over levels, one curve per number of players.

    A level's rating is the rating of the level below it plus 400 times the decimal logarithm of its
    odds against each opponent, as in chess.
    """
    width, height, top = 560, 340, 800
    parts = []
    for mark in range(0, top + 1, 200):
        y = height - 40 - mark / top * (height - 80)
        parts += [line([(50, y), (width - 20, y)], GRID), text(44, y + 4, str(mark), anchor="end")]
    for level in range(1, 11):
        parts.append(text(50 + 50 * (level - 1), height - 20, str(level), anchor="middle"))
    for place, (players, colour) in enumerate(_COLOURS.items()):
        points = [(50.0, height - 40.0)]
        rating = 0.0
        for level in range(2, 11):
            share = _share(rows, f"level{level}", f"level{level - 1}", players)
            rating += 400 * math.log10(share * (players - 1) / (1 - share))
            points.append((50.0 * level, height - 40 - rating / top * (height - 80)))
        parts.append(line(points, colour, width=1.6))
        parts += [circle(x, y, 3, colour) for x, y in points]
        parts.append(text(60 + 110 * place, 26, f"{players} players", fill=colour))
    parts.append(text(width / 2, height - 4, "level", anchor="middle", fill=PALE))
    return document(width, height, "Rating of the ten levels", parts)


def _share(rows: list[Row], one: str, rest: str, players: int) -> float:
    for row in rows:
        if (row["one"], row["rest"], row["players"]) == (one, rest, players):
            return float(row["share"])
    raise LookupError(f"{one} among {rest} was not measured with {players} players")


def _pairs() -> list[tuple[str, str]]:
    steps = [(upper, lower) for lower, upper in itertools.pairwise(LEVELS)]
    return [*steps, *[("passive", level) for level in LEVELS]]


def main() -> None:
    """Measure the levels, or draw the chart."""
    parser = argparse.ArgumentParser(description="measure the ten levels")
    parser.add_argument("--players", type=int, nargs="+", default=[4], choices=[3, 4, 5, 6])
    parser.add_argument("--deals", type=int, default=300, help="deals, each played in every seat")
    parser.add_argument("--search-deals", type=int, default=50, help="deals with level 10")
    parser.add_argument("--only", nargs="+", metavar="BOT", help="measure only these, not all")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--draw", action="store_true", help="draw the chart, and measure nothing")
    options = parser.parse_args()
    if options.draw:
        rows = json.loads((PICTURES / "ladder.json").read_text())
        (PICTURES / "ladder.svg").write_text(chart(rows), encoding="utf-8")
        return
    with ProcessPoolExecutor(options.jobs) as pool:
        for players in options.players:
            for one, rest in _pairs():
                if options.only and one not in options.only:
                    continue
                deals = options.search_deals if "level10" in (one, rest) else options.deals
                row = measure(one, rest, players, deals, pool)
                ratio = row["share"] * players
                print(
                    f"{players} players, {one} among {rest}: {100 * row['share']:.1f} "
                    f"± {100 * row['half']:.1f} %, {ratio:.2f} times its fair share",
                    flush=True,
                )


Row = dict[str, Any]

if __name__ == "__main__":
    main()
