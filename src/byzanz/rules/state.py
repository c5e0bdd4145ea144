"""The complete state of a game, including hidden cards.

States are named tuples, not dataclasses, because every action creates a new state and named tuples
are faster to create.
"""

from __future__ import annotations

from enum import Enum
from math import ceil
from typing import NamedTuple

from .cards import Cards, without, worth
from .setup import SETUPS, Setup


class Phase(Enum):
    """A phase of the game: what the table waits for."""

    AUCTION = "auction"
    """The seat to act bids or passes (R3.2 to R3.5)."""
    GIVE = "give"
    """The winner puts one card of the offer into the market (R3.8b, R3.11)."""
    LIMIT = "limit"
    """The seat to act holds more than seven cards and sells or discards (R6.1, I5)."""
    MARKET = "market"
    """The seat to act takes a kind from the market (R4.1)."""
    FINAL_SALE = "final-sale"
    """Every seat sells any number of sets and then says that it is done (R7.1, I8)."""
    OVER = "over"
    """The game has ended (R7.2)."""


class Player(NamedTuple):
    """The cards and status of one seat."""

    hand: Cards
    hidden: Cards
    """The hand cards that the others have not seen: dealt and not shown since (I6)."""
    bid: Cards = ()
    passed: bool = False
    """Whether the player has passed in the current auction (R3.5)."""
    offer_card: int | None = None
    """The offer card won in this round (R3.8d)."""
    kept: Cards = ()
    """The cards kept as profit (R5.1)."""
    done: bool = False
    """Whether the player has said in the final sale that they are done (I8)."""

    @property
    def known(self) -> Cards:
        """The hand cards that everybody knows."""
        return without(self.hand, self.hidden)

    @property
    def bidding(self) -> bool:
        """Whether this player is still in the current auction (R3.3)."""
        return self.offer_card is None and not self.passed


class State(NamedTuple):
    """The complete state of a game, without its history.

    All cards except the deck are in face order, so that equal positions compare equal.
    """

    phase: Phase
    turn: int | None
    """The seat to act; in the final sale, where all may act, the first that is not done (I8)."""
    starter: int
    """The seat that started the latest auction (R3.2, R3.9)."""
    players: tuple[Player, ...]
    stack: tuple[int, ...]
    """Offer cards still to be won in this round, ascending: the last is on top (R2.3)."""
    takers: tuple[int, ...]
    """Seats that have yet to take from the market in this round, in order (R4.1)."""
    offer: Cards
    market: Cards
    deck: Cards
    """The deck in drawing order."""
    removed: Cards
    """Cards taken out of the game unseen (R2.2)."""
    gone: Cards
    """Cards that everybody saw leave the game: discards, sold cards not kept, market leftovers."""

    @property
    def setup(self) -> Setup:
        """The row of R2.2 that this game follows."""
        return SETUPS[len(self.players)]

    @property
    def highest(self) -> int:
        """The worth of the highest bid; 0 if nobody has bid (R3.3)."""
        return max([worth(player.bid) for player in self.players if player.bid], default=0)

    @property
    def round(self) -> int:
        """The number of the current round, counted from 1."""
        return round_number(self.setup, len(self.deck))

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that are to act: one, or in the final sale all that are not done."""
        if self.phase is Phase.FINAL_SALE:
            return tuple(seat for seat, player in enumerate(self.players) if not player.done)
        return () if self.turn is None else (self.turn,)


def round_number(setup: Setup, deck_left: int) -> int:
    """Return the round, counted from 1, in which an offer leaves this many cards in the deck."""
    return ceil((setup.deck - deck_left) / sum(setup.offer_cards))
