"""Playing by numbers on the readable engine: a state, and the cards laid so far towards a bid.

A bid is laid card by card in face order and then confirmed. A card may be laid only if a legal bid
goes on from there, so no mask is ever empty and every legal bid is reached in exactly one way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.rules import Bid, Card, Cards, Deal, State, apply, begin, options

from .numbers import ADD, CONFIRM, NUMBERS, action_of, numbers_of


class IllegalNumber(ValueError):
    """This number is not legal here."""


class Moment(NamedTuple):
    """What number-space knows of a game. The seat on turn plays; laying changes no state."""

    state: State
    laid: Cards = ()

    @classmethod
    def start(cls, deal: Deal) -> Moment:
        """The first moment of a deal."""
        return cls(begin(deal))

    def legal(self) -> tuple[int, ...]:
        """The legal numbers, ascending; none once the game is over."""
        seat = self.state.turn
        if seat is None:
            return ()
        may = options(self.state, seat)
        length = len(self.laid)
        numbers: set[int] = set()
        for cards in may.bids:
            if cards[:length] == self.laid:
                numbers.add(ADD + cards[length] if len(cards) > length else CONFIRM)
        if not self.laid:
            for action in (*may.answers, *may.sales):
                numbers.update(numbers_of(action))
        return tuple(sorted(numbers))

    def mask(self) -> npt.NDArray[np.bool_]:
        """Which of the 289 numbers are legal."""
        mask = np.zeros(NUMBERS, dtype=np.bool_)
        mask[list(self.legal())] = True
        return mask

    def play(self, number: int) -> Moment:
        """The moment after this number; raises IllegalNumber."""
        if number not in self.legal():
            raise IllegalNumber(f"number {number} is not legal here; legal are {self.legal()}")
        seat = self.state.turn
        if seat is None or number < CONFIRM:
            return Moment(self.state, (*self.laid, Card(number - ADD)))
        action = action_of(number) or Bid(self.laid)
        return Moment(apply(self.state, seat, action))
