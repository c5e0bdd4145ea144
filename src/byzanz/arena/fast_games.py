"""Games on the compiled engine, played in blocks on several cores, with a policy for each seat.

The blocks do not depend on the number of threads. The policies ``trader`` and ``emperor`` make the
same decisions as the bots with these names.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from byzanz.bots.final_sale import final_sale
from byzanz.datasets import Block
from byzanz.datasets.block import GAMES, split_header
from byzanz.encoding import numbers_of
from byzanz.encoding.numbers import CONFIRM
from byzanz.fast import Batch
from byzanz.fast.convert import unpacked
from byzanz.fast.jit import nogil_entry, part
from byzanz.fast.layout import (
    DECK,
    FINAL,
    GOODS_FACES,
    HAND,
    HAND_M,
    OVER,
    PHASE,
    SEAT,
    SEATS,
    TURN,
    Bytes,
    Ints,
    Record,
    count_of,
)
from byzanz.fast.legal import choose
from byzanz.fast.play import step
from byzanz.fast.playout import MOST_STEPS
from byzanz.fast.sensible import sensible
from byzanz.network import Network
from byzanz.network.forward import choose_number
from byzanz.network.layers import Net, Workspace
from byzanz.search.trader_parameters import hand_values, parameters
from byzanz.search.trader_policy import play_move, trader_move

from .simulation import FAST_POLICIES, Simulation, game_seed

Shorts = npt.NDArray[np.uint16]
Made = TypeVar("Made")

RANDOM, SENSIBLE, TRADER, EMPEROR = range(4)
"""The policies, in the order of ``FAST_POLICIES``."""


def play_blocks(
    simulation: Simulation, threads: int, make: Callable[[Block], Made]
) -> Generator[Made]:
    """Play a simulation; yield what ``make`` returns for each block of games, in order.

    ``make`` runs in the threads that play. Closing the iterator ends them.
    """
    firsts = range(0, simulation.games, GAMES)
    with ThreadPoolExecutor(min(threads, len(firsts))) as pool:
        # The number of pending blocks is limited, so memory use stays constant.
        pending: deque[Future[Made]] = deque()
        try:
            for first in firsts:
                last = min(first + GAMES, simulation.games)
                pending.append(pool.submit(_play_and_make, simulation, first, last, make))
                if len(pending) > 2 * threads:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _play_and_make(
    simulation: Simulation, first: int, last: int, make: Callable[[Block], Made]
) -> Made:
    return make(play_block(simulation, range(first, last)))


def play_block(simulation: Simulation, games: Sequence[int]) -> Block:
    """Play the games with these numbers of a simulation."""
    seeds = [game_seed(simulation.seed, number) for number in games]
    lines = [simulation.seating(number) for number in games]
    headers: dict[str, int] = {}
    header = [headers.setdefault(_header(line), len(headers)) for line in lines]
    batch = Batch(simulation.players, np.array(seeds, np.uint64))
    cards = batch.games[:, DECK:].copy().view(np.uint8)
    count = len(games)
    numbers, seats = np.zeros((count, MOST_STEPS), np.uint16), np.zeros((count, MOST_STEPS), "u1")
    lengths, kinds = np.zeros(count, np.int64), np.zeros((count, SEATS), np.int64)
    kinds[:, : simulation.players] = [
        [FAST_POLICIES.index(name) for name in each] for each in lines
    ]
    play = _player(int(kinds.max()), simulation.players)
    play(batch.games, kinds, numbers, seats, lengths)
    while not batch.over.all():
        _sell_finally(batch, numbers, seats, lengths)
        play(batch.games, kinds, numbers, seats, lengths)
    played = np.arange(lengths.max()) < lengths[:, None]
    profits, shares = batch.results()
    empty = np.zeros((count, SEATS - simulation.players), np.uint8)
    return Block(
        headers=tuple(headers),
        header=np.array(header, np.uint16),
        seeded=np.ones(count, np.uint8),
        seeds=np.array(seeds, np.uint64),
        players=np.full(count, simulation.players, np.uint8),
        cards=cards,
        profits=np.concatenate([profits.astype(np.uint8), empty], 1),
        winners=((shares > 0) << np.arange(simulation.players)).sum(1).astype(np.uint8),
        lengths=lengths.astype(np.uint16),
        numbers=numbers[:, : played.shape[1]][played],
        seats=seats[:, : played.shape[1]][played],
    )


@lru_cache(maxsize=4096)
def _header(bots: tuple[str, ...]) -> str:
    names = [f"{bot} {seat}" for seat, bot in enumerate(bots)]
    return split_header(names, {"seed": 0, "bots": list(bots), "engine": "fast"})[0]


def _sell_finally(batch: Batch, numbers: Shorts, seats: Bytes, lengths: Ints) -> None:
    """Play the final sale for the seat whose turn it is, as the bots do, unless a game is over."""
    for place in np.flatnonzero(~batch.over).tolist():
        game = batch.games[place]
        seat = int(game[TURN])
        while game[TURN] == seat:
            merchants = int(game[SEAT + seat] >> HAND_M) & 255
            (number,) = numbers_of(final_sale(unpacked(int(game[HAND + seat]), merchants)))
            numbers[place, lengths[place]] = number
            seats[place, lengths[place]] = seat
            lengths[place] += 1
            step(game, number)


def _player(highest: int, players: int) -> Callable[..., None]:
    """Return the function that plays games with the policies up to ``highest``.

    There are three such functions, so that the code of unused policies is not compiled.
    """
    if highest <= SENSIBLE:
        return play_simple
    trader = hand_values(), parameters(players)
    if highest == TRADER:
        return partial(play_with_trader, trader=trader)
    network = Network.load()
    return partial(
        play_with_network, trader=trader, net=network.arrays, workspace=network.workspace
    )


@part
def _note(numbers: Shorts, seats: Bytes, count: int, number: int, seat: int) -> int:
    numbers[count] = number
    seats[count] = seat
    return count + 1


@part
def _simple(game: Record, kind: int, numbers: Shorts, seats: Bytes, count: int) -> int:
    """Play one step of a random or sensible seat; return the number of recorded steps."""
    seat = game[TURN]
    number = sensible(game) if kind == SENSIBLE else choose(game)
    step(game, number)
    return _note(numbers, seats, count, number, seat)


@part
def _trade(game: Record, trader: Any, numbers: Shorts, seats: Bytes, count: int) -> int:
    """Play a decision of the trader; return the number of recorded steps."""
    seat = game[TURN]
    move = trader_move(game, trader[0], trader[1])
    if move < 0:
        for face in range(GOODS_FACES):
            for _ in range(count_of(-move, face)):
                count = _note(numbers, seats, count, face, seat)
        count = _note(numbers, seats, count, CONFIRM, seat)
    else:
        count = _note(numbers, seats, count, move, seat)
    play_move(game, move)
    return count


@part
def _stops(game: Record, kinds: Ints) -> bool:
    """Return whether the game is over, or a trader or an emperor is in the final sale."""
    phase = game[PHASE]
    return phase == OVER or (phase == FINAL and kinds[game[TURN]] >= TRADER)


@nogil_entry
def play_simple(games: Record, kinds: Ints, numbers: Shorts, seats: Bytes, lengths: Ints) -> None:
    """Play games of random and sensible seats to their end, and record each step."""
    for place in range(len(games)):
        game, count = games[place], 0
        while game[PHASE] != OVER:
            kind = kinds[place, game[TURN]]
            count = _simple(game, kind, numbers[place], seats[place], count)
        lengths[place] = count


@nogil_entry
def play_with_trader(
    games: Record, kinds: Ints, numbers: Shorts, seats: Bytes, lengths: Ints, trader: Any
) -> None:
    """Play games that may have traders, each up to the first turn of a trader in the final sale."""
    for place in range(len(games)):
        game, count = games[place], lengths[place]
        while not _stops(game, kinds[place]):
            kind = kinds[place, game[TURN]]
            if kind == TRADER:
                count = _trade(game, trader, numbers[place], seats[place], count)
            else:
                count = _simple(game, kind, numbers[place], seats[place], count)
        lengths[place] = count


@nogil_entry
def play_with_network(
    games: Record, kinds: Ints, numbers: Shorts, seats: Bytes, lengths: Ints, trader: Any,
    net: Net, workspace: Workspace,
) -> None:  # fmt: skip
    """Play games that may also have emperors, like :func:`play_with_trader`."""
    for place in range(len(games)):
        game, count = games[place], lengths[place]
        while not _stops(game, kinds[place]):
            seat = game[TURN]
            kind = kinds[place, seat]
            if kind == TRADER:
                count = _trade(game, trader, numbers[place], seats[place], count)
            elif kind == EMPEROR:
                number = choose_number(net, workspace, game, 0.0, 0.0)
                step(game, number)
                count = _note(numbers[place], seats[place], count, number, seat)
            else:
                count = _simple(game, kind, numbers[place], seats[place], count)
        lengths[place] = count
