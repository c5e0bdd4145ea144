"""Moments: states of the readable engine that advance by action numbers.

A bid is laid card by card in face order and then confirmed. A card may be laid only if the cards
can still become a legal bid. So there is always a legal action number during a game, and there is
exactly one way to make each legal bid.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from byzanz.rules import Bid, Card, Cards, Deal, State, apply, begin, options

from .numbers import ADD, CONFIRM, NUMBERS, action_of, numbers_of


class IllegalNumber(ValueError):
    """Raised for an action number that is not legal in the current position."""


class Moment(NamedTuple):
    """A state and the cards that the seat to act has laid towards a bid.

    Laying a card does not change the state.
    """

    state: State
    laid: Cards = ()

    @classmethod
    def start(cls, deal: Deal) -> Moment:
        """Return the first moment of a deal."""
        return cls(begin(deal))

    def legal(self) -> tuple[int, ...]:
        """Return the legal action numbers, ascending; empty once the game is over."""
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
        """Return a boolean mask of the 289 action numbers, true for those that are legal."""
        mask = np.zeros(NUMBERS, dtype=np.bool_)
        mask[list(self.legal())] = True
        return mask

    def play(self, number: int) -> Moment:
        """Return the moment after this action number; raise IllegalNumber if it is illegal."""
        if number not in self.legal():
            raise IllegalNumber(f"number {number} is not legal here; legal numbers: {self.legal()}")
        seat = self.state.turn
        if seat is None or number < CONFIRM:
            return Moment(self.state, (*self.laid, Card(number - ADD)))
        action = action_of(number) or Bid(self.laid)
        return Moment(apply(self.state, seat, action))
