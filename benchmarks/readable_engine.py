"""Measure the speed of the readable engine, and of OpenSpiel's Python API if it is installed.

``make bench`` runs this benchmark. Both play uniformly at random, on one core, in the same run.
Machines differ, so compare the ratio, not the speed. OpenSpiel is an extra:
``.venv/bin/pip install -c constraints.txt -e '.[openspiel]'``.
"""

from __future__ import annotations

import argparse
import importlib.util
import platform
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from byzanz.arena import seeded_match
from byzanz.rules import Bid, Chance, Deal, apply, begin, options


@dataclass(frozen=True)
class Speed:
    """The numbers of games and decisions played in a measured time."""

    what: str
    games: int
    decisions: int
    seconds: float


def byzanz_random(seed: int) -> int:
    """Play a four-player game with states, options and apply; return the number of actions."""
    chance = Chance(seed)
    state = begin(Deal.from_seed(4, seed))
    actions = 0
    while (seat := state.turn) is not None:
        may = options(state, seat)
        others, bids = may.answers + may.sales, may.bids
        drawn = chance.below(len(others) + len(bids))
        action = others[drawn] if drawn < len(others) else Bid(bids[drawn - len(others)])
        state = apply(state, seat, action)
        actions += 1
    return actions


def byzanz_match(seed: int) -> int:
    """Play a four-player game of random bots that see Views; return the number of actions."""
    return len(seeded_match(4, seed, ["random"] * 4).plays)


def openspiel_random(name: str) -> Callable[[int], int]:
    """Return a function that plays an OpenSpiel game in Python and counts its decisions."""
    import pyspiel  # type: ignore[import-not-found, unused-ignore]  # noqa: PLC0415

    game = pyspiel.load_game(name)

    def play(seed: int) -> int:
        drawn = random.Random(seed)
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            decisions += not state.is_chance_node()
            state.apply_action(drawn.choice(state.legal_actions()))
        return decisions

    return play


def measured(what: str, play: Callable[[int], int], seconds: float) -> Speed:
    """Measure the speed of playing one seed after the other for about this many seconds."""
    for seed in range(3):
        play(seed)
    games = decisions = 0
    start = time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        decisions += play(1000 + games)
        games += 1
    return Speed(what, games, decisions, spent)


def main() -> None:
    """Run the benchmark and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--seconds", type=float, default=10.0, help="seconds per line (default: 10)"
    )
    seconds = parser.parse_args().seconds
    console = Console()
    speeds = [
        measured("Byzanz, only the rules", byzanz_random, seconds),
        measured("Byzanz, bots with views", byzanz_match, seconds),
    ]
    if importlib.util.find_spec("pyspiel"):
        speeds += [
            measured(f"OpenSpiel {name}, Python", openspiel_random(name), seconds)
            for name in ("hearts", "dou_dizhu")
        ]
    else:
        console.print("OpenSpiel is not installed, so there is nothing to compare with.")
    table = Table(title=f"Random play, one core, Python {platform.python_version()}")
    for heading in ("Engine", "Games / s", "Decisions / s", "Decisions, ratio"):
        table.add_column(heading, justify="left" if heading == "Engine" else "right")
    base = speeds[0].decisions / speeds[0].seconds
    for speed in speeds:
        rate = speed.decisions / speed.seconds
        games = f"{speed.games / speed.seconds:,.0f}"
        table.add_row(speed.what, games, f"{rate:,.0f}", f"{rate / base:.2f}")
    console.print(table)


if __name__ == "__main__":
    main()
