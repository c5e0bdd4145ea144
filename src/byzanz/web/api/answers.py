"""Refusals as JSON answers: a code, the rule, a sentence in the asker's language, a status."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import Response

from byzanz.locale import translations
from byzanz.messages import explain, explain_table
from byzanz.notation import Malformed
from byzanz.rules import Card, Kind, Refusal
from byzanz.tables import Declined, TableReason

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

_STATUS = {
    TableReason.NO_SUCH_TABLE: 404,
    TableReason.NO_SUCH_GUEST: 404,
    TableReason.BAD_PASS: 404,
    TableReason.NOT_A_SEAT: 400,
    TableReason.UNKNOWN_BOT: 400,
    TableReason.BAD_NAME: 400,
    TableReason.BAD_PLAN: 400,
    TableReason.BAD_TIME: 400,
    TableReason.BAD_KEY: 400,
    TableReason.NOT_YOUR_SEAT: 403,
    TableReason.NOT_HOST: 403,
    TableReason.TOO_MANY_TABLES: 429,
}
"""Every other reason is a conflict with how things stand: 409."""


class Json(Response):
    """A response that holds a value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The value as bytes of JSON."""
        return msgspec.json.encode(content)


def refusal_answer(
    connection: HTTPConnection,
    error: Declined | Refusal | Malformed,
    sight: Mapping[str, Any] | None = None,
) -> Json:
    """The answer that refuses, with the table as it is now if that is given."""
    status, told = refusal_told(error, translations(connection.state.language))
    return Json({"error": told} | ({} if sight is None else {"sight": sight}), status)


def refusal_told(
    error: Declined | Refusal | Malformed, words: NullTranslations
) -> tuple[int, dict[str, Any]]:
    """The status of a refusal, and its code, rule, sentence and parameters."""
    match error:
        case Declined():
            status, code, rule = _STATUS.get(error.reason, 409), error.reason.value, None
            message = explain_table(error.reason, words, error.parameters)
            parameters: Mapping[str, Any] = error.parameters
        case Malformed():
            status, code, rule = 400, error.fault.value, None
            message = explain(error, words)
            parameters = {"expected": error.expected}
        case Refusal():
            status, code, rule = 409, error.reason.value, error.rule
            message = explain(error, words)
            parameters = {name: _plain(value) for name, value in error.parameters.items()}
    return status, {**parameters, "code": code, "rule": rule, "message": message}


def _plain(value: Any) -> Any:
    """A refusal's parameter as JSON: cards and kinds in notation."""
    if isinstance(value, tuple):
        return [_plain(card) for card in value]
    return str(value) if isinstance(value, Card | Kind) else value
