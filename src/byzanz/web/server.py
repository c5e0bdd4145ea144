"""The server's process: a listening socket, the application on it, and a clean end."""

from __future__ import annotations

import gc
import logging
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory

if TYPE_CHECKING:
    from starlette.applications import Starlette

FIRST_PORT = 8000
"""The port if none is asked for; if it is taken, one of the next."""
_PORTS_TRIED = 100
_HEADER_BYTES = 16 * 1024
_GRACE_SECONDS = 5


def listen(host: str, port: int | None) -> socket.socket:
    """A listening socket, at the first port that is free if none is asked for; raises OSError."""
    if port is not None:
        return _listen(host, port)
    for free in range(FIRST_PORT, FIRST_PORT + _PORTS_TRIED):
        try:
            return _listen(host, free)
        except OSError:
            continue
    return _listen(host, FIRST_PORT)


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.create_server((host, port), family=family)
    # An answer leaves at once: small ones must not wait until the one before was received.
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


def address(listening: socket.socket) -> str:
    """What a browser on this machine opens to reach the server."""
    host, port = listening.getsockname()[:2]
    if host in ("0.0.0.0", "::"):  # noqa: S104 (everywhere includes here)
        host = "localhost"
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


class Socket(WebSocketsSansIOProtocol):
    """A socket whose window holds the frame before: then little of the next one is to be told.

    A smaller window would cost less memory, and thrice the time and eight times the bytes.
    """

    def __init__(self, *given: Any, **options: Any) -> None:
        super().__init__(*given, **options)
        deflate = ServerPerMessageDeflateFactory(
            server_max_window_bits=15,
            client_max_window_bits=12,
            compress_settings={"level": 4, "memLevel": 5},
        )
        self.conn.available_extensions = [deflate]


class Server(uvicorn.Server):
    """Serves the application until a signal, or :meth:`stop`, and tells when it is ready."""

    def __init__(
        self,
        app: Starlette,
        listening: socket.socket,
        *,
        proxies: str = "",
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http="h11",
                ws=Socket,
                ws_max_size=app.state.settings.socket_message_bytes,
                h11_max_incomplete_event_size=_HEADER_BYTES,
                lifespan="off",
                server_header=False,
                access_log=False,
                log_config=None,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=proxies,
                timeout_graceful_shutdown=_GRACE_SECONDS,
            )
        )
        logging.getLogger("uvicorn.error").addFilter(_is_told)
        self._app = app
        self._listening = listening
        self._ready = ready

    async def run_until_stopped(self) -> None:
        """The house has been open and served; raises what it raises if it cannot be opened."""
        # The application's life is led here and not by uvicorn, which would log why it failed.
        with self._listening:
            async with self._app.router.lifespan_context(self._app):
                await self.serve([self._listening])

    def stop(self) -> None:
        """The server is about to end."""
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Requests are answered from now on."""
        await super().startup(sockets)
        # What is loaded by now stays, and games are trees without cycles: looking through all of it
        # for garbage would hold up every table for a tenth of a second.
        gc.freeze()
        gc.set_threshold(50_000, 20, 50)
        self._ready()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """A signal stops the server and nothing else, so that the house is closed in peace."""
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


_DENIED = "ASGI callable returned without completing handshake."


def _is_told(record: logging.LogRecord) -> bool:
    """Whether a line that the server logs is kept.

    Below a warning they tell the paths of sockets, which are secrets. A text that is not UTF-8 is
    its sender's fault. And a socket that was denied with a whole answer is no error.
    """
    raised = record.exc_info[1] if record.exc_info else None
    quiet = isinstance(raised, UnicodeDecodeError) or record.msg == _DENIED
    return record.levelno >= logging.WARNING and not quiet
