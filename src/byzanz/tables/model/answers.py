"""Requests to act, and their answers.

Outcomes are stored as text, so that a request with a repeated key gets the same answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from byzanz.notation import parse_card, parse_kind, write_action
from byzanz.rules import Action, Card, Kind, Reason, Refusal

from .refusals import Declined, TableReason
from .view import TableView


@dataclass(frozen=True, slots=True)
class Accepted:
    """The action was played and is stored."""

    version: int
    """The version of the table after the action."""
    table_view: TableView = field(compare=False)
    """The table as it is now."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The action was not played. Nothing has changed."""

    code: TableReason | Reason
    rule: str | None
    """The rule that refuses the action; None if the table declines it."""
    refusal: Refusal | None
    """The refusal by the rules; None if the table declines the action."""
    parameters: Mapping[str, int | str]
    """Parameters of a refusal by the table; those of a refusal by the rules are in ``refusal``."""
    table_view: TableView = field(compare=False)
    """The table as it is now."""


Answer = Accepted | Refused


@dataclass(frozen=True, slots=True)
class Request:
    """A guest's request to act. The guest chooses its key, which must be new for each request."""

    guest: str
    key: str
    action: Action
    text: str
    """The action in notation."""
    decision: int | None
    """The decision that the action answers."""
    sale: int | None
    """The number of sales that the seat made before, if the action is a sale."""
    at: float

    @classmethod
    def of(  # noqa: PLR0913
        cls,
        guest: str,
        key: str,
        action: Action,
        *,
        decision: int | None,
        sale: int | None,
        at: float,
    ) -> Request:
        """Return the request, with its action also in notation."""
        return cls(guest, key, action, write_action(action), decision, sale, at)

    @property
    def digest(self) -> str:
        """A digest that tells whether a request with a repeated key is the same request."""
        text = f"{self.text} {(self.decision, self.sale)}"
        return hashlib.sha256(text.encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class UndoRequest:
    """A guest's request to take back their last decision. It has a key, as a request to act has."""

    guest: str
    key: str
    number: int
    """The number of the log entry to take back: ``undo`` of the table view."""
    at: float

    @property
    def digest(self) -> str:
        """A digest that tells whether a request with a repeated key is the same request."""
        return hashlib.sha256(f"undo {self.number}".encode()).hexdigest()[:32]


Outcome = int | Declined | Refusal
"""The outcome of a request: the version after the action, or why it was refused."""


def answer(outcome: Outcome, table_view: TableView) -> Answer:
    """Return the answer for an outcome, with the table as it is now."""
    match outcome:
        case Declined():
            return Refused(outcome.reason, None, None, outcome.parameters, table_view)
        case Refusal():
            return Refused(outcome.reason, outcome.rule, outcome, {}, table_view)
        case version:
            return Accepted(version, table_view)


def write_outcome(outcome: Outcome) -> str:
    """Return the outcome as text."""
    match outcome:
        case Declined():
            return json.dumps({"table": outcome.reason, "parameters": dict(outcome.parameters)})
        case Refusal():
            parameters = {name: _written(value) for name, value in outcome.parameters.items()}
            reason, rule = outcome.reason.value, outcome.rule
            return json.dumps({"reason": reason, "rule": rule, "parameters": parameters})
        case version:
            return json.dumps({"version": version})


def read_outcome(text: str) -> Outcome:
    """Return the outcome from its text."""
    data = json.loads(text)
    if "version" in data:
        version: int = data["version"]
        return version
    if "table" in data:
        return Declined(TableReason(data["table"]), **data["parameters"])
    parameters = {name: _read(value) for name, value in data["parameters"].items()}
    return Refusal(Reason(data["reason"]), data["rule"], parameters)


def _written(value: Any) -> Any:
    """Return a refusal's parameter as JSON that distinguishes cards, numbers and texts."""
    match value:
        case Card():
            return {"card": value.name}
        case Kind():
            return {"kind": value.letter}
        case tuple():
            return {"cards": [card.name for card in value]}
        case _:
            return value


def _read(value: Any) -> Any:
    match value:
        case {"card": text}:
            return parse_card(text)
        case {"kind": text}:
            return parse_kind(text)
        case {"cards": texts}:
            return tuple(parse_card(text) for text in texts)
        case _:
            return value
