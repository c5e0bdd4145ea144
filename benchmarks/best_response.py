"""What a best response found: its share of the win among frozen copies, and in which decisions.

``python -m benchmarks.best_response WEIGHTS`` plays the same deals with the best response in every
seat: with all of its answers, and then with only some of them, all others being the frozen
network's own. What some alone gain is a weakness of the network there. It also counts how the two
answer otherwise, in the positions that the best response comes to. Final sales are the frozen
network's.
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

from byzanz.cli.arguments import whole
from byzanz.encoding.numbers import CONFIRM, PASS
from byzanz.fast import Batch
from byzanz.fast import layout as w
from byzanz.fast.jit import CACHED
from byzanz.fast.layout import Bytes, Words
from byzanz.fast.parallel import by_rows
from byzanz.fast.worlds import copy_game
from byzanz.network import SHIPPED, Network
from byzanz.network.forward import MOST_NUMBERS, decide, only_number, write_choices
from byzanz.network.layers import Floats, Net, room_for
from byzanz.rules import SEEDS, SETUPS

KINDS = {"auctions": w.AUCTION, "gifts": w.GIVE, "sales and discards": w.LIMIT, "takes": w.TAKE}
"""Decisions by their phase."""
_ROUNDS = 8
"""No game has more."""

COMPARISONS = "same", "passes, not bids", "bids, not passes", "bids more", "bids less", "other"
"""How an answer compares with the frozen network's."""
_SAME, _PASSED, _BID, _MORE, _LESS, _OTHER = range(len(COMPARISONS))

_AT_ONCE = 64
"""Deals."""


@dataclass(frozen=True)
class Found:
    """What came of some answers."""

    shares: npt.NDArray[np.float64]
    """Of the win, by deal, the average over the seats that the best response had."""
    compared: Words
    """How many of the answers there were, by phase, round and comparison."""

    def __str__(self) -> str:
        """The share of the win with its 95 % interval, deals as the unit."""
        share, doubt = self.shares.mean(), 1.96 * self.shares.std() / len(self.shares) ** 0.5
        return f"{share:.1%} ({share - doubt:.1%} to {share + doubt:.1%})"


def parts(rounds: int) -> dict[str, int]:
    """Answers that the best response may be let to give alone, by name: a bit for each."""

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


def played(
    response: Network, frozen: Network, players: int, deals: range, answers: int
) -> Iterator[Found]:
    """What comes of the answers whose bits are set, some deals at a time."""
    a_round = sum(SETUPS[players].offer_cards)
    _, *wide = map(max, response.weights.shape, frozen.weights.shape)
    for first in range(0, len(deals), _AT_ONCE):
        some = np.array(deals[first : first + _AT_ONCE], np.uint64)
        batch, seats = Batch(players, some.repeat(players)), np.tile(range(players), len(some))
        count = len(seats)
        dealt = batch.words[:, w.DRAWN] - SETUPS[players].offer_cards[-1]
        compared = np.zeros((count, len(KINDS), _ROUNDS, len(COMPARISONS)), np.int64)
        room = [np.zeros((count, *part.shape), part.dtype) for part in room_for((1, *wide))]
        _play(
            batch.words, batch.words.copy(), seats, dealt, compared,
            np.zeros((count, 2, MOST_NUMBERS), np.int64), *room,
            a_round, answers, response.parts, frozen.parts,
        )  # fmt: skip
        _, shares = batch.results()
        own = shares[np.arange(count), seats]
        yield Found(own.reshape(-1, players).mean(1), compared.sum(0))


def gathered(some: Iterator[Found]) -> Found:
    """All of it as one."""
    every = list(some)
    return Found(np.concatenate([each.shares for each in every]), sum(e.compared for e in every))


@by_rows(1)
def _play(  # noqa: PLR0913, PLR0917
    games: Words, spares: Words, seats: Words, dealt: Words, compared: Words, laid: Words,
    rows: Bytes, masks: Bytes, shares: Floats, scratches: Floats, presents: Words,
    a_round: int, answers: int, response: Net, frozen: Net,
) -> None:  # fmt: skip
    for place in range(len(games)):
        game, spare, numbers = games[place], spares[place], laid[place]
        room = rows[place], masks[place], shares[place], scratches[place], presents[place]
        while game[w.PHASE] != w.OVER:
            phase = game[w.PHASE]
            number = (game[w.DRAWN] - dealt[place] - 1) // a_round
            answered = answers >> (phase * _ROUNDS + number) & 1
            write_choices(game, masks[place])
            if game[w.TURN] != seats[place] or not answered or only_number(masks[place]) >= 0:
                decide(frozen, room, game, 0.0, numbers[1])
            else:
                copy_game(game, spare)
                count = decide(response, room, game, 0.0, numbers[0])
                other = decide(frozen, room, spare, 0.0, numbers[1])
                compared[place, phase, number, _comparison(numbers, count, other)] += 1


@njit(cache=CACHED)
def _comparison(numbers: Words, count: int, other: int) -> int:
    """How the first numbers, so many, compare with the second."""
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


def show(console: Console, found: Mapping[str, Found]) -> None:
    """Tables of what was found."""
    table = Table("answers of the best response", "share of the win")
    for name, each in found.items():
        table.add_row(name, str(each))
    console.print(table)
    compared = found["all"].compared
    rounds = range(int(compared.any((0, 2)).sum()))
    table = Table("answers other than the network's", *[f"round {number + 1}" for number in rounds])
    for name, phase in KINDS.items():
        for place, comparison in enumerate(COMPARISONS):
            often = compared[phase, :, place] / np.maximum(compared[phase].sum(1), 1)
            if place != _SAME and often.any():
                table.add_row(f"{name}: {comparison}", *[f"{often[each]:.1%}" for each in rounds])
    console.print(table)


def main() -> None:
    """Plays, and prints tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("weights", type=Path, help="of the best response")
    parser.add_argument("--frozen", type=Path, default=SHIPPED, help="whose copies it is among")
    parser.add_argument("--players", type=int, choices=SETUPS, default=4)
    parser.add_argument("--deals", type=whole(1), default=2000)
    parser.add_argument("--seed", type=whole(0, SEEDS // 2), default=1, help="the first deal's")
    options = parser.parse_args()
    try:
        response, frozen = Network.load(options.weights), Network.load(options.frozen)
    except (OSError, ValueError) as error:
        parser.error(str(error))
    deals = range(options.seed, options.seed + options.deals)
    found = {}
    for name, answers in parts(SETUPS[options.players].rounds).items():
        some = played(response, frozen, options.players, deals, answers)
        found[name] = gathered(track(some, name, -(-len(deals) // _AT_ONCE)))
    show(Console(), found)


if __name__ == "__main__":
    main()
