"""Measure where a best response gains: its share of the win among frozen copies, by decision.

``python -m benchmarks.best_response WEIGHTS`` plays the same deals with the best response in every
seat: first with all of its decisions, then with only some of them, while the frozen network makes
the others. If a kind of decision gives a gain, the frozen network has a weakness there. The program
also counts how the decisions of the two differ, in the positions that the best response reaches.
The frozen network always makes the final sales.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from numba import njit
from rich.console import Console
from rich.progress import track
from rich.table import Table

from byzanz.cli.arguments import integer
from byzanz.encoding.numbers import CONFIRM, PASS
from byzanz.fast import Batch, layout
from byzanz.fast.jit import CACHED
from byzanz.fast.layout import Bytes, Ints, Record
from byzanz.fast.parallel import by_rows
from byzanz.fast.worlds import copy_game
from byzanz.network import SHIPPED, Network
from byzanz.network.forward import MOST_NUMBERS, decide, only_number, write_choice_mask
from byzanz.network.layers import Floats, Net, workspace_for
from byzanz.rules import SEEDS, SETUPS

KINDS = {
    "auctions": layout.AUCTION,
    "gives": layout.GIVE,
    "sales and discards": layout.LIMIT,
    "takes": layout.TAKE,
}
"""Kinds of decisions, and their phases."""
_ROUNDS = 8
"""The maximum number of rounds in a game."""

COMPARISONS = "same", "passes, not bids", "bids, not passes", "bids more", "bids less", "other"
"""The ways in which a decision can differ from the frozen network's."""
_SAME, _PASSED, _BID, _MORE, _LESS, _OTHER = range(len(COMPARISONS))

_BATCH = 64
"""The number of deals played at the same time."""


@dataclass(frozen=True)
class Result:
    """The result of the best response with some of its decisions."""

    shares: npt.NDArray[np.float64]
    """Share of the win by deal, averaged over the seats of the best response."""
    compared: Ints
    """Number of decisions by phase, round and comparison."""

    def __str__(self) -> str:
        """Return the share of the win with its 95 % interval over deals."""
        share, half = self.shares.mean(), 1.96 * self.shares.std() / len(self.shares) ** 0.5
        return f"{share:.1%} ({share - half:.1%} to {share + half:.1%})"


def decision_sets(rounds: int) -> dict[str, int]:
    """Return the sets of decisions that the best response makes, by name, as bit masks."""

    def bits(kind: str, first: int = 1, last: int = _ROUNDS) -> int:
        return sum(1 << KINDS[kind] * _ROUNDS + each - 1 for each in range(first, last + 1))

    late = [(1, rounds - 4), (rounds - 3, rounds - 2), (rounds - 1, rounds - 1), (rounds, rounds)]
    return (
        {"all": sum(map(bits, KINDS)), "auctions": bits("auctions")}
        | {
            f"auctions of {'round' if first == last else f'rounds {first} to'} {last}": bits(
                "auctions", first, last
            )
            for first, last in late
            if first <= last
        }
        | {kind: bits(kind) for kind in KINDS if kind != "auctions"}
    )


def play(
    response: Network, frozen: Network, players: int, deals: range, decisions: int
) -> Iterator[Result]:
    """Yield the results of a set of decisions, some deals at a time."""
    round_cards = sum(SETUPS[players].offer_cards)
    _, *widths = map(max, response.weights.shape, frozen.weights.shape)
    for first in range(0, len(deals), _BATCH):
        some = np.array(deals[first : first + _BATCH], np.uint64)
        batch, seats = Batch(players, some.repeat(players)), np.tile(range(players), len(some))
        count = len(seats)
        dealt = batch.games[:, layout.DRAWN] - SETUPS[players].offer_cards[-1]
        compared = np.zeros((count, len(KINDS), _ROUNDS, len(COMPARISONS)), np.int64)
        workspace = [
            np.zeros((count, *part.shape), part.dtype) for part in workspace_for((1, *widths))
        ]
        _play(
            batch.games, batch.games.copy(), seats, dealt, compared,
            np.zeros((count, 2, MOST_NUMBERS), np.int64), *workspace,
            round_cards, decisions, response.arrays, frozen.arrays,
        )  # fmt: skip
        _, shares = batch.results()
        own = shares[np.arange(count), seats]
        yield Result(own.reshape(-1, players).mean(1), compared.sum(0))


