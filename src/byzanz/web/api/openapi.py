"""The API described: an OpenAPI document made from the operations and their types."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from byzanz import __version__

from .operations import Operation
from .schema import Refusal

_REASONS = {
    400: "The request is malformed.",
    401: "Nobody is known by this request.",
    403: "You are not the one who may do this, or another site asked for it.",
    404: "There is no such table.",
    409: "Refused by the rules, or by how things stand; nothing has changed.",
    413: "The request is too large.",
    415: "The body is not JSON.",
    429: "Too many requests, or too many tables.",
    500: "A fault of ours.",
}
_TABLE = {
    "name": "table",
    "in": "path",
    "required": True,
    "description": "A table's id.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 64, "pattern": "^[A-Za-z0-9_-]+$"},
}


def document(operations: Sequence[Operation]) -> dict[str, Any]:
    """The OpenAPI 3.1 document of these operations."""
    types = [operation.takes for operation in operations if operation.takes is not None]
    types += [operation.gives for operation in operations if operation.gives is not None]
    _, components = msgspec.json.schema_components(
        [Refusal, *types], ref_template="#/components/schemas/{name}"
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
                "Play Byzanz from a program: found or join a table, see it as your seat may, act. "
                "`/api/tables/{table}/stream` is a WebSocket that sends the table's Sight as JSON "
                "whenever it changes, and takes nothing."
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
                    "description": "The token that `POST /api/me` gives.",
                }
            },
        },
    }


def _described(operation: Operation) -> dict[str, Any]:
    told: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.summary,
        "responses": dict(_responses(operation)),
        "security": [{"token": []}] if operation.identified else [{}, {"token": []}],
    }
    parameters = [_TABLE] if "{table}" in operation.path else []
    for whole in operation.query:
        schema = {"type": "integer", "minimum": whole.least, "maximum": whole.most}
        parameters.append(
            {"name": whole.name, "in": "query", "description": whole.about, "schema": schema}
        )
    if parameters:
        told["parameters"] = parameters
    if operation.takes is not None:
        told["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _reference(operation.takes)}},
        }
    return told


def _responses(operation: Operation) -> Iterable[tuple[str, dict[str, Any]]]:
    if operation.gives is None:
        yield str(operation.status), {"description": "Done."}
    else:
        content = {operation.media: {"schema": _reference(operation.gives)}}
        about = _sentence(operation.gives.__doc__) if operation.gives is not str else "The text."
        yield str(operation.status), {"description": about, "content": content}
    statuses = {400, 403, 413, 429, 500, *operation.refuses}
    statuses |= ({401} if operation.identified else set()) | ({415} if operation.takes else set())
    for status in sorted(statuses):
        content = {"application/json": {"schema": _reference(Refusal)}}
        yield str(status), {"description": _REASONS[status], "content": content}


def _reference(kind: Any) -> dict[str, Any]:
    if kind is str:
        return {"type": "string"}
    return {"$ref": f"#/components/schemas/{kind.__name__}"}


def _sentence(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
