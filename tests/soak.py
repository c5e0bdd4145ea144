"""The soak test: ``python -m tests.soak`` plays many random games and tries many illegal actions.

It checks that every state is consistent and that refused actions change nothing. It prints how
often each rule and reading was used, and fails if one never was.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from os import cpu_count

from rich.console import Console
from rich.progress import track
from rich.table import Table

from byzanz.notation import write_state
from byzanz.rules import Chance, Game, IllegalAction, Phase, Reason, State, apply, flaws, options
from tests.random_games import random_game
from tests.rule_coverage import AT_THE_START, RULES, at_action, possible_attempts

BATCH = 25

ACTION_REASONS = [
    reason
    for reason in Reason
    if reason.value
    not in (
        "player-count", "hand-size", "removed-size", "deck-size", "card-count", "no-such-seat",
        "result-too-early", "wrong-profit", "wrong-winners",
    )
]  # fmt: skip
"""The reasons for which an action of a seat at the table can be refused."""


def play_batch(players: int, first: int, attempts: int) -> Counter[str]:
    """Play a batch of games with about this many illegal attempts each; count what occurred."""
    seen: Counter[str] = Counter()
    for seed in range(first, first + BATCH):
        chance = Chance(seed ^ 0xABCDEF)
        before: Game | None = None
        tried = 0
        for game in random_game(players, seed):
            if flaw := next(flaws(game.state), None):
                raise AssertionError(f"{players} players, seed {seed}: {flaw}")
            if before is None:
                seen.update(AT_THE_START)
            else:
                played = game.plays[-1]
                seen.update(at_action(before.state, played.seat, played.action, game.state))
            # Half of the attempts are reserved for the final sale and the end.
            late = game.state.phase in (Phase.FINAL_SALE, Phase.OVER)
            if (late and not chance.below(2)) or (tried < attempts // 2 and not chance.below(20)):
                tried += _try_illegal(game.state, chance, seen)
            before = game
        while tried < attempts:
            tried += _try_illegal(game.state, chance, seen)
        seen["games"] += 1
    return seen


def _try_illegal(state: State, chance: Chance, seen: Counter[str]) -> int:
    """Try actions, check that refused ones change nothing, and return how many were refused."""
    text = write_state(state)
    refused = 0
    seat = chance.below(len(state.players))
    may = options(state, seat)
    for action in possible_attempts(state, seat):
        refusal = may.refusal(action)
        try:
            apply(state, seat, action)
        except IllegalAction as error:
            if refusal != error.refusal:
                raise AssertionError(f"{refusal} is not {error.refusal}") from None
            seen[error.refusal.rule] += 1
            seen[f"refused {error.refusal.reason.value}"] += 1
            refused += 1
        else:
            if refusal is not None:
                raise AssertionError(f"{action} was accepted though {refusal}")
    if write_state(state) != text:
        raise AssertionError("a refused action changed the state")
    seen["illegal attempts"] += refused
    return refused


def main() -> int:
    """Run the soak test and return the exit status: 0 if every rule and reason occurred."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--attempts", type=int, default=1_000_000)
    options = parser.parse_args()
    each = -(-options.attempts // options.games)
    tasks = [
        (players, first)
        for players in (3, 4, 5, 6)
        for first in range(0, -(-options.games // 4), BATCH)
    ]
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(cpu_count()) as pool:
        futures = [pool.submit(play_batch, players, first, each) for players, first in tasks]
        for future in track(futures, "Soaking", console=Console(stderr=True)):
            total += future.result()
    table = Table("Rule", "Times", title="How often each rule and reading was used")
    for rule in RULES:
        table.add_row(rule, f"{total[rule]:,}")
    console = Console()
    console.print(table)
    refused = Table("Refused because", "Times")
    for reason in ACTION_REASONS:
        refused.add_row(reason.value, f"{total[f'refused {reason.value}']:,}")
    console.print(refused)
    console.print(f"{total['games']:,} games, {total['illegal attempts']:,} illegal attempts")
    never = [rule for rule in RULES if not total[rule]]
    never += [reason.value for reason in ACTION_REASONS if not total[f"refused {reason.value}"]]
    if never:
        console.print(f"Never occurred: {', '.join(never)}")
    return 1 if never else 0


if __name__ == "__main__":
    sys.exit(main())
