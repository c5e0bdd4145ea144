"""What a table sends of itself: a frame for each thing that happened, to pages and to programs.

A socket only pushes. Actions come as requests, which can be sent again after a lost connection.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.routing import BaseRoute, WebSocketRoute

from byzanz.locale import LANGUAGES
from byzanz.web.api.sights import sight_json

from .rendering import frame

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.websockets import WebSocket

    from byzanz.tables import Sight

ENDED, NOISY, SLOW = 1000, 1008, 1013
"""How the server closes a socket: no more will come, it was talked at, its reader is slow."""

Write = Callable[["Sight", str], str]
"""Makes the frame of a sight in a language."""

_FRAMES_KEPT = 256


async def page_socket(socket: WebSocket) -> None:
    """A page has got a frame for every version of its table, in its language."""
    asked = socket.query_params.get("language")
    language: str = asked if asked in LANGUAGES else socket.state.language
    await _push(socket, "page", language, frame)


async def api_socket(socket: WebSocket) -> None:
    """A program has got the sight of every version of its table as JSON."""
    await _push(socket, "json", "", lambda sight, _: sight_json(sight))


class Frames:
    """The frames of the last sights: all who see the same are sent the same text, made once."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[int, str, str], tuple[Sight, str]] = OrderedDict()

    def text(self, sight: Sight, carries: str, language: str, write: Write) -> str:
        """The frame that tells this sight."""
        key = id(sight), carries, language
        if key not in self._made:
            self._made[key] = (
                sight,
                write(sight, language),
            )  # the sight too, so that its id is taken
            if len(self._made) > _FRAMES_KEPT:
                self._made.popitem(last=False)
        return self._made[key][1]


async def _push(socket: WebSocket, carries: str, language: str, write: Write) -> None:
    state, guest = socket.app.state, socket.state.guest
    table: str = socket.path_params["table"]
    with state.doors.passed(socket):
        async with state.house.watch(table, None if guest is None else guest.id) as sights:
            await socket.accept()
            with state.metrics.sockets.labels(carries).track_inprogress():
                texts = (
                    state.frames.text(sight, carries, language, write) async for sight in sights
                )
                code = await _first(_listen(socket), _send(socket, texts, carries))
                if code is not None:
                    with suppress(TimeoutError):  # a slow reader does not read this either
                        async with asyncio.timeout(1):
                            await socket.close(code)


async def _first(*coroutines: Coroutine[Any, Any, int | None]) -> int | None:
    """What the first to end gives, and the others are cancelled."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task.result() for task in tasks if task.done())
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(socket: WebSocket) -> int | None:
    """The peer has gone, or has said too much; tells how to close, None if that is done."""
    for _ in range(socket.app.state.settings.socket_messages):
        if (await socket.receive())["type"] == "websocket.disconnect":
            return None
    return NOISY


async def _send(socket: WebSocket, texts: AsyncIterator[str], carries: str) -> int | None:
    """Frames have been sent until no more come; tells how to close, None if that is done."""
    settings, metrics = socket.app.state.settings, socket.app.state.metrics
    async for text in texts:
        try:
            async with asyncio.timeout(settings.send_seconds):
                await socket.send_text(text)
        except TimeoutError:
            metrics.slow.inc()
            return SLOW
        except RuntimeError:
            return None  # the server closed the connection a moment ago, and has not said so yet
        metrics.frames.labels(carries).inc()
    return ENDED


routes: list[BaseRoute] = [
    WebSocketRoute("/table/{table}/socket", page_socket),
    WebSocketRoute("/api/tables/{table}/stream", api_socket),
]
"""The sockets of the server."""
