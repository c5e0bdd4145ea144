"""Answers to an action: accepted or refused, and as text for the store to remember."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from byzanz.notation import parse_card, parse_kind, write_action
from byzanz.rules import Action, Card, Illegal, Kind, Reason, Refusal

from .reasons import Declined, TableReason
from .view import Sight


@dataclass(frozen=True, slots=True)
class Accepted:
    """The action was played and is stored."""

    version: int
    """The table's version that the action made."""
    sight: Sight = field(compare=False)
    """The table as it is now."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The action was not played; nothing has changed."""

    code: TableReason | Reason
    rule: str | None
    """The rule that refuses; None where the table declines."""
    refusal: Refusal | None
    """The rules' refusal; None where the table declines."""
    parameters: Mapping[str, int | str]
    """What the table's sentence needs; the rules' stand in their refusal."""
    sight: Sight = field(compare=False)
    """The table as it is now."""


Answer = Accepted | Refused


@dataclass(frozen=True, slots=True)
class Request:
    """An action as it was asked for, told apart from others by the guest's key."""

    guest: str
    key: str
    digest: str
    """Tells whether a repeated key asks for the same."""
    at: float

    @classmethod
    def of(
        cls, guest: str, key: str, action: Action, named: tuple[int | None, ...], at: float
    ) -> Request:
        """The request for this action, with the decision and the sale that it named."""
        text = f"{write_action(action)} {named}"
        return cls(guest, key, hashlib.sha256(text.encode()).hexdigest()[:32], at)


def accepted(version: int) -> str:
    """The outcome of an action that was played, as text."""
    return json.dumps({"version": version})


def refused(error: Declined | Illegal) -> str:
    """The outcome of an action that was not, as text."""
    if isinstance(error, Declined):
        return json.dumps({"table": error.reason, "parameters": dict(error.parameters)})
    refusal = error.refusal
    parameters = {name: _written(value) for name, value in refusal.parameters.items()}
    return json.dumps(
        {"reason": refusal.reason.value, "rule": refusal.rule, "parameters": parameters}
    )


def answer(outcome: str, sight: Sight) -> Answer:
    """The answer that an outcome's text stands for, with the table as it is now."""
    found = json.loads(outcome)
    if "version" in found:
        return Accepted(found["version"], sight)
    if "table" in found:
        return Refused(TableReason(found["table"]), None, None, found["parameters"], sight)
    parameters = {name: _read(value) for name, value in found["parameters"].items()}
    refusal = Refusal(Reason(found["reason"]), found["rule"], parameters)
    return Refused(refusal.reason, refusal.rule, refusal, {}, sight)


def _written(value: Any) -> Any:
    """A refusal's parameter, cards told apart from numbers and texts."""
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
