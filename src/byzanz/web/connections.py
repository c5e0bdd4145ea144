"""Limits for network connections: how many there may be, and how long a request may take."""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from ipaddress import ip_address, ip_network
from typing import Any, cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from .limits import network_of

MAX_HEADER_BYTES = 16 * 1024
"""The largest size of the request line and the headers of a request."""
_RESERVED_FILES = 64
"""The number of open files reserved for the database and everything else but connections."""
_FEWEST_CONNECTIONS = 16
_ARRIVING = (h11.IDLE, h11.SEND_BODY)
"""The states of a client whose request has not fully arrived."""


class ConnectionCounter:
    """Counts the open connections: all of them, and those of each network address.

    One address can have at most ``per_address`` connections, and at most half of those that the
    limit of open files allows. Trusted proxies are exempt from the limit of an address.
    """

    def __init__(self, per_address: int, proxies: str = "", most: int | None = None) -> None:
        self._most = most if most is not None else _most_connections()
        self._per_address = min(per_address, max(1, self._most // 2))
        self._proxies = [each.strip() for each in proxies.split(",") if each.strip()]
        self._open: Counter[str] = Counter()

    def admits(self, host: str) -> bool:
        """Return whether one more connection from this host is allowed."""
        if self._open.total() >= self._most:
            return False
        return self._open[network_of(host)] < self._per_address or self._is_proxy(host)

    def add(self, host: str) -> None:
        """Count a connection."""
        self._open[network_of(host)] += 1

    def remove(self, host: str) -> None:
        """Stop counting a connection."""
        network = network_of(host)
        self._open[network] -= 1
        if self._open[network] <= 0:
            del self._open[network]

    def _is_proxy(self, host: str) -> bool:
        return any(proxy in ("*", host) or _within(host, proxy) for proxy in self._proxies)


class Config(uvicorn.Config):
    """The configuration of the server, with its limits for connections."""

    def __init__(self, app: Any, counter: ConnectionCounter, seconds: float, **given: Any) -> None:
        super().__init__(app, http=_http_protocol(), **given)
        self.counter = counter
        self.request_seconds = seconds


class LimitedConnection(asyncio.Protocol):
    """An HTTP connection that is closed if sending a request or reading an answer takes too long.

    A connection above the limit is closed at once. Subclasses add a parser.
    """

    config: uvicorn.Config
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    _counted: str | None = None
    _timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None

    def connection_made(  # type: ignore[override]
        self, transport: asyncio.Transport
    ) -> None:
        """Count the connection, or close it if there are too many."""
        super().connection_made(transport)
        host, counter = _host(transport), cast(Config, self.config).counter
        if not counter.admits(host):
            transport.abort()
            return
        counter.add(host)
        self._counted = host
        self._timer = self._close_later()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        self._release()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait until the client reads; close the connection if that takes too long."""
        super().pause_writing()
        self._write_timer = self._write_timer or self._close_later()

    def resume_writing(self) -> None:
        """Continue to send the answer."""
        self._stop_write_timer()
        super().resume_writing()

    def _note(self, *, arriving: bool) -> None:
        """Start the timer while a request is arriving, and stop it otherwise."""
        if not arriving or self.transport.is_closing():
            self._stop_timer()
        elif self._timer is None and self._counted is not None:
            self._timer = self._close_later()

    def _close_later(self) -> asyncio.TimerHandle:
        seconds = cast(Config, self.config).request_seconds
        return self.loop.call_later(seconds, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _stop_write_timer(self) -> None:
        if self._write_timer is not None:
            self._write_timer.cancel()
            self._write_timer = None

    def _release(self) -> None:
        self._stop_timer()
        self._stop_write_timer()
        if self._counted is not None:
            cast(Config, self.config).counter.remove(self._counted)
            self._counted = None


class LimitedH11(LimitedConnection, H11Protocol):
    """A limited connection with the parser h11, which limits the size of headers itself."""

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        if self._counted is None:
            return
        super().data_received(data)
        self._note(arriving=self.conn.their_state in _ARRIVING)

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the WebSocket protocol."""
        self._release()
        super().handle_websocket_upgrade(event)


def _http_protocol() -> type[asyncio.Protocol]:
    """Return the protocol with the fastest parser that is installed."""
    try:
        from .httptools_connections import LimitedHttpTools  # noqa: PLC0415 (an extra)
    except ImportError:
        return LimitedH11
    return LimitedHttpTools


def _host(transport: asyncio.BaseTransport) -> str:
    peer = transport.get_extra_info("peername")
    return str(peer[0]) if isinstance(peer, tuple) and peer else ""


def _within(host: str, proxy: str) -> bool:
    try:
        return ip_address(host) in ip_network(proxy)
    except ValueError:
        return False


if sys.platform == "win32":

    def _most_connections() -> int:
        return 4096
else:
    import resource

    def _most_connections() -> int:
        """Return how many connections the limit of open files allows."""
        files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        if files == resource.RLIM_INFINITY:
            return sys.maxsize
        return max(_FEWEST_CONNECTIONS, files - _RESERVED_FILES)
