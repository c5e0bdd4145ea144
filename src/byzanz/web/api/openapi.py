"""The OpenAPI document, made from the operations and their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from byzanz import __version__

from .operation import Integer, Operation, Text
from .schema import CUSTOM_TYPES, Refusal

_REASONS = {
    400: "The request is malformed.",
    401: "No guest is signed in.",
    403: "You are not allowed to do this, the table is locked, or you are banned.",
    404: "There is no such table, deal, puzzle, session or target.",
    409: "Refused by the rules or by the state of the table. Nothing has changed.",
    413: "The request is too large.",
    415: "The body is not JSON.",
    429: "Too many requests, or too many tables.",
    500: "The server failed.",
}
_ID = {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"}
_IN_PATHS = {
    "table": "The id of a table.",
    "day": "A day, such as 2026-11-18; days change at midnight UTC.",
    "deal": "The id of a deal for friends.",
    "puzzle": "The id of a puzzle.",
    "session": "The id of a device or token.",
    "target": "The id of a browser or an e-mail address that gets notifications.",
}
"""The parameters of paths, with their descriptions."""
_PUZZLE_ID = {"type": "string", "minLength": 1, "maxLength": 16, "pattern": "^[a-z0-9]+$"}


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of these operations."""
    types = [operation.body for operation in operations if operation.body is not None]
    types += [operation.response for operation in operations if operation.response is not None]
    _, components = msgspec.json.schema_components(
        [Refusal, *types, *CUSTOM_TYPES.values()],
        schema_hook=lambda custom: _reference(CUSTOM_TYPES[custom]),
        ref_template="#/components/schemas/{name}",
    )
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _described(operation)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Byzanz",
            "version": __version__,
            "description": (
                "Play Byzanz from a program: create or join a table, read its state and act. "
                "`/api/tables/{table}/stream` is a WebSocket that sends a `TableView` as JSON "
                "whenever the table changes. It reads no messages."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token from `POST /api/me` or `POST /api/me/tokens`.",
                }
            },
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    described: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": dict(_responses(operation)),
        "security": [{"token": []}] if operation.signed_in else [{}, {"token": []}],
    }
    parameters: list[dict[str, Any]] = [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": text,
            "schema": _PUZZLE_ID if name == "puzzle" else _ID,
        }
        for name, text in _IN_PATHS.items()
        if f"{{{name}}}" in operation.path
    ]
    parameters += [
        {
            "name": parameter.name,
            "in": "query",
            "description": parameter.description,
            "schema": _query_schema(parameter),
        }
        for parameter in operation.query
    ]
    if parameters:
        described["parameters"] = parameters
    if operation.body is not None:
        described["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _reference(operation.body)}},
        }
    return described


def _query_schema(parameter: Integer | Text) -> dict[str, Any]:
    if isinstance(parameter, Text):
        return {"type": "string", "pattern": f"^{parameter.pattern}$"}
    return {"type": "integer", "minimum": parameter.least, "maximum": parameter.most}


def _responses(operation: Operation) -> Iterable[tuple[str, dict[str, Any]]]:
    if operation.response is None:
        yield str(operation.status), {"description": "Done."}
    else:
        content = {operation.media: {"schema": _reference(operation.response)}}
        description = (
            _one_line(operation.response.__doc__) if operation.response is not str else "The text."
        )
        yield str(operation.status), {"description": description, "content": content}
    statuses = {400, 403, 413, 429, 500, *operation.refuses}
    statuses |= ({401} if operation.signed_in else set()) | ({415} if operation.body else set())
    for status in sorted(statuses):
        content = {"application/json": {"schema": _reference(Refusal)}}
        yield str(status), {"description": _REASONS[status], "content": content}


def _reference(kind: Any) -> dict[str, Any]:
    if kind is str:
        return {"type": "string"}
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
