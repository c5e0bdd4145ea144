"""What the coach finds, as values that can be stored as JSON: evaluation, review, luck, hint.

Probabilities go from 0 to 1. Losses, luck and standard errors are in *points*: hundredths of a win.
Actions and positions are texts of :mod:`byzanz.notation`. This module imports no compiled code.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from byzanz.notation import parse_action, parse_view
from byzanz.rules import Action, View

VERSION = 1
"""The version of the stored form. It changes if the meaning of a field changes."""

Mark = Literal["inaccuracy", "mistake", "blunder"]
"""The mark of an action that lost winning chances."""
SYMBOLS: dict[Mark, str] = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""The symbols of the marks, as in chess."""
STAR = "★"
"""The symbol of a good action that was hard to find."""
Sureness = Literal["sure", "likely", "close"]
"""How sure a hint is.

It is sure if the best action leads every other one by at least a point and three standard errors,
likely if it leads by more than one standard error, and close otherwise.
"""


class Candidate(msgspec.Struct, frozen=True):
    """An action that the coach considered."""

    action: str | None
    """The action as text; None means to wait instead of selling a set out of turn (R5.1)."""
    win_probability: float
    """The estimated win probability of the seat after this action."""
    behind: float
    """How far the action is behind the best one, in points."""
    standard_error: float
    """The standard error of :attr:`behind`, in points; 0 for the best action and exact values."""
    worlds: int
    """The number of sampled worlds in which the action was tried; 0 for exact values."""
    prior: float
    """The probability with which the network would choose the action, without look-ahead."""

    def parsed(self) -> Action | None:
        """Return the action; None means to wait."""
        return None if self.action is None else parse_action(self.action)


class Evaluation(msgspec.Struct, frozen=True):
    """The candidates of a seat in a position, best first, from the seat's view alone."""

    position: str
    """The seat's view as text, without its events."""
    seat: int
    candidates: tuple[Candidate, ...]
    outlook: tuple[float, ...]
    """Every seat's win probability as this seat sees it, by seat. They add up to 1."""
    exact: bool = False
    """Whether the win probabilities are exact, because no other player has a decision left."""

    @property
    def best(self) -> Candidate:
        """The best candidate."""
        return self.candidates[0]

    def view(self) -> View:
        """Return the seat's view, without its events."""
        return parse_view(self.position)

    def candidate(self, action: str | None) -> Candidate:
        """Return the candidate of an action; raises LookupError if it was not considered."""
        for candidate in self.candidates:
            if candidate.action == action:
                return candidate
        raise LookupError(f"'{action}' is not among the candidates")


class Decision(msgspec.Struct, frozen=True):
    """A decision in a game: what was played, and what could have been played."""

    number: int
    """The number of the action in the record, from 1: ``number - 1`` actions came before it."""
    round: int
    phase: str
    """The phase of the game, as in :class:`byzanz.rules.Phase`."""
    evaluation: Evaluation
    played: str
    loss: float
    """How far the played action is behind the best one, in points."""
    standard_error: float
    """The standard error of the loss, in points."""
    mark: Mark | None = None
    star: bool = False
    """Whether the player found a good action that was hard to find."""

    @property
    def candidate(self) -> Candidate:
        """The candidate that was played."""
        return self.evaluation.candidate(self.played)

    @property
    def symbol(self) -> str:
        """The symbol of the mark or the star; empty if there is neither."""
        return SYMBOLS[self.mark] if self.mark else STAR if self.star else ""


class Point(msgspec.Struct, frozen=True):
    """A point of a curve of win probabilities."""

    number: int
    """The number of actions that were played before this point."""
    win_probabilities: tuple[float, ...]
    """The seats' win probabilities, by seat. They add up to 1."""


class Luck(msgspec.Struct, frozen=True):
    """Why a seat's result differs from its chances before the deal, in points.

    ``end - start == luck + own + rest``.
    """

    start: float
    """The win probability before the cards were dealt."""
    end: float
    """The share of the win: 100 for a win, 0 for a loss."""
    luck: float
    """How much the dealt hand and the cards that were turned up changed it."""
    own: float
    """The sum of the seat's own losses, as a negative number or 0."""
    rest: float
    """Everything else: what the others did, and what the estimates missed."""


class SeatReview(msgspec.Struct, frozen=True):
    """The review of one seat."""

    seat: int
    decisions: tuple[Decision, ...]
    """The decisions in which the seat had a choice, in order."""
    accuracy: float
    """From 0 to 100; ``docs/coach.md`` defines it."""
    curve: tuple[Point, ...]
    """Everybody's win probability as this seat saw it, at each of its decisions."""
    luck: Luck | None = None
    """None before the game is over."""

    @property
    def loss(self) -> float:
        """The sum of all losses, in points."""
        return sum(decision.loss for decision in self.decisions)

    @property
    def marked(self) -> tuple[Decision, ...]:
        """The decisions marked as inaccuracies, mistakes or blunders, in order."""
        return tuple(decision for decision in self.decisions if decision.mark)

    @property
    def noted(self) -> tuple[Decision, ...]:
        """The decisions with a mark or a star, in order."""
        return tuple(decision for decision in self.decisions if decision.symbol)

    @property
    def dearest(self) -> Decision | None:
        """The marked decision that lost the most win probability; None if there is none."""
        return max(self.marked, key=lambda decision: decision.loss, default=None)

    def count(self, mark: Mark) -> int:
        """Return how many decisions have this mark."""
        return sum(decision.mark == mark for decision in self.decisions)

    @property
    def stars(self) -> int:
        """The number of good actions that the player found although they were hard to find."""
        return sum(decision.star for decision in self.decisions)


class Review(msgspec.Struct, frozen=True):
    """The review of a game, for one seat or more."""

    version: int
    network: str
    """A checksum of the weights that made the estimates."""
    worlds: int
    """The most worlds in which an action was tried."""
    players: int
    actions: int
    """The number of actions in the record."""
    seats: tuple[SeatReview, ...]
    """The reviewed seats, in order."""
    curve: tuple[Point, ...] = ()
    """Everybody's win probability as they saw it themselves; empty unless all seats of a finished
    game were reviewed."""

    def seat(self, seat: int) -> SeatReview:
        """Return the review of a seat; raises LookupError if it was not reviewed."""
        for found in self.seats:
            if found.seat == seat:
                return found
        raise LookupError(f"seat {seat} was not reviewed")

    def to_json(self) -> bytes:
        """Return the review as JSON; equal reviews have equal bytes."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, data: bytes | str) -> Review:
        """Read a review; raises ValueError if its format or version is not the expected one."""
        found = msgspec.json.decode(data, type=cls)  # its errors are ValueErrors
        if found.version != VERSION:
            raise ValueError(f"expected a review of version {VERSION}, not {found.version}")
        return found


class Hint(msgspec.Struct, frozen=True):
    """A suggestion for the player to move."""

    version: int
    network: str
    """A checksum of the weights that made the estimates."""
    evaluation: Evaluation
    sure: Sureness

    @property
    def suggestion(self) -> str | None:
        """The best action as text."""
        return self.evaluation.best.action

    def to_json(self) -> bytes:
        """Return the hint as JSON; equal hints have equal bytes."""
        return msgspec.json.encode(self)

    @classmethod
    def from_json(cls, data: bytes | str) -> Hint:
        """Read a hint; raises ValueError if its format or version is not the expected one."""
        found = msgspec.json.decode(data, type=cls)
        if found.version != VERSION:
            raise ValueError(f"expected a hint of version {VERSION}, not {found.version}")
        return found
