"""WebSockets that push every new state of a table, as HTML to pages and as JSON to programs.

Sockets only push. Actions are sent as requests, which can be repeated after a lost connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from starlette.routing import BaseRoute, WebSocketRoute

from byzanz.locale import LANGUAGES
from byzanz.web.api.encoding import encode

from .bans import close_when_banned
from .frames import Frame, Sequence, ViewCache, page_frame

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from starlette.websockets import WebSocket

    from byzanz.tables import TableView

ENDED, NOISY, SLOW, SIGNED_OUT = 1000, 1008, 1013, 4001
"""Close codes: the table has ended, the client sent too many messages, the client is too slow, the
guest has ended the session."""


async def page_socket(socket: WebSocket) -> None:
    """Push a frame to a page for every version of its table, in the page's language.

    A page that asks for changes gets the whole board once, and then the parts that have changed.
    Its frames are numbered, so that it notices if one is missing.
    """
    asked = socket.query_params.get("language")
    language: str = asked if asked in LANGUAGES else socket.state.language
    length: int = socket.app.state.service.limits.max_name_length
    frames: ViewCache[Frame] = socket.app.state.frames
    changes = Sequence() if "changes" in socket.query_params else None

    def make(table_view: TableView) -> Frame:
        return page_frame(table_view, language, length)

    def text(table_view: TableView) -> str:
        frame = frames.get(table_view, language, make)
        return frame.text if changes is None else changes.next(frame)

    await _push(socket, "page", language, text)


async def api_socket(socket: WebSocket) -> None:
    """Push the view of every version of a table to a program, as JSON."""
    streams: ViewCache[str] = socket.app.state.streams
    await _push(socket, "json", "", lambda table_view: streams.get(table_view, "", _json))


def _json(table_view: TableView) -> str:
    return encode(table_view).decode()


async def _push(
    socket: WebSocket, kind: str, language: str, text: Callable[[TableView], str]
) -> None:
    state, guest = socket.app.state, socket.state.guest
    table: str = socket.path_params["table"]
    sessions, viewer = state.service.guests.sessions, None if guest is None else guest.id
    with state.socket_counter.count(socket):
        async with (
            sessions.watch(socket.state.session) as session_ended,
            state.service.subscribe(table, viewer) as table_views,
        ):
            await socket.accept()
            with state.metrics.sockets.labels(kind).track_inprogress():
                texts = (text(table_view) async for table_view in table_views)
                code = await _first(
                    _listen(socket),
                    _send(socket, texts, kind),
                    _signed_out(session_ended),
                    close_when_banned(socket, kind, language),
                )
                if code is not None:
                    with suppress(TimeoutError):  # a slow client would not read this either
                        async with asyncio.timeout(1):
                            await socket.close(code)


async def _first(*coroutines: Coroutine[Any, Any, int | None]) -> int | None:
    """Return the result of the coroutine that ends first, and cancel the others."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        return next(task.result() for task in tasks if task.done())
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _listen(socket: WebSocket) -> int | None:
    """Wait until the client leaves or sends too much; return a close code, or None if it left."""
    for _ in range(socket.app.state.settings.max_socket_messages):
        if (await socket.receive())["type"] == "websocket.disconnect":
            return None
    return NOISY


async def _signed_out(session_ended: asyncio.Event) -> int:
    """Wait until the guest ends the session of the socket; return a close code."""
    await session_ended.wait()
    return SIGNED_OUT


async def _send(socket: WebSocket, texts: AsyncIterator[str], kind: str) -> int | None:
    """Send all frames; return a close code, or None if the socket is already closed."""
    settings, metrics = socket.app.state.settings, socket.app.state.metrics
    async for text in texts:
        try:
            async with asyncio.timeout(settings.socket_send_seconds):
                await socket.send_text(text)
        except TimeoutError:
            metrics.slow.inc()
            return SLOW
        except RuntimeError:
            return None  # the connection was closed a moment ago
        metrics.frames.labels(kind).inc()
    return ENDED


routes: list[BaseRoute] = [
    WebSocketRoute("/table/{table}/socket", page_socket),
    WebSocketRoute("/api/tables/{table}/stream", api_socket),
]
"""The routes of the WebSockets."""
