"""The seven things a player can do. Actions are values; their text is :mod:`byzanz.notation`'s."""

from __future__ import annotations

from dataclasses import dataclass

from .cards import Card, Cards, Kind, in_order


@dataclass(frozen=True, slots=True)
class Bid:
    """Lay these hand cards, added to one's standing bid if there is one (R3.2 to R3.4)."""

    cards: Cards

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True, slots=True)
class Pass:
    """Leave the auction and take one's bid back into hand (R3.5)."""


@dataclass(frozen=True, slots=True)
class Give:
    """Lay this card of the offer just won into the market (R3.8b, R3.11)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Take:
    """Take all market cards of this kind into hand (R4.1)."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Sell:
    """Sell three hand cards of one good, merchants standing in for any (R5)."""

    cards: Cards

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", in_order(self.cards))


@dataclass(frozen=True, slots=True)
class Discard:
    """Put one card out of the game while above the hand limit (R6.1)."""

    card: Card


@dataclass(frozen=True, slots=True)
class Done:
    """Say that one sells no more in the final sale (I8)."""


Action = Bid | Pass | Give | Take | Sell | Discard | Done
