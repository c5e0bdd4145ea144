"""The server process: it listens, serves the application and shuts down cleanly."""

from __future__ import annotations

import asyncio
import gc
import logging
import random
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

from .connections import MAX_HEADER_BYTES, Config, ConnectionCounter

if TYPE_CHECKING:
    from asyncio import BaseTransport

    from starlette.applications import Starlette

    from byzanz.tables import TableService

    from .limit_settings import Settings

FIRST_PORT = 8000
"""The port to try first if none is given."""
_PORTS_TRIED = 100
_SHUTDOWN_SECONDS = 5
_CLOSING_SECONDS = 0.5
"""How long a process that stops takes to close its sockets, if others take over."""


def listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket; if no port is given, on the first free port from 8000 on.

    Raises OSError if the address or port cannot be used.
    """
    if port is not None:
        return _listen(host, port)
    for candidate in range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED):
        try:
            return _listen(host, candidate)
        except OSError:
            continue
    return _listen(host, FIRST_PORT)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family)
    # Send small responses at once, even if the previous one is not acknowledged yet.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address(listening: socket.socket) -> str:
    """Return the URL of the server for a browser on this machine."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 (compared, not listened at)
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class CompressedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose compression window is large enough for the previous frame.

    Frames resemble each other. A smaller window saves memory, but takes longer and sends twice as
    many bytes. Sockets could share compressed frames if each frame were compressed by itself, but
    this takes twice as long and sends almost three times as many bytes.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        deflate = ServerPerMessageDeflateFactory(
            server_max_window_bits=15,
            client_max_window_bits=12,
            compress_settings={"level": 2, "memLevel": 5},
        )
        self.conn.available_extensions = [deflate]

    def connection_made(self, transport: BaseTransport) -> None:
        """Count the connection, which was an HTTP connection before."""
        super().connection_made(transport)
        cast(Config, self.config).counter.add(self._host)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        cast(Config, self.config).counter.remove(self._host)
        super().connection_lost(exc)

    def send_receive_event_to_app(self) -> None:
        """Pass a message on to the application, and ignore that uvicorn may close the socket twice.

        This happens if the message is not UTF-8 and the client closes the socket at the same time.
        """
        with suppress(InvalidState):
            super().send_receive_event_to_app()

    @property
    def _host(self) -> str:
        return self.client[0] if self.client is not None else ""


class Server(uvicorn.Server):
    """Serves an application until a signal or :meth:`stop`, and calls ``ready`` once it listens.

    ``proxies`` lists the trusted proxies, whose X-Forwarded-For and X-Forwarded-Proto headers are
    used.
    """

    def __init__(
        self,
        app: Starlette,
        listening: socket.socket,
        *,
        proxies: str = "",
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        settings: Settings = app.state.settings
        super().__init__(
            Config(
                app,
                ConnectionCounter(settings.connections_per_address, proxies),
                settings.request_seconds,
                ws=CompressedWebSocket,
                ws_max_size=settings.max_socket_message_bytes,
                h11_max_incomplete_event_size=MAX_HEADER_BYTES,
                lifespan="off",
                server_header=False,
                access_log=False,
                log_config=None,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=proxies,
                timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
            )
        )
        logging.getLogger("uvicorn.error").addFilter(_is_logged)
        self._app = app
        self._listening = listening
        self._ready = ready

    async def run_until_stopped(self) -> None:
        """Open the table service and serve it; raise its error if it cannot be opened."""
        # Not done by uvicorn, because uvicorn would log the error instead of raising it.
        with self._listening:
            async with self._app.router.lifespan_context(self._app):
                await self.serve([self._listening])

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Hand tables over to other processes, close all sockets, and stop.

        If there are other processes, the sockets are closed one after another in random order, so
        that their clients do not all reconnect at the same moment.
        """
        service: TableService = self._app.state.service
        await service.hand_over()
        if service.figures["processes"] > 1:
            for server in self.servers:
                server.close()
            await self._close_sockets()
        await super().shutdown(sockets)

    async def _close_sockets(self) -> None:
        """Close the open WebSockets with code 1012, which asks the client to reconnect."""
        found = [
            each for each in self.server_state.connections if isinstance(each, CompressedWebSocket)
        ]
        random.shuffle(found)
        groups = 20
        for first in range(min(groups, len(found))):
            for each in found[first::groups]:
                each.shutdown()
            await asyncio.sleep(_CLOSING_SECONDS / groups)

    def stop(self) -> None:
        """Ask the server to shut down."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start answering requests."""
        await super().startup(sockets)
        # Loaded modules stay in memory and games have no reference cycles, so a full garbage
        # collection is useless. It would delay every table by a tenth of a second.
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let SIGINT and SIGTERM stop the server and do nothing else, for a clean shutdown."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        signals = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run(server: Server) -> None:
    """Run the server until it is stopped, with the fastest event loop that is installed."""
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(server.run_until_stopped())


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 (an extra)
    except ImportError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory


_REFUSED = "ASGI callable returned without completing handshake."


def _is_logged(record: logging.LogRecord) -> bool:
    """Return whether to keep a log record of uvicorn.

    Records below a warning contain the paths of sockets, which are secret. Text that is not UTF-8
    is an error of the client. A socket that was refused with a complete response is not an error.
    """
    raised = record.exc_info[1] if record.exc_info else None
    ignored = isinstance(raised, UnicodeDecodeError) or record.msg == _REFUSED
    return record.levelno >= logging.WARNING and not ignored
