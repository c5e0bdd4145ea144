"""The decisions of recorded games as columns: one row for each action number."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from byzanz.encoding import FEATURES, NUMBERS
from byzanz.encoding.numbers import SELL
from byzanz.fast import RECORD_LENGTH, sell, step, write_features, write_mask
from byzanz.fast.jit import nogil_entry
from byzanz.fast.layout import FINAL, PHASE, TURN, Bytes, Ints, Record

from .block import Block
from .legality import begin_with


@dataclass(frozen=True)
class Decisions:
    """Action numbers, in the order in which they were played, and what their seats saw."""

    game: Ints
    """The number of the game, as counted by the caller."""
    step: Ints
    """The number of the decision in its game, from 0."""
    players: Bytes
    seat: Bytes
    phase: Bytes
    """The phase, 0 to 5, in the order of :class:`byzanz.rules.Phase`."""
    on_turn: Bytes
    """1 if it was the seat's turn, otherwise 0. A mask out of turn has only sales and, in the final
    sale, done."""
    features: Bytes
    mask: Bytes
    action: npt.NDArray[np.uint16]
    profit: Bytes
    """The profit of the seat at the end of the game."""
    share: npt.NDArray[np.float64]
    """The seat's share of the win: 1 for a sole winner."""

    def __len__(self) -> int:
        return len(self.action)


def decisions_of(block: Block, first: int, last: int, number: int = 0) -> Decisions:
    """Return the decisions of the legal games ``first`` to ``last`` - 1 of a block.

    ``number`` is the number of the block's first game.
    """
    starts = block.starts
    begin, end = int(starts[first]), int(starts[last])
    lengths = np.diff(starts[first : last + 1])
    games = np.repeat(np.arange(first, last), lengths)
    features = np.zeros((end - begin, FEATURES), np.uint8)
    masks = np.zeros((end - begin, NUMBERS), np.uint8)
    facts = np.zeros((end - begin, 2), np.uint8)
    record = np.zeros(RECORD_LENGTH, np.int64)
    for game in range(first, last):
        mine = slice(int(starts[game]), int(starts[game + 1]))
        rows = slice(mine.start - begin, mine.stop - begin)
        _observe(
            record, int(block.players[game]), block.cards[game], block.numbers[mine],
            block.seats[mine], features[rows], masks[rows], facts[rows],
        )  # fmt: skip
    seats = block.seats[begin:end]
    return Decisions(
        game=games + number,
        step=np.arange(begin, end) - starts[games],
        players=block.players[games],
        seat=seats,
        phase=facts[:, 0],
        on_turn=facts[:, 1],
        features=features,
        mask=masks,
        action=block.numbers[begin:end],
        profit=block.profits[games, seats],
        share=block.shares()[games, seats],
    )


@nogil_entry
def _observe(
    game: Record, players: int, cards: Bytes, numbers: npt.NDArray[np.uint16], seats: Bytes,
    features: Bytes, masks: Bytes, facts: Bytes,
) -> None:  # fmt: skip
    """Replay a legal game, and write the features, mask, phase and turn of each step."""
    begin_with(game, players, cards)
    for place in range(len(numbers)):
        number, seat, turn = np.int64(numbers[place]), np.int64(seats[place]), game[TURN]
        facts[place, 0] = game[PHASE]
        facts[place, 1] = seat == turn
        write_features(game, seat, features[place])
        game[TURN] = seat  # for the mask of a seat that acts out of turn
        write_mask(game, masks[place])
        if seat == turn or number < SELL:
            step(game, number)
            continue
        game[TURN] = turn
        if game[PHASE] != FINAL:  # in the final sale all seats may be done (I8)
            for other in range(SELL):
                masks[place, other] = 0
        sell(game, seat, number)
