"""Records everything that a server sends to one viewer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection
from typing import Any, Self
from urllib.parse import urlencode

from websockets.sync.client import ClientConnection, connect

from byzanz.rules import commitment
from tests.web.server import PATIENCE

from .fixed_server import FixedServer

_IGNORED_HEADERS = frozenset({"date", "sec-websocket-accept"})
"""Headers that depend on the system's clock or on random numbers of the client."""


class Leak(AssertionError):
    """Raised when a viewer gets a byte that depends on cards they have not seen."""


class Recorder:
    """The client of one viewer, which records all responses and frames."""

    def __init__(self, server: FixedServer, table: str, seat: int | None, language: str) -> None:
        self.server = server
        self.table = table
        self.seat = seat
        self.received: list[tuple[str, bytes]] = []
        host, self._socket_host, other = server.hosts
        self._http = HTTPConnection(host, timeout=PATIENCE)
        self._http_of_others = HTTPConnection(other, timeout=PATIENCE)
        self._open = ExitStack()
        self._open.callback(self._http.close)
        self._open.callback(self._http_of_others.close)
        self._identity = {} if seat is None else _bearer(server, seat)
        self._language = language
        self._sockets: dict[str, ClientConnection] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def open_sockets(self) -> None:
        """Open the sockets of the table's page and of its stream."""
        for path in (
            f"/table/{self.table}/socket?language={self._language}",
            f"/table/{self.table}/socket?language={self._language}&changes",
            f"/api/tables/{self.table}/stream",
        ):
            opening = connect(
                f"ws://{self._socket_host}{path}",
                additional_headers=self._identity,
                compression=None,
                ping_interval=None,
                proxy=None,
                open_timeout=PATIENCE,
            )
            self._sockets[path] = socket = self._open.enter_context(opening)
            assert socket.response is not None
            self._record(f"handshake of {path}", 101, socket.response.headers.raw_items(), b"")
        self.receive_frames()
        if self.seat is not None:
            self.server.wait_for_presence(self.table, self.seat)

    def receive_frames(self) -> None:
        """Receive the next frame of each socket."""
        for path, socket in self._sockets.items():
            frame = socket.recv(PATIENCE, decode=False)
            self.received.append((f"frame of {path}", self._without_commitment(frame)))

    def get(self, path: str, headers: Mapping[str, str] = {}) -> bytes:
        """Send a GET request and return the body of the response."""
        return self._send("GET", path, headers=headers)

    def post(self, path: str, body: Mapping[str, Any] | None) -> bytes:
        """Send JSON and return the body of the response."""
        if body is None:
            return self._send("POST", path)
        return self._send("POST", path, json.dumps(body), {"content-type": "application/json"})

    def send(self, path: str, fields: Iterable[tuple[str, str]], accept: str) -> bytes:
        """Send a form and return the body of the response."""
        headers = {"content-type": "application/x-www-form-urlencoded", "accept": accept}
        return self._send("POST", path, urlencode(list(fields)), headers)

    def play(self, seat: int, body: Mapping[str, Any]) -> None:
        """Play an action of the seat. The response is recorded if the seat is the viewer's."""
        path = f"/api/tables/{self.table}/actions"
        if seat == self.seat:
            self.post(path, body)
            return
        headers = _bearer(self.server, seat) | {"content-type": "application/json"}
        self._http_of_others.request("POST", path, json.dumps(body), headers)
        response = self._http_of_others.getresponse()
        content = response.read()
        assert response.status == 200, content

    def _send(
        self, method: str, path: str, body: str | None = None, headers: Mapping[str, str] = {}
    ) -> bytes:
        sent = {"accept-language": self._language, **self._identity, **headers}
        self._http.request(method, path, body, sent)
        response = self._http.getresponse()
        content = response.read()
        request = f"{method} {path}" + (f" {body}" if body else "")
        self._record(request, response.status, response.getheaders(), content)
        return content

    def _record(
        self, request: str, status: int, headers: Iterable[tuple[str, str]], body: bytes
    ) -> None:
        shown = [
            f"{name}: {value}" for name, value in headers if name.lower() not in _IGNORED_HEADERS
        ]
        body = self._without_commitment(body)
        self.received.append((request, "\n".join([str(status), *shown, "", ""]).encode() + body))

    def _without_commitment(self, body: bytes) -> bytes:
        """Return the body without the hash of the deal's secret, which everybody may see."""
        return body.replace(commitment(self.server.deal_secret).encode(), b"(commitment)")


def _bearer(server: FixedServer, seat: int) -> dict[str, str]:
    return {"authorization": f"Bearer {server.token(seat)}"}


def compare(one: Recorder, other: Recorder, where: str) -> int:
    """Return how many bytes both got; raises Leak at the first that differs."""
    for (request, here), (other_request, there) in zip(one.received, other.received, strict=False):
        if request != other_request or here != there:
            raise Leak(f"{where}: {request}\n{_difference(here, there)}")
    if len(one.received) != len(other.received):
        raise Leak(f"{where}: {len(one.received)} responses and {len(other.received)}")
    return sum(len(here) for _, here in one.received)


def _difference(here: bytes, there: bytes) -> str:
    at = next(
        (at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b),
        min(len(here), len(there)),
    )
    window = slice(max(0, at - 60), at + 60)
    return f"  {here[window]!r}\n  {there[window]!r}"
