"""Lockstep: the same game on both engines, compared after every action number.

``python -m tests.fast.lockstep --games 5000`` plays that many games for each player count and stops
at the first difference.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor

import numpy as np
from rich.console import Console
from rich.progress import track

from byzanz.encoding import FEATURES, NUMBERS, PIECES, Moment, features, numbers_of, piece_of
from byzanz.fast import (
    RECORD,
    choose,
    deal,
    rows_of,
    sell,
    sensible,
    step,
    to_moment,
    to_record,
    write_features,
    write_mask,
    write_profits,
    write_shares,
)
from byzanz.fast.layout import CHANCE, DECK
from byzanz.rules import SETUPS, Chance, Deal, apply, options, result, view


class Difference(AssertionError):
    """Raised if the two engines differ."""


class Lockstep:
    """One game on both engines."""

    def __init__(self, players: int, seed: int) -> None:
        self.where = f"{players} players, seed {seed}"
        self.records = np.zeros(1, dtype=RECORD)
        self.game = rows_of(self.records)[0]
        self.mask = np.zeros(NUMBERS, dtype=np.uint8)
        self.row = np.zeros(FEATURES, dtype=np.uint8)
        self.steps = 0
        deal(self.game, players, int(np.array(seed, dtype=np.uint64).view(np.int64)))
        self.moment = Moment.start(Deal.from_seed(players, seed))

    def compare(self) -> None:
        """Compare state, record, mask, features and results; raise Difference if they differ."""
        state, laid = self.moment
        self._same("state", to_moment(self.records[0]), self.moment)
        chance = int(self.game[CHANCE]) % 2**64
        back = rows_of(to_record(self.moment, chance))[0]
        self._same("record", back[:DECK].tolist(), self.game[:DECK].tolist())
        write_mask(self.game, self.mask)
        self._same("mask", np.flatnonzero(self.mask).tolist(), list(self.moment.legal()))
        # Compare the features of the seat to act and, in turn, of one other seat.
        for seat in {state.turn or 0, self.steps % len(state.players)}:
            write_features(self.game, seat, self.row)
            row = features(view(state, seat), laid if seat == state.turn else ())
            for name in PIECES if (self.row != row).any() else ():
                here, there = piece_of(self.row, name), piece_of(row, name)
                self._same(f"features {name} of seat {seat}", here.tolist(), there.tolist())
        profits, shares = np.zeros(6, dtype=np.int64), np.zeros(6)
        write_profits(self.game, profits)
        write_shares(self.game, shares)
        ended = result(state)
        self._same("profit", tuple(profits[: len(state.players)].tolist()), ended.profit)
        self._same("winners", tuple(np.flatnonzero(shares).tolist()), ended.winners)

    def play(self, chance: Chance) -> None:
        """Play a compiled policy's number, or a sale out of turn, on both engines."""
        state = self.moment.state
        if not self.moment.laid and not chance.below(12):
            seat = chance.below(len(state.players))
            sales = options(state, seat).sales
            if sales:
                sale = chance.choice(sales)
                sell(self.game, seat, numbers_of(sale)[0])
                self.moment = Moment(apply(state, seat, sale))
                return
        number = int(choose(self.game) if chance.below(4) else sensible(self.game))
        if number not in self.moment.legal():
            raise Difference(
                f"{self.where}, step {self.steps}: {number} was chosen, but is illegal"
            )
        step(self.game, number)
        self.moment = self.moment.play(number)

    def _same(self, what: str, fast: object, readable: object) -> None:
        if fast != readable:
            raise Difference(
                f"{self.where}, step {self.steps}: {what} differ\n fast  {fast}\n rules {readable}"
            )


def lockstep(players: int, seed: int) -> int:
    """Play one game on both engines and return its length in numbers; raises Difference."""
    game = Lockstep(players, seed)
    chance = Chance(seed)
    game.compare()
    while game.moment.state.turn is not None:
        game.play(chance)
        game.steps += 1
        game.compare()
    return game.steps


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return exit status 0 if the engines agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=5000, help="games for each player count (default: 5000)"
    )
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (default: 1)")
    options = parser.parse_args(arguments)
    games = [(players, seed) for players in SETUPS for seed in range(options.games)]
    try:
        if options.jobs == 1:
            steps = sum(lockstep(players, seed) for players, seed in games)
        else:
            with ProcessPoolExecutor(options.jobs) as pool:
                played = pool.map(lockstep, *zip(*games, strict=True), chunksize=20)
                steps = sum(track(played, "Lockstep", len(games), console=Console(stderr=True)))
    except Difference as difference:
        sys.stdout.write(f"{difference}\n")
        return 1
    sys.stdout.write(f"{4 * options.games} games, {steps} numbers: the engines agree\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
