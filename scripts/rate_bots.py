"""Rate the built-in bots on the scale of people's ratings.

``python -m scripts.rate_bots --players 4 --play`` plays the games and writes their places to
tests/data/bot_games.jsonl. Without ``--play`` it only rates the games there, and writes
src/byzanz/arena/data/bot_ratings.json.

The levels play each other, in random groups. A few games have level 10, which thinks for a second
per decision, and a few have another bot among the levels.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from byzanz.arena.game import seeded_match
from byzanz.arena.skill import rate_all
from byzanz.bots.registry import LEVELS
from byzanz.rules import SETUPS, Chance, branch
from byzanz.tables.model.results import place

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "tests" / "data" / "bot_games.jsonl"
RATINGS = ROOT / "src" / "byzanz" / "arena" / "data" / "bot_ratings.json"
OTHERS = ("random", "passive", "novice", "greedy", "trader")
"""The quick bots that are not levels."""

Row = dict[str, object]


def groups(players: int, games: int, searching: int, others: int, seed: int) -> Iterator[list[str]]:
    """Yield the bots of each game, by seat."""
    chance = Chance(branch(seed, players))
    for number in range(games):
        names = list(LEVELS[:-1])
        chance.shuffle(names)
        group = names[:players]
        if number < searching:  # beside level 10 sits its neighbour
            group = [LEVELS[-1], LEVELS[-2], *[name for name in names if name != LEVELS[-2]]]
        elif number < searching + others:
            group = [OTHERS[number % len(OTHERS)], *names]
        group = group[:players]
        chance.shuffle(group)
        yield group


def played(players: int, seed: int, names: list[str]) -> Row:
    """Play a game and return its bots and their places."""
    result = seeded_match(players, seed, names).result
    places = [place(result, seat) for seat in range(players)]
    return {"players": players, "bots": names, "places": places}


def rated(rows: list[Row]) -> dict[str, dict[str, list[float]]]:
    """Return the mean and the deviation of each bot's rating, by the number of players."""
    found: dict[str, dict[str, list[float]]] = {}
    for players in SETUPS:
        games = [(row["bots"], row["places"]) for row in rows if row["players"] == players]
        skills = rate_all(games)  # type: ignore[arg-type]
        found[str(players)] = {
            name: [round(skills[name].mu, 2), round(skills[name].sigma, 2)]
            for name in (*OTHERS, *LEVELS)
            if name in skills
        }
    return found


def main() -> None:
    """Play games, or rate those that were played."""
    parser = argparse.ArgumentParser(description="rate the built-in bots")
    parser.add_argument("--play", action="store_true", help="play the games first")
    parser.add_argument("--players", type=int, default=4, choices=tuple(SETUPS))
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--search-games", type=int, default=50, help="games with level 10")
    parser.add_argument("--other-games", type=int, default=100, help="games with other bots")
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows = [json.loads(line) for line in GAMES.read_text().splitlines()] if GAMES.exists() else []
    if options.play:
        players, seed = options.players, options.seed
        chosen = list(
            groups(players, options.games, options.search_games, options.other_games, seed)
        )
        seeds = [branch(branch(seed, players), number) for number in range(len(chosen))]
        with ProcessPoolExecutor(options.jobs) as pool:
            new = list(pool.map(played, [players] * len(chosen), seeds, chosen, chunksize=4))
        # The slow games are played first, so that all jobs end together, but not rated first.
        Chance(seed).shuffle(new)
        rows = [row for row in rows if row["players"] != players] + new
        rows.sort(key=lambda row: row["players"])
        GAMES.write_text("".join(json.dumps(row) + "\n" for row in rows))
    RATINGS.write_text(json.dumps(rated(rows), indent=1) + "\n")


if __name__ == "__main__":
    main()
