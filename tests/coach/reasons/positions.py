"""Positions of games between mixed bots, with actions to give reasons for.

``python -m tests.coach.reasons.positions`` checks every sentence on 10,000 positions.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from rich.console import Console

from byzanz.arena import seeded_match
from byzanz.coach.reasons import TEMPLATES, reasons
from byzanz.notation import write_action, write_view
from byzanz.rules import Action, Chance, Game, View

from .claims import is_true

QUICK = ("novice", "greedy", "random", "novice", "greedy", "passive")
MIXED = ("level3", "novice", "level5", "random", "greedy", "passive")
ACTIONS = 4
"""How many actions are examined in a position, the played one included."""


def positions(bots: Sequence[str], seed: int) -> Iterator[tuple[View, list[Action]]]:
    """Yield each decision of a game: the view, the played action, and some other legal ones."""
    players = 3 + seed % 4
    chance = Chance(seed)
    order = list(bots)
    chance.shuffle(order)
    finished = seeded_match(players, seed, order[:players])
    game = Game.start(finished.deal)
    for played in finished.plays:
        seen = game.view(played.seat)
        legal = list(seen.options)
        chance.shuffle(legal)
        yield seen, list(dict.fromkeys([played.action, *legal]))[:ACTIONS]
        game = game.play(played.seat, played.action)


def check_game(bots: Sequence[str], seed: int) -> tuple[int, Counter[str], list[str]]:
    """Check all sentences of a game; return positions, how often each code occurred, and faults."""
    count, occurred, faults = 0, Counter[str](), []
    for seen, actions in positions(bots, seed):
        count += 1
        for action in actions:
            for reason in reasons(seen, action):
                occurred[reason.code] += 1
                if not is_true(seen, action, reason.code, reason.parameters):
                    said = f"{reason.code} {dict(reason.parameters)}"
                    faults.append(f"{write_view(seen)}: {write_action(action)}: {said}")
    return count, occurred, faults


def main() -> int:
    """Check positions until there are enough; return 1 if a sentence is false or never occurs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=cpu_count() or 1)
    asked = parser.parse_args()
    console = Console(highlight=False, markup=False, soft_wrap=True)
    seen, occurred, seed = 0, Counter[str](), asked.seed
    with ProcessPoolExecutor(asked.jobs) as pool:
        while seen < asked.positions:
            seeds = range(seed, seed + 8 * asked.jobs)
            seed = seeds.stop
            for count, codes, faults in pool.map(check_game, [MIXED] * len(seeds), seeds):
                seen += count
                occurred += codes
                if faults:
                    console.print(*faults, sep="\n")
                    return 1
    for code in TEMPLATES:
        console.print(f"{code:<24} {occurred[code]:>7,}")
    never = [code for code in TEMPLATES if not occurred[code]]
    console.print(f"{seen:,} positions, {occurred.total():,} sentences, none false; never: {never}")
    return 1 if never else 0


if __name__ == "__main__":
    sys.exit(main())
