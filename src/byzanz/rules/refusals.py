"""Refusals: an enumerated list, each with the number of the rule it keeps.

A refusal carries no sentence; :mod:`byzanz.messages` makes one from its parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from .cards import Card, Cards, Kind

Parameter = int | str | Card | Cards | Kind
"""What a refusal's sentence may need to name."""


class Reason(Enum):
    """Why something is not allowed. The value is the code that machines read."""

    # a deal that is none
    PLAYER_COUNT = "player-count"
    HAND_SIZE = "hand-size"
    REMOVED_SIZE = "removed-size"
    DECK_SIZE = "deck-size"
    CARD_COUNT = "card-count"

    # who may act, and when
    NO_SUCH_SEAT = "no-such-seat"
    GAME_OVER = "game-over"
    NOT_NOW = "not-now"
    NOT_YOUR_TURN = "not-your-turn"
    HAND_LIMIT = "hand-limit"
    ALREADY_PASSED = "already-passed"
    HAS_OFFER_CARD = "has-offer-card"
    ALREADY_DONE = "already-done"

    # what the action names
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

    # a result that is not so
    RESULT_TOO_EARLY = "result-too-early"
    WRONG_PROFIT = "wrong-profit"
    WRONG_WINNERS = "wrong-winners"


@dataclass(frozen=True)
class Refusal:
    """One refusal: why, by which rule, and what its sentence needs."""

    reason: Reason
    rule: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


class Illegal(Exception):
    """The rules do not allow this; nothing has changed."""

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
    """This seat may not do this now."""


class IllegalResult(Illegal):
    """The game did not end like this (R7)."""


class IllegalDeal(Illegal):
    """These cards are no deal of Byzanz (R1, R2)."""
