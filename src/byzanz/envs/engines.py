"""One game for the environments, on the compiled engine or on the readable rules.

Both classes have the same methods and give the same observations, masks, results and renderings;
tests play them in lockstep. The compiled one is faster by an order of magnitude.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from byzanz.encoding import FEATURES, NUMBERS, IllegalNumber, Moment, features
from byzanz.fast import RECORD_LENGTH, deal, rows_of, to_record, write_mask
from byzanz.fast.arguments import seeds_of
from byzanz.fast.convert import row_to_moment
from byzanz.fast.layout import CHANCE, SEATS, TURN, Record
from byzanz.fast.single import (
    ILLEGAL,
    observe_all_seats,
    observe_seat,
    play_number,
    write_results,
)
from byzanz.notation import write_cards, write_view
from byzanz.rules import Deal, result, view

from .text import laid_text, view_text

Observation = dict[str, npt.NDArray[Any]]


class CompiledGame:
    """A game on the compiled engine, kept in an engine record."""

    def __init__(self, players: int, dealt: Deal | int) -> None:
        """Start the game of a deal or of a seed."""
        self.players = players
        self._mask = np.zeros(NUMBERS, dtype=np.uint8)
        if isinstance(dealt, Deal):
            self.moment = Moment.start(dealt)
        else:
            self.record: Record = np.zeros(RECORD_LENGTH, dtype=np.int64)
            deal(self.record, players, seeds_of([dealt])[0])
            self.refresh()

    def refresh(self) -> None:
        """Update what is derived from the engine record; call it after changing the record."""
        write_mask(self.record, self._mask)
        self.turn = int(self.record[TURN])

    @property
    def moment(self) -> Moment:
        """The state and the cards laid towards a bid."""
        return row_to_moment(self.record)

    @moment.setter
    def moment(self, moment: Moment) -> None:
        self.record = rows_of(to_record(moment))[0]
        self.refresh()

    def observe(self, seat: int) -> Observation:
        """Return a seat's features, and its mask, which is all 0 unless it is the seat to act."""
        row, mask = np.empty(FEATURES, np.uint8), np.empty(NUMBERS, np.int8)
        observe_seat(self.record, seat, row, mask)
        return {"observation": row, "action_mask": mask}

    def mask(self) -> npt.NDArray[np.int8]:
        """Return the mask of the seat to act."""
        return self._mask.astype(np.int8)

    def all_features(self) -> npt.NDArray[np.uint8]:
        """Return the features of every seat's view, one row each."""
        rows = np.empty((self.players, FEATURES), np.uint8)
        observe_all_seats(self.record, rows)
        return rows

    def play(self, number: int) -> None:
        """Play an action number; raises IllegalNumber and changes nothing if it is illegal."""
        turn = play_number(self.record, number, self._mask)
        if turn == ILLEGAL:
            legal = tuple(np.flatnonzero(self._mask).tolist())
            raise IllegalNumber(f"number {number} is not legal here; legal numbers: {legal}")
        self.turn = turn

    def results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return each seat's profit and share of the win."""
        profits, shares = np.zeros(SEATS, np.int64), np.zeros(SEATS)
        write_results(self.record, profits, shares)
        return profits[: self.players], shares[: self.players]

    def render(self, seat: int | None) -> str:
        """Return a seat's view as a line of notation, and the cards it has laid."""
        laid = laid_text(self.record) if seat == self.turn else ""
        return view_text(self.record, seat) + (f" laid: {laid}" if laid else "")


class ReadableGame:
    """A game on the readable rules, kept in a moment."""

    def __init__(self, players: int, dealt: Deal | int) -> None:
        """Start the game of a deal or of a seed."""
        self.players = players
        self._chance = 0
        if not isinstance(dealt, Deal):
            record: Record = np.zeros(RECORD_LENGTH, dtype=np.int64)
            deal(record, players, seeds_of([dealt])[0])
            self.keep_chance(record)  # policies draw from the generator that dealt the cards
            dealt = Deal.from_seed(players, dealt)
        self.moment = Moment.start(dealt)

    @property
    def turn(self) -> int:
        """The seat to act; -1 once the game is over."""
        turn = self.moment.state.turn
        return -1 if turn is None else turn

    @property
    def record(self) -> Record:
        """An engine record of the moment, for compiled policies."""
        record: Record = rows_of(to_record(self.moment, self._chance))[0]
        return record

    def keep_chance(self, record: Record) -> None:
        """Take the state of the random generator from an engine record that a policy has used."""
        self._chance = int(record[CHANCE : CHANCE + 1].view(np.uint64)[0])

    def observe(self, seat: int) -> Observation:
        """Return a seat's features, and its mask, which is all 0 unless it is the seat to act."""
        state, laid = self.moment
        own = seat == state.turn
        mask = self.mask() if own else np.zeros(NUMBERS, dtype=np.int8)
        return {
            "observation": features(view(state, seat), laid if own else ()),
            "action_mask": mask,
        }

    def mask(self) -> npt.NDArray[np.int8]:
        """Return the mask of the seat to act."""
        return self.moment.mask().astype(np.int8)

    def all_features(self) -> npt.NDArray[np.uint8]:
        """Return the features of every seat's view, one row each."""
        return np.stack([self.observe(seat)["observation"] for seat in range(self.players)])

    def play(self, number: int) -> None:
        """Play an action number; raises IllegalNumber and changes nothing if it is illegal."""
        self.moment = self.moment.play(number)

    def results(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]:
        """Return each seat's profit and share of the win."""
        ended = result(self.moment.state)
        shares = [(seat in ended.winners) / len(ended.winners) for seat in range(self.players)]
        return np.array(ended.profit), np.array(shares)

    def render(self, seat: int | None) -> str:
        """Return a seat's view as a line of notation, and the cards it has laid."""
        state, laid = self.moment
        text = write_view(view(state, seat))
        return text + (f" laid: {write_cards(laid)}" if laid and seat == state.turn else "")


SingleGame = CompiledGame | ReadableGame

ENGINES: dict[str, type[SingleGame]] = {
    "compiled": CompiledGame,
    "readable": ReadableGame,
}
"""The engines by name; the first is the default."""


def check_engine(name: str) -> None:
    """Raise ValueError if there is no engine with this name."""
    if name not in ENGINES:
        raise ValueError(f"there is no engine '{name}'; there are {', '.join(ENGINES)}")