def joined(parts: Iterator[Result]) -> Result:
    """Join the results of several deals."""
    every = list(parts)
    return Result(np.concatenate([each.shares for each in every]), sum(e.compared for e in every))


@by_rows(1)
def _play(  # noqa: PLR0913, PLR0917
    games: Record, spares: Record, seats: Ints, dealt: Ints, compared: Ints, laid: Ints,
    rows: Bytes, masks: Bytes, outputs: Floats, scratches: Floats, nonzeros: Ints,
    round_cards: int, decisions: int, response: Net, frozen: Net,
) -> None:  # fmt: skip
    for place in range(len(games)):
        game, spare, numbers = games[place], spares[place], laid[place]
        workspace = rows[place], masks[place], outputs[place], scratches[place], nonzeros[place]
        while game[layout.PHASE] != layout.OVER:
            phase = game[layout.PHASE]
            number = (game[layout.DRAWN] - dealt[place] - 1) // round_cards
            chosen = decisions >> (phase * _ROUNDS + number) & 1
            write_choice_mask(game, masks[place])
            if game[layout.TURN] != seats[place] or not chosen or only_number(masks[place]) >= 0:
                decide(frozen, workspace, game, 0.0, 0.0, numbers[1])
            else:
                copy_game(game, spare)
                count = decide(response, workspace, game, 0.0, 0.0, numbers[0])
                other = decide(frozen, workspace, spare, 0.0, 0.0, numbers[1])
                compared[place, phase, number, _comparison(numbers, count, other)] += 1


@njit(cache=CACHED)
def _comparison(numbers: Ints, count: int, other: int) -> int:
    """Return how the first row (``count`` numbers) compares with the second (``other`` numbers)."""
    mine, frozen = numbers[0], numbers[1]
    passed, passes = mine[0] == PASS, frozen[0] == PASS
    if passed or passes:
        return _SAME if passed and passes else _PASSED if passed else _BID
    if mine[count - 1] != CONFIRM:
        return _SAME if mine[0] == frozen[0] else _OTHER
    more, same = 0, count == other
    for at in range(count - 1):
        more += mine[at] % 4 + 1
        same = same and mine[at] == frozen[at]
    for at in range(other - 1):
        more -= frozen[at] % 4 + 1
    return _SAME if same else _MORE if more > 0 else _LESS if more < 0 else _OTHER


def show(console: Console, results: Mapping[str, Result]) -> None:
    """Print the results as tables."""
    table = Table("decisions of the best response", "share of the win")
    for name, each in results.items():
        table.add_row(name, str(each))
    console.print(table)
    compared = results["all"].compared
    rounds = range(int(compared.any((0, 2)).sum()))
    table = Table("decisions that differ", *[f"round {number + 1}" for number in rounds])
    for name, phase in KINDS.items():
        for place, comparison in enumerate(COMPARISONS):
            rates = compared[phase, :, place] / np.maximum(compared[phase].sum(1), 1)
            if place != _SAME and rates.any():
                table.add_row(f"{name}: {comparison}", *[f"{rates[each]:.1%}" for each in rounds])
    console.print(table)


def main() -> None:
    """Play the games and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("weights", type=Path, help="weights of the best response")
    parser.add_argument(
        "--frozen",
        type=Path,
        default=SHIPPED,
        help="weights of the frozen network (default: those of emperor)",
    )
    parser.add_argument("--players", type=int, choices=SETUPS, default=4)
    parser.add_argument("--deals", type=integer(1), default=2000)
    parser.add_argument(
        "--seed", type=integer(0, SEEDS // 2), default=1, help="seed of the first deal (default: 1)"
    )
    options = parser.parse_args()
    try:
        response, frozen = Network.load(options.weights), Network.load(options.frozen)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    deals = range(options.seed, options.seed + options.deals)
    results = {}
    for name, decisions in decision_sets(SETUPS[options.players].rounds).items():
        parts = play(response, frozen, options.players, deals, decisions)
        results[name] = joined(track(parts, name, -(-len(deals) // _BATCH)))
    show(Console(), results)


if __name__ == "__main__":
    main()
