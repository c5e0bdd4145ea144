"""Rate the built-in bots on the scale of people's ratings.

``python -m scripts.rate_bots`` writes src/byzanz/arena/data/bot_ratings.json:

- The levels are rated by their shares of the wins among players of the level below, which
  scripts.ladder has measured (docs/pictures/ladder.json). Their mean is 1500. Ratings compare all
  places, not only wins, so the steps are scaled by a factor that games with four players give.
- The other quick bots are rated by games among the levels, in tests/data/bot_games.jsonl.

``--play`` first plays such games for a number of players, with levels 1 to 9 in random groups. With
four players there are 2,000, from which a test recovers the order of the levels.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from math import hypot, log, sqrt
from pathlib import Path
from statistics import fmean, linear_regression

from byzanz.arena.game import seeded_match
from byzanz.arena.skill import LUCK, MEAN, Skill, rate, rate_all
from byzanz.bots.registry import LEVELS
from byzanz.rules import SETUPS, Chance, branch
from byzanz.tables.model.results import place

ROOT = Path(__file__).parents[1]
GAMES = ROOT / "tests" / "data" / "bot_games.jsonl"
RATINGS = ROOT / "src" / "byzanz" / "arena" / "data" / "bot_ratings.json"
LADDER = ROOT / "docs" / "pictures" / "ladder.json"
FITTED = 4
"""The number of players whose games scale the ratings of the levels."""
OTHERS = ("random", "passive", "novice", "greedy", "trader")
"""The quick bots that are not levels."""

Row = dict[str, object]


def groups(players: int, games: int, others: int, seed: int) -> Iterator[list[str]]:
    """Yield the bots of each game, by seat."""
    chance = Chance(branch(seed, players))
    for number in range(games):
        names = list(LEVELS[:-1])
        chance.shuffle(names)
        group = [OTHERS[number % len(OTHERS)], *names] if number < others else names
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
    factor = fitted(rows)
    for players in SETUPS:
        levels = level_skills(players, factor)
        games = [row for row in rows if row["players"] == players]
        skills = {
            **{bot: other_skill(bot, levels, games) for bot in OTHERS},
            **levels,
        }
        found[str(players)] = {
            name: [round(skill.mu, 2), round(skill.sigma, 2)] for name, skill in skills.items()
        }
    return found


def fitted(rows: list[Row]) -> float:
    """Return the factor by which the games' ratings differ as much as those of the ladder."""
    games = [(row["bots"], row["places"]) for row in rows if row["players"] == FITTED]
    rated, ladder = rate_all(games), level_skills(FITTED, 1.0)  # type: ignore[arg-type]
    pairs = [(ladder[name].mu, rated[name].mu) for name in LEVELS[:-1]]
    return float(linear_regression(*zip(*pairs, strict=True)).slope)


def level_skills(players: int, factor: float) -> dict[str, Skill]:
    """Return the skills of the levels from their measured shares of the wins."""
    rows = {
        (row["one"], row["rest"], row["players"]): row for row in json.loads(LADDER.read_text())
    }
    unit = factor * LUCK * sqrt(players)  # what multiplies the odds by e, as in the model
    steps, errors = [], []
    for lower, upper in pairwise(LEVELS):
        row = rows[upper, lower, players]
        share = row["share"]
        steps.append(unit * log(share * (players - 1) / (1 - share)))
        errors.append(unit * row["half"] / 1.96 / (share * (1 - share)))
    count = len(LEVELS)
    above = [sum(steps[:level]) for level in range(count)]
    skills = {}
    for level, name in enumerate(LEVELS):
        # how much each step counts in the difference between this level and the mean
        weights = [(step < level) - (count - 1 - step) / count for step in range(count - 1)]
        deviation = hypot(*[weight * error for weight, error in zip(weights, errors, strict=True)])
        skills[name] = Skill(MEAN + above[level] - fmean(above), deviation)
    return skills


def other_skill(bot: str, levels: dict[str, Skill], rows: list[Row]) -> Skill:
    """Return the skill of a bot from its games among the levels, whose skills do not change."""
    skill = Skill()
    for row in rows:
        bots: list[str] = row["bots"]  # type: ignore[assignment]
        places: list[int] = row["places"]  # type: ignore[assignment]
        if bot in bots:
            before = [skill if name == bot else levels[name] for name in bots]
            skill = rate(before, places, drift=False)[bots.index(bot)]
    return skill


def main() -> None:
    """Play games, or rate those that were played."""
    parser = argparse.ArgumentParser(description="rate the built-in bots")
    parser.add_argument("--play", action="store_true", help="play the games first")
    parser.add_argument("--players", type=int, default=4, choices=tuple(SETUPS))
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--other-games", type=int, default=100, help="games with other bots")
    parser.add_argument("--seed", type=int, default=37)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rows = [json.loads(line) for line in GAMES.read_text().splitlines()] if GAMES.exists() else []
    if options.play:
        players, seed = options.players, options.seed
        chosen = list(groups(players, options.games, options.other_games, seed))
        seeds = [branch(branch(seed, players), number) for number in range(len(chosen))]
        with ProcessPoolExecutor(options.jobs) as pool:
            new = list(pool.map(played, [players] * len(chosen), seeds, chosen, chunksize=4))
        Chance(seed).shuffle(new)  # those with other bots come first
        rows = [row for row in rows if row["players"] != players] + new
        rows.sort(key=lambda row: row["players"])
        GAMES.write_text("".join(json.dumps(row) + "\n" for row in rows))
    RATINGS.write_text(json.dumps(rated(rows), indent=1) + "\n")


if __name__ == "__main__":
    main()
