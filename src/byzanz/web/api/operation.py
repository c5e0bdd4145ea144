"""An operation of the API, and how it handles a request."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from byzanz.web.refusals import WebReason, WebRefusal

from .responses import Json

if TYPE_CHECKING:
    from starlette.requests import Request

    from byzanz.tables import Guest, TableService


@dataclass(frozen=True, slots=True)
class Call:
    """A decoded request."""

    request: Request
    body: Any
    query: Mapping[str, Any]
    """The parameters of the query; None for those that were left out."""

    @property
    def service(self) -> TableService:
        """The table service."""
        return cast("TableService", self.request.app.state.service)

    @property
    def guest(self) -> Guest:
        """The guest who calls; raises WebRefusal if no guest is signed in."""
        if self.request.state.guest is None:
            raise WebRefusal(WebReason.NO_IDENTITY)
        return cast("Guest", self.request.state.guest)

    @property
    def viewer(self) -> str | None:
        """The id of the guest who calls; None if no guest is signed in."""
        return None if self.request.state.guest is None else self.request.state.guest.id

    @property
    def table(self) -> str:
        """The id of the table in the path."""
        return cast("str", self.request.path_params["table"])


@dataclass(frozen=True, slots=True)
class Integer:
    """An optional integer in the query, within bounds."""

    name: str
    least: int
    most: int
    description: str


@dataclass(frozen=True, slots=True)
class Text:
    """An optional text in the query that matches a pattern."""

    name: str
    pattern: str
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: one method of one path."""

    method: str
    path: str
    name: str
    summary: str
    handle: Callable[[Call], Awaitable[Any]]
    body: Any = None
    """The type of the request body; None if there is none."""
    response: Any = None
    """The type of the response; None if it is empty."""
    status: int = 200
    media: str = "application/json"
    query: tuple[Integer | Text, ...] = ()
    signed_in: bool = True
    """Whether a guest must be signed in."""
    refuses: tuple[int, ...] = ()
    """The HTTP statuses of refusals, apart from those that every operation has."""
    decode: Callable[[bytes], Any] = field(init=False)

    def __post_init__(self) -> None:
        decode = msgspec.json.Decoder(self.body).decode if self.body is not None else _nothing
        object.__setattr__(self, "decode", decode)

    async def answer(self, request: Request) -> Response:
        """Return the response to a request.

        Raises WebRefusal, Declined or Malformed, or an error of the JSON decoder.
        """
        if self.signed_in and request.state.guest is None:
            raise WebRefusal(WebReason.NO_IDENTITY)
        call = Call(request, self.decode(await _body(request)), self._query(request))
        given = await self.handle(call)
        if isinstance(given, Response):
            return given
        return Response(status_code=204) if given is None else Json(given, self.status)

    def _query(self, request: Request) -> dict[str, int | str | None]:
        known = {parameter.name: parameter for parameter in self.query}
        for name in request.query_params:
            if name not in known:
                raise WebRefusal(WebReason.BAD_REQUEST, detail="unknown query parameter")
        return {
            name: _text(request, each) if isinstance(each, Text) else _integer(request, each)
            for name, each in known.items()
        }


def _integer(request: Request, integer: Integer) -> int | None:
    found = request.query_params.getlist(integer.name)
    if not found:
        return None
    if len(found) == 1 and re.fullmatch("[0-9]{1,9}", found[0]):
        number = int(found[0])
        if integer.least <= number <= integer.most:
            return number
    detail = f"expected {integer.name} from {integer.least} to {integer.most}"
    raise WebRefusal(WebReason.BAD_REQUEST, detail=detail)


def _text(request: Request, text: Text) -> str | None:
    found = request.query_params.getlist(text.name)
    if not found:
        return None
    if len(found) == 1 and re.fullmatch(text.pattern, found[0]):
        return found[0]
    raise WebRefusal(WebReason.BAD_REQUEST, detail=f"expected {text.name} as {text.pattern}")


async def _body(request: Request) -> bytes:
    body = await request.body()
    if body:
        media = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if media != "application/json":
            raise WebRefusal(WebReason.MEDIA_TYPE)
    return body


def _nothing(body: bytes) -> None:
    if body:
        raise WebRefusal(WebReason.BAD_REQUEST, detail="expected no body")


def at_table(path: str) -> str:
    """Return the path of a table, followed by ``path``."""
    return "/api/tables/{table}" + path


def make_routes(operations: Iterable[Operation]) -> list[Route]:
    """Return one route for each path, with all of its methods."""
    paths: dict[str, dict[str, Operation]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method] = operation
    return [_route(path, methods) for path, methods in paths.items()]


def _route(path: str, methods: Mapping[str, Operation]) -> Route:
    async def endpoint(request: Request) -> Response:
        method = "GET" if request.method == "HEAD" else request.method
        try:
            return await methods[method].answer(request)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            detail = str(error) if isinstance(error, msgspec.DecodeError) else "not UTF-8"
            raise WebRefusal(WebReason.BAD_REQUEST, detail=detail) from None
        except RecursionError:
            detail = "the JSON is nested too deeply"
            raise WebRefusal(WebReason.BAD_REQUEST, detail=detail) from None

    return Route(path, endpoint, methods=list(methods))
