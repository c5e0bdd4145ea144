"""The set-up table (R2.2)."""

from __future__ import annotations

from dataclasses import dataclass

from .cards import ALL_CARDS

HAND_DEALT = 4
"""The number of cards dealt to each player (R2.1)."""

HAND_LIMIT = 7
"""The maximum number of cards that a player may hold (R6.1)."""

MERCHANT_PROFIT = 5
"""The profit of a kept merchant (R5.3)."""


@dataclass(frozen=True)
class Setup:
    """A row of the set-up table (R2.2)."""

    players: int
    offer_cards: tuple[int, ...]
    """The offer cards in ascending order: the last is the top of the stack (R2.3)."""
    removed: int
    rounds: int

    @property
    def deck(self) -> int:
        """The size of the deck after the hands are dealt and cards are removed."""
        return len(ALL_CARDS) - HAND_DEALT * self.players - self.removed


SETUPS: dict[int, Setup] = {
    setup.players: setup
    for setup in (
        Setup(players=3, offer_cards=(2, 4, 6), removed=4, rounds=8),
        Setup(players=4, offer_cards=(2, 3, 4, 5), removed=12, rounds=6),
        Setup(players=5, offer_cards=(1, 2, 3, 4, 5), removed=2, rounds=6),
        Setup(players=6, offer_cards=(1, 2, 3, 4, 5, 6), removed=4, rounds=4),
    )
}
"""The set-ups by number of players (R2.1: 3 to 6)."""
