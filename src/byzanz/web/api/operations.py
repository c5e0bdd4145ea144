"""One operation of the API: what it takes and gives, and how a request becomes a call."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from byzanz.web.errors import WebReason, WebRefusal

from .answers import Json

if TYPE_CHECKING:
    from starlette.requests import Request

    from byzanz.tables import Guest, House


@dataclass(frozen=True, slots=True)
class Call:
    """A request that was understood."""

    request: Request
    body: Any
    query: Mapping[str, int | None]

    @property
    def house(self) -> House:
        """The house that the call is for."""
        return cast("House", self.request.app.state.house)

    @property
    def guest(self) -> Guest:
        """Who calls; raises WebRefusal if that is nobody."""
        if self.request.state.guest is None:
            raise WebRefusal(WebReason.NO_IDENTITY)
        return cast("Guest", self.request.state.guest)

    @property
    def viewer(self) -> str | None:
        """The id of who calls; None for nobody."""
        return None if self.request.state.guest is None else self.request.state.guest.id

    @property
    def table(self) -> str:
        """The table that the path names."""
        return cast("str", self.request.path_params["table"])


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number of the query, within bounds; None if it is left out."""

    name: str
    least: int
    most: int
    about: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What one method of one path does."""

    method: str
    path: str
    name: str
    summary: str
    handle: Callable[[Call], Awaitable[Any]]
    takes: Any = None
    """The type of the body; None for no body."""
    gives: Any = None
    """The type of the answer; None for an empty one."""
    status: int = 200
    media: str = "application/json"
    query: tuple[Whole, ...] = ()
    identified: bool = True
    """Whether somebody must be known by the request."""
    refuses: tuple[int, ...] = ()
    """Statuses of refusals, besides those that every operation may answer with."""
    decode: Callable[[bytes], Any] = field(init=False)

    def __post_init__(self) -> None:
        decode = msgspec.json.Decoder(self.takes).decode if self.takes is not None else _nothing
        object.__setattr__(self, "decode", decode)

    async def answer(self, request: Request) -> Response:
        """The response to a request for this operation; raises WebRefusal, or what it refuses."""
        if self.identified and request.state.guest is None:
            raise WebRefusal(WebReason.NO_IDENTITY)
        call = Call(request, self.decode(await _body(request)), self._query(request))
        given = await self.handle(call)
        if isinstance(given, Response):
            return given
        return Response(status_code=204) if given is None else Json(given, self.status)

    def _query(self, request: Request) -> dict[str, int | None]:
        known = {whole.name: whole for whole in self.query}
        for name in request.query_params:
            if name not in known:
                raise WebRefusal(WebReason.BAD_REQUEST, detail="unknown query parameter")
        return {name: _whole(request, whole) for name, whole in known.items()}


def _whole(request: Request, whole: Whole) -> int | None:
    found = request.query_params.getlist(whole.name)
    if not found:
        return None
    if len(found) == 1 and re.fullmatch("[0-9]{1,9}", found[0]):
        number = int(found[0])
        if whole.least <= number <= whole.most:
            return number
    detail = f"expected {whole.name} from {whole.least} to {whole.most}"
    raise WebRefusal(WebReason.BAD_REQUEST, detail=detail)


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


def make_routes(operations: Iterable[Operation]) -> list[Route]:
    """A route for each path, so that a method it does not know is answered with those it does."""
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

    return Route(path, endpoint, methods=list(methods))
