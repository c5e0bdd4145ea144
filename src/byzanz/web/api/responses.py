"""JSON responses, and refusals as JSON: a code, a rule, a message in the guest's language."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import NullTranslations
from typing import TYPE_CHECKING, Any

from starlette.responses import Response

from byzanz.locale import load_translations
from byzanz.messages import explain, explain_table
from byzanz.notation import Malformed
from byzanz.rules import Card, Kind, Refusal
from byzanz.tables import Declined, TableReason

from .encoding import encode

if TYPE_CHECKING:
    from starlette.requests import HTTPConnection

    from byzanz.tables import TableView

_STATUS = {
    TableReason.NO_SUCH_TABLE: 404,
    TableReason.NO_SUCH_GUEST: 404,
    TableReason.NO_SUCH_DEAL: 404,
    TableReason.NOT_PLAYED: 403,
    TableReason.BAD_PASS: 404,
    TableReason.NO_PROOF: 404,
    TableReason.NO_SUCH_SESSION: 404,
    TableReason.NOT_A_SEAT: 400,
    TableReason.UNKNOWN_BOT: 400,
    TableReason.BAD_NAME: 400,
    TableReason.BAD_AVATAR: 400,
    TableReason.BAD_PLAN: 400,
    TableReason.BAD_TIME: 400,
    TableReason.BAD_KEY: 400,
    TableReason.BAD_NONCE: 400,
    TableReason.BAD_TOKEN_DAYS: 400,
    TableReason.BAD_PASSWORD: 400,
    TableReason.PASSWORD_NEEDED: 403,
    TableReason.WRONG_PASSWORD: 403,
    TableReason.TOO_MANY_TRIES: 429,
    TableReason.RATED_NEEDS_TIME: 400,
    TableReason.UNRATED_BOT: 400,
    TableReason.NOT_YOUR_SEAT: 403,
    TableReason.NOT_HOST: 403,
    TableReason.TALK_IS_OFF: 403,
    TableReason.TALKING_TOO_MUCH: 429,
    TableReason.NO_HINTS: 403,
    TableReason.NO_ODDS: 403,
    TableReason.TOO_MANY_HINTS: 429,
    TableReason.TOO_MANY_TABLES: 429,
    TableReason.TOO_MANY_GAMES: 429,
    TableReason.TOO_MANY_SEATS: 429,
    TableReason.TOO_MANY_LISTED: 429,
    TableReason.TOO_MANY_TOKENS: 429,
    TableReason.BAD_STEP: 400,
    TableReason.TOO_MANY_REVIEWS: 429,
    TableReason.REVIEWS_BUSY: 429,
    TableReason.NO_SUCH_TARGET: 404,
    TableReason.BAD_LINK: 404,
    TableReason.BAD_ENDPOINT: 400,
    TableReason.BAD_EMAIL: 400,
    TableReason.TOO_MANY_TARGETS: 429,
}
"""The HTTP status of each reason. All other reasons have 409, a conflict with the table's state."""


class Json(Response):
    """A response with a value as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Return the value as JSON."""
        return encode(content)


def refusal_answer(
    connection: HTTPConnection,
    error: Declined | Refusal | Malformed,
    table_view: TableView | None = None,
) -> Json:
    """Return the response for a refusal, with the current table view if there is one."""
    status, error_data = refusal_data(error, load_translations(connection.state.language))
    return Json(
        {"error": error_data} | ({} if table_view is None else {"sight": table_view}), status
    )


def refusal_data(
    error: Declined | Refusal | Malformed, translations: NullTranslations
) -> tuple[int, dict[str, Any]]:
    """Return the status of a refusal, and its code, rule, message and parameters."""
    match error:
        case Declined():
            status, code, rule = _STATUS.get(error.reason, 409), error.reason.value, None
            message = explain_table(error.reason, translations, error.parameters)
            parameters: Mapping[str, Any] = error.parameters
        case Malformed():
            status, code, rule = 400, error.fault.value, None
            message = explain(error, translations)
            parameters = {"expected": error.expected}
        case Refusal():
            status, code, rule = 409, error.reason.value, error.rule
            message = explain(error, translations)
            parameters = {name: _plain(value) for name, value in error.parameters.items()}
    return status, {**parameters, "code": code, "rule": rule, "message": message}


def _plain(value: Any) -> Any:
    """Return a refusal's parameter as a JSON value, with cards and kinds in notation."""
    if isinstance(value, tuple):
        return [_plain(card) for card in value]
    return str(value) if isinstance(value, Card | Kind) else value
