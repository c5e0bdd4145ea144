"""Refusals: every reason why something is not allowed, with the number of the rule.

A refusal has no sentence; :mod:`byzanz.messages` makes one from its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from .cards import Card, Cards, Kind

Parameter = int | str | Card | Cards | Kind
"""A value that may appear in the sentence for a refusal."""


class Reason(Enum):
    """A reason why something is not allowed. Its value is the code for programs."""

    # the deal
    PLAYER_COUNT = "player-count"
    HAND_SIZE = "hand-size"
    REMOVED_SIZE = "removed-size"
    DECK_SIZE = "deck-size"
    CARD_COUNT = "card-count"

    # the seat and the phase
    NO_SUCH_SEAT = "no-such-seat"
    GAME_OVER = "game-over"
    NOT_NOW = "not-now"
    NOT_YOUR_TURN = "not-your-turn"
    HAND_LIMIT = "hand-limit"
    ALREADY_PASSED = "already-passed"
    HAS_OFFER_CARD = "has-offer-card"
    ALREADY_DONE = "already-done"

    # the action's cards or kind
    NO_CARDS = "no-cards"
    MERCHANT_BID = "merchant-bid"
    CARD_NOT_IN_HAND = "card-not-in-hand"
    CARD_IN_BID = "card-in-bid"
    BID_TOO_LOW = "bid-too-low"
    CARD_NOT_IN_OFFER = "card-not-in-offer"
    KIND_NOT_IN_MARKET = "kind-not-in-market"
    NOT_THREE_CARDS = "not-three-cards"
    MIXED_SET = "mixed-set"
    WITHIN_LIMIT = "within-limit"

    # the result
    RESULT_TOO_EARLY = "result-too-early"
    WRONG_PROFIT = "wrong-profit"
    WRONG_WINNERS = "wrong-winners"


@dataclass(frozen=True)
class Refusal:
    """A refusal: its reason, the number of the rule, and parameters for a sentence about it."""

    reason: Reason
    rule: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


class Illegal(Exception):
    """Raised for something that the rules do not allow; the game has not changed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    def __str__(self) -> str:
        named = ", ".join(
            f"{name}={' '.join(map(str, value)) if isinstance(value, tuple) else value}"
            for name, value in self.refusal.parameters.items()
        )
        return f"{self.refusal.reason.value} ({self.refusal.rule}) {named}".rstrip()


class IllegalAction(Illegal):
    """Raised for an action that the seat may not take now."""


class IllegalResult(Illegal):
    """Raised for a claimed result that is not the game's result (R7)."""


class IllegalDeal(Illegal):
    """Raised for cards that are not a deal of the game (R1, R2)."""
