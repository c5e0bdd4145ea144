"""The seven actions of the game, as values. :mod:`byzanz.notation` reads and writes their text."""

from __future__ import annotations

from dataclasses import dataclass

from .cards import Card, Cards, Kind, in_order


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid or a raise: hand cards added to the seat's bid in this auction (R3.2 to R3.4)."""

    cards: Cards

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: the seat leaves the auction and takes its bid back into its hand (R3.5)."""


@dataclass(frozen=True, slots=True)
class Give:
    """The choice of one card of the offer, which goes to the market (R3.8b, R3.11)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Take:
    """The choice of a kind: all market cards of this kind go into the seat's hand (R4.1)."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Sell:
    """A sale of three hand cards of one good; merchants count as any good (R5)."""

    cards: Cards

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True, slots=True)
class Discard:
    """A discard: a seat above the hand limit removes one card from the game (R6.1)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Done:
    """The statement that the seat sells nothing more in the final sale (I8)."""


Action = Bid | Pass | Give | Take | Sell | Discard | Done
"""Any of the seven actions."""
