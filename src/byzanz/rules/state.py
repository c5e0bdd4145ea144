"""The state of a game: a value that holds everything, hidden cards too.

Named tuples, not dataclasses: a state is made anew at every action, and these are quick to make.
"""

from __future__ import annotations

from enum import Enum
from math import ceil
from typing import NamedTuple

from .cards import Cards, without, worth
from .setup import SETUPS, Setup


class Phase(Enum):
    """What the table waits for."""

    AUCTION = "auction"
    """The seat on turn bids or passes (R3.2 to R3.5)."""
    GIVE = "give"
    """The winner lays one card of the offer into the market (R3.8b, R3.11)."""
    LIMIT = "limit"
    """The seat on turn holds more than seven cards and sells or discards (R6.1, I5)."""
    MARKET = "market"
    """The seat on turn takes a kind from the market (R4.1)."""
    FINAL_SALE = "final-sale"
    """Every seat sells as it likes and then says that it is done (R7.1, I8)."""
    OVER = "over"
    """The game has ended (R7.2)."""


class Player(NamedTuple):
    """One seat's cards and standing."""

    hand: Cards
    hidden: Cards
    """Those hand cards that the others have not seen: dealt and not shown since (I6)."""
    bid: Cards = ()
    passed: bool = False
    """Out of the present auction (R3.5)."""
    offer_card: int | None = None
    """The offer card won in this round (R3.8d)."""
    kept: Cards = ()
    """The cards kept as profit (R5.1)."""
    done: bool = False
    """Has said so in the final sale (I8)."""

    @property
    def known(self) -> Cards:
        """The hand cards that everybody knows of."""
        return without(self.hand, self.hidden)

    @property
    def bidding(self) -> bool:
        """Whether this player is still in the present auction (R3.3)."""
        return self.offer_card is None and not self.passed


class State(NamedTuple):
    """Everything about a game at one moment, but not how it came about.

    All cards but the deck's stand in face order, so that equal positions are equal values.
    """

    phase: Phase
    turn: int | None
    """The seat to act. In the final sale the first that is not done, though all may act (I8)."""
    starter: int
    """Who started the present auction, or the last one (R3.2, R3.9)."""
    players: tuple[Player, ...]
    stack: tuple[int, ...]
    """Offer cards still to be won in this round, ascending: the last is on top (R2.3)."""
    takers: tuple[int, ...]
    """Seats that are still to take from the market in this round, in order (R4.1)."""
    offer: Cards
    market: Cards
    deck: Cards
    """In drawing order."""
    removed: Cards
    """Taken out of the game unseen (R2.2)."""
    gone: Cards
    """Seen, and out of the game: discards, sold cards that were not kept, market leftovers."""

    @property
    def setup(self) -> Setup:
        """The row of R2.2 that this game follows."""
        return SETUPS[len(self.players)]

    @property
    def highest(self) -> int:
        """What the highest bid is worth; 0 when nobody has bid (R3.3)."""
        return max([worth(player.bid) for player in self.players if player.bid], default=0)

    @property
    def round(self) -> int:
        """The number of the present round, from 1."""
        return round_number(self.setup, len(self.deck))

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that owe a decision: one, or in the final sale all that are not done."""
        if self.phase is Phase.FINAL_SALE:
            return tuple(seat for seat, player in enumerate(self.players) if not player.done)
        return () if self.turn is None else (self.turn,)


def round_number(setup: Setup, deck_left: int) -> int:
    """The round, from 1, that a deck of this size tells of once its first offer is turned up."""
    return ceil((setup.deck - deck_left) / sum(setup.offer_cards))
