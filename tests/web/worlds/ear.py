"""What one observer is sent by a server, byte for byte."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection
from typing import Any, Self
from urllib.parse import urlencode

from websockets.sync.client import ClientConnection, connect

from tests.web.server import PATIENCE

from .stage import Stage

_OWN = frozenset({"date", "sec-websocket-accept"})
"""Headers that the machine's clock or the client's chance decides."""


class Leak(AssertionError):
    """An observer was sent what depends on cards they have not seen."""


class Ear:
    """Asks as one observer, and keeps everything that comes, with what it came upon."""

    def __init__(self, stage: Stage, table: str, seat: int | None, language: str) -> None:
        self.stage = stage
        self.table = table
        self.seat = seat
        self.heard: list[tuple[str, bytes]] = []
        self._host = stage.url.removeprefix("http://")
        self._http = HTTPConnection(self._host, timeout=PATIENCE)
        self._open = ExitStack()
        self._open.callback(self._http.close)
        self._identity = {} if seat is None else _bearer(stage, seat)
        self._language = language
        self._sockets: dict[str, ClientConnection] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def watch(self) -> None:
        """The observer has the table's page open, and its stream."""
        for path in (
            f"/table/{self.table}/socket?language={self._language}",
            f"/api/tables/{self.table}/stream",
        ):
            opening = connect(
                f"ws://{self._host}{path}",
                additional_headers=self._identity,
                compression=None,
                ping_interval=None,
                proxy=None,
                open_timeout=PATIENCE,
            )
            self._sockets[path] = socket = self._open.enter_context(opening)
            assert socket.response is not None
            self._keep(f"handshake of {path}", 101, socket.response.headers.raw_items(), b"")
        self.listen()

    def listen(self) -> None:
        """The next frame of each socket has come."""
        for path, socket in self._sockets.items():
            frame = socket.recv(PATIENCE, decode=False)
            self.heard.append((f"frame of {path}", frame))

    def get(self, path: str) -> bytes:
        """The body of what the path gives."""
        return self._ask("GET", path)

    def post(self, path: str, body: Mapping[str, Any] | None) -> bytes:
        """The body of the answer to a program."""
        if body is None:
            return self._ask("POST", path)
        return self._ask("POST", path, json.dumps(body), {"content-type": "application/json"})

    def send(self, path: str, fields: Iterable[tuple[str, str]], accept: str) -> bytes:
        """The body of the answer to a form."""
        headers = {"content-type": "application/x-www-form-urlencoded", "accept": accept}
        return self._ask("POST", path, urlencode(list(fields)), headers)

    def play(self, seat: int, body: Mapping[str, Any]) -> None:
        """The seat has acted; what it was answered is kept if it is the observer's."""
        path = f"/api/tables/{self.table}/actions"
        if seat == self.seat:
            self.post(path, body)
            return
        headers = _bearer(self.stage, seat) | {"content-type": "application/json"}
        self._http.request("POST", path, json.dumps(body), headers)
        answer = self._http.getresponse()
        told = answer.read()
        assert answer.status == 200, told

    def _ask(
        self, method: str, path: str, body: str | None = None, headers: Mapping[str, str] = {}
    ) -> bytes:
        asked = {"accept-language": self._language, **self._identity, **headers}
        self._http.request(method, path, body, asked)
        answer = self._http.getresponse()
        told = answer.read()
        what = f"{method} {path}" + (f" {body}" if body else "")
        self._keep(what, answer.status, answer.getheaders(), told)
        return told

    def _keep(
        self, what: str, status: int, headers: Iterable[tuple[str, str]], body: bytes
    ) -> None:
        shown = [f"{name}: {value}" for name, value in headers if name.lower() not in _OWN]
        self.heard.append((what, "\n".join([str(status), *shown, "", ""]).encode() + body))


def _bearer(stage: Stage, seat: int) -> dict[str, str]:
    return {"authorization": f"Bearer {stage.token(seat)}"}


def compare(one: Ear, other: Ear, where: str) -> int:
    """How many bytes came in both worlds; raises Leak at the first that differs."""
    for (what, here), (asked, there) in zip(one.heard, other.heard, strict=False):
        if what != asked or here != there:
            raise Leak(f"{where}: {what}\n{_difference(here, there)}")
    if len(one.heard) != len(other.heard):
        raise Leak(f"{where}: {len(one.heard)} answers and {len(other.heard)}")
    return sum(len(here) for _, here in one.heard)


def _difference(here: bytes, there: bytes) -> str:
    at = next(
        (at for at, (a, b) in enumerate(zip(here, there, strict=False)) if a != b),
        min(len(here), len(there)),
    )
    window = slice(max(0, at - 60), at + 60)
    return f"  {here[window]!r}\n  {there[window]!r}"
