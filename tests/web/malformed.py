"""Thousands of malformed requests and frames: none gets a 5xx status, and none changes anything.

``python -m tests.web.malformed --requests 20000`` starts a server and sends requests that
schemathesis generates from the OpenAPI document, forms with random fields, and raw bytes to the
server and its sockets. No refused request may change the database.
"""

from __future__ import annotations

import argparse
import logging
import os
import random
import re
import socket
import sqlite3
import struct
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import hypothesis
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given
from hypothesis.errors import Unsatisfiable
from rich.console import Console
from schemathesis import GenerationMode, checks

from .server import PATIENCE, Served, served

_SHARES = {"api": 0.48, "nested": 0.02, "forms": 0.2, "bytes": 0.1, "frames": 0.2}
_MODES = (GenerationMode.NEGATIVE, GenerationMode.NEGATIVE, GenerationMode.POSITIVE)
_DOCUMENTED = [
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.status_code_conformance,
]
"""Checks that responses are as the OpenAPI document describes them."""
_AT_ONCE = 15
"""The number of requests to one operation before the next operation follows."""


_PLACES = (
    ("/api/tables", '{"seats":[{"type":"host"},{"bot":DEEP,"type":"bot"}]}'),
    ("/api/tables", '{"seats":[{"type":"host"}],"options":DEEP}'),
    ("/api/me", '{"name":DEEP}'),
    ("/api/me/tokens", '{"name":DEEP}'),
    ("/api/tables/{table}/actions", '{"action":DEEP,"key":"k"}'),
    ("/api/tables/{table}/join", "DEEP"),
)
"""Paths, and bodies with a place for JSON that is nested deeply."""
_LONGEST_BODY = 15_000
CHARSETS = ("undefined", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "utf-7",
            "utf-16", "utf_8_sig", "rot13", "hex", "no-such", "utf-8", "UTF-8")  # fmt: skip
ENCODED = (b"x", b"xn--", b"\\ud800", b"\\u", b"+2AA-", b"\xff", b"\xed\xa0\x80", b"-" * 70)


def multipart(charset: str, name: str, value: bytes) -> dict[str, Any]:
    """Return the options of a request with a form that claims this encoding."""
    head = f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n'.encode()
    kind = f"multipart/form-data; boundary=x; charset={charset}"
    return {"content": head + value + b"\r\n--x--\r\n", "headers": {"content-type": kind}}


class Malformed:
    """Attempts against one server, counted by kind and status."""

    def __init__(self, running: Served, database: Path, seed: int) -> None:
        self.running = running
        self.random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self._database = sqlite3.connect(database)
        self._settle()

    def _settle(self) -> None:
        """Create a host with two tables: one that is open and one in play."""
        self.host = self.running.player("Host")
        self.table = self.host.found("random", open_seats=1)
        self.playing = self.host.found("random", "random")

    def close(self) -> None:
        self._database.close()

    def attempt(self, kind: str, ask: Callable[[], tuple[int, str]], many: int = 1) -> int:
        """Send a request or some frames and return the status; a refusal must change nothing."""
        before = self._state()
        status, text = ask()
        self.counts[f"{kind} {status}"] += many
        assert status < 500, (kind, status, text)
        assert "Traceback" not in text, (kind, text)
        if status >= 400 or not status:
            assert self._state() == before, (kind, status, text)
        return status

    def _state(self) -> list[tuple[Any, ...]]:
        return self._database.execute(
            "SELECT count(*), total(version), 0 FROM tables UNION ALL "
            "SELECT count(*), total(number), 0 FROM log UNION ALL "
            "SELECT count(*), total(length(guest)), total(length(name)) FROM seats UNION ALL "
            "SELECT count(*), total(length(name)), total(length(language)) FROM guests UNION ALL "
            "SELECT count(*), total(length(name)), total(ended) FROM sessions UNION ALL "
            "SELECT count(*), total(length(kinds)), 0 FROM notification_targets UNION ALL "
            "SELECT count(*), 0, 0 FROM passes"
        ).fetchall()

    # the API, from its OpenAPI document

    def api(self, count: int) -> None:
        """Send requests that schemathesis generates; most of them violate the document."""
        schema = schemathesis.openapi.from_url(f"{self.running.url}/api/openapi.json")
        operations = [result.ok() for result in schema.get_all_operations()]
        until = self.counts.total() + count
        with requests.Session() as session:
            while self.counts.total() < until:
                for operation in operations:
                    for mode in _MODES:
                        most = min(_AT_ONCE, until - self.counts.total())
                        if most > 0:
                            self._operation(operation, mode, most, session)

    def _operation(self, operation: Any, mode: Any, most: int, session: Any) -> None:
        @hypothesis.seed(self.random.randrange(1 << 32))
        @hypothesis.settings(
            max_examples=most,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(case=operation.as_strategy(mode))
        def attempts(case: Any) -> None:
            if "table" in (case.path_parameters or {}) and self.random.random() < 0.6:
                case.path_parameters["table"] = self.random.choice([self.table, self.playing])
            bearer = {"authorization": f"Bearer {self.host.token}"}
            headers = bearer if self.random.random() < 0.9 else {}

            def ask() -> tuple[int, str]:
                answer = case.call(session=session, headers=headers, timeout=PATIENCE)
                case.validate_response(answer, checks=_DOCUMENTED)
                return answer.status_code, answer.text

            if self.attempt("api", ask) == 204 and operation.method == "delete":
                self._settle()

        with suppress(Unsatisfiable):  # an operation without input has no invalid requests
            attempts()

    def nested(self, count: int) -> None:
        """Send JSON that is nested deeply, in the place of a text."""
        with self.running.client(headers={"authorization": f"Bearer {self.host.token}"}) as client:
            for _ in range(count):
                levels = self.random.choice([50, 500, 1100, 3000, 7000])
                opening, closing = self.random.choice([("[", "]"), ('{"a":', "}")])
                path, body = self.random.choice(_PLACES)
                if levels * len(opening + closing) > _LONGEST_BODY:
                    levels = _LONGEST_BODY // len(opening + closing)
                content = body.replace("DEEP", opening * levels + "1" + closing * levels)
                options = {"content": content, "headers": {"content-type": "application/json"}}

                def ask(path: str = path, options: Any = options) -> tuple[int, str]:
                    answer = client.post(path.replace("{table}", self.table), **options)
                    return answer.status_code, answer.text

                self.attempt("nested", ask)

    # the pages' forms

    def forms(self, count: int) -> None:
        """Send forms with random fields."""
        names = ["name", "bot", "seat", "think", "pace", "do", "card", "give", "take", "decision",
                 "sale", "key", "language", "back", "rotated", "listed", "step", "undo", "round",
                 "offer_card", "own", "up_to", "take_last", "anew", "hints",
                 "odds", "days", "kind", "address"]  # fmt: skip
        paths = ["/play", "/tables", "/language", "/me", "/pass/{junk}", "/table/{table}/act",
                 "/me/devices", "/me/devices/end", "/me/devices/{junk}/end", "/me/tokens",
                 "/table/{table}/join", "/table/{table}/start", "/table/{table}/replace",
                 "/table/{table}/rematch", "/table/{table}/undo", "/table/{table}/prepare",
                 "/table/{table}/hint", "/table/{table}/odds",
                 "/table/{table}/automatic", "/table/{table}/replay?step={junk}&seat={junk}",
                 "/table/{table}/replay/steps?from={junk}&seat={junk}&open={junk}",
                 "/table/{table}/result?{junk}", "/table/{table}/result.png?v={junk}",
                 "/table/{table}/record", "/table/{table}/{junk}",
                 "/table/{table}/review?seat={junk}&step={junk}", "/table/{table}/branch",
                 "/notifications/{junk}", "/notifications/{junk}/remove", "/notifications/email",
                 "/notifications/confirm/{junk}", "/notifications/stop/{junk}",
                 "/art/{junk}.svg", "/static/{junk}", "/{junk}"]  # fmt: skip
        headers = {"authorization": f"Bearer {self.host.token}"}
        with self.running.client(headers=headers) as client:
            for _ in range(count):
                path = self.random.choice(paths).replace("{junk}", self._junk(in_path=True))
                path = path.replace("{table}", self.random.choice([self.table, self.playing]))
                fields = {
                    self.random.choice(names): [
                        self._junk() for _ in range(self.random.randrange(4))
                    ]
                    for _ in range(self.random.randrange(5))
                }
                method = self.random.choice(["POST", "POST", "POST", "GET", "PUT", "DELETE"])
                given: dict[str, Any] = {} if method == "GET" else {"data": fields}
                if method == "POST" and self.random.random() < 0.1:
                    given = {"content": os.urandom(40)}
                    given["headers"] = {"content-type": "multipart/form-data; boundary=x"}
                elif method == "POST" and self.random.random() < 0.1:
                    given = self._encoded(self.random.choice(names))

                def ask(method: str = method, path: str = path, given: Any = given) -> Any:
                    answer = client.request(method, path, **given)
                    return answer.status_code, answer.text

                self.attempt("form", ask)

    def _encoded(self, name: str) -> dict[str, Any]:
        """Return a form in a random encoding, known to Python or not."""
        charset = self.random.choice(CHARSETS)
        return multipart(charset, name, self.random.choice(ENCODED))

    def _junk(self, *, in_path: bool = False) -> str:
        some = ["", "0", "-1", "1e9", "9" * 30, "none", "open", "bid", "pass", "C1", "M", "'",
                "<b>", "\x00", "\udcff", "ß", "\u202e", "x" * 300, "..%2f..%2fetc", "%00", "%ff",
                "🏺", "random", "{table}", "null"]  # fmt: skip
        junk = self.random.choice(some)
        if in_path:
            return "".join(
                char if char.isascii() and char.isprintable() else "%01" for char in junk
            )
        return junk.encode("utf-8", "replace").decode()

    # raw bytes

    def raw(self, count: int) -> None:
        """Send requests with broken bytes."""
        whole = (
            f"POST /api/tables/{self.playing}/actions HTTP/1.1\r\nhost: x\r\n"
            f"authorization: Bearer {self.host.token}\r\ncontent-type: application/json\r\n"
            'content-length: 38\r\n\r\n{"action":"done","key":"k","sale":999}'
        ).encode()
        for _ in range(count):
            self.attempt("bytes", lambda: self._sent(self._broken(whole)))

    def _broken(self, whole: bytes) -> bytes:
        broken = bytearray(whole)
        for _ in range(self.random.randrange(1, 6)):
            at = self.random.randrange(len(broken))
            match self.random.randrange(4):
                case 0:
                    broken[at] = self.random.randrange(256)
                case 1:
                    del broken[at : at + self.random.randrange(1, 30)]
                case 2:
                    broken[at:at] = self.random.randbytes(self.random.randrange(1, 30))
                case _:
                    broken[at:at] = broken[: self.random.randrange(60)]
        return bytes(broken)

    def _sent(self, content: bytes) -> tuple[int, str]:
        with self._connected() as raw:
            with suppress(OSError):  # the server closed the connection before everything was sent
                raw.sendall(content)
                raw.shutdown(socket.SHUT_WR)
            return _answer(raw)

    def _connected(self) -> socket.socket:
        host, port = self.running.url.removeprefix("http://").split(":")
        return socket.create_connection((host, int(port)), timeout=PATIENCE)

    # WebSocket frames

    def frames(self, count: int) -> None:
        """Send broken frames, several per socket, and broken handshakes."""
        sent = 0
        while sent < count:
            path = self.random.choice(["/table/{}/socket", "/api/tables/{}/stream"])
            shake = handshake(path.format(self.playing), self.host.token)
            if self.random.random() < 0.2:
                self.attempt("handshake", lambda shake=shake: self._sent(self._broken(shake)))  # type: ignore[misc]
                sent += 1
                continue
            many = self.random.randrange(1, 8)
            self.attempt("frame", lambda shake=shake, many=many: self._framed(shake, many), many)  # type: ignore[misc]
            sent += many

    def _framed(self, shake: bytes, many: int) -> tuple[int, str]:
        """Send frames on a new socket; return status 0, for which nothing may change."""
        with self._connected() as raw:
            raw.sendall(shake)
            status, text = _answer(raw, head=True)
            assert status == 101, text
            with suppress(OSError):  # the server closed the socket at one of the first frames
                for _ in range(many):
                    raw.sendall(self._frame())
                raw.shutdown(socket.SHUT_WR)
                _answer(raw)
        return 0, ""

    def _frame(self) -> bytes:
        opcode = self.random.choice([0, 1, 1, 1, 2, 3, 7, 8, 8, 9, 10, 15])
        flags = self.random.choice([0x80, 0x80, 0x80, 0x00, 0xC0, 0xF0])
        content = self.random.choice([
            b"", b"pass", b'{"action":"pass"}', b"\xff\xfe", b"\x03\xe8", b"\x00\x01bye",
            self.random.randbytes(self.random.randrange(2000)),
        ])  # fmt: skip
        masked = 0x80 if self.random.random() < 0.9 else 0
        size = self.random.choice([len(content)] * 8 + [0, 125, 1 << 15, 1 << 40, (1 << 64) - 1])
        if size < 126:
            length = bytes([masked | size])
        elif size < 1 << 16:
            length = bytes([masked | 126]) + struct.pack("!H", size)
        else:
            length = bytes([masked | 127]) + struct.pack("!Q", size)
        mask = self.random.randbytes(4) if masked else b""
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(content)) if mask else content
        return bytes([flags | opcode]) + length + mask + body


def handshake(path: str, token: str) -> bytes:
    """Return a request that opens a WebSocket."""
    return (
        f"GET {path} HTTP/1.1\r\nhost: x\r\norigin: http://x\r\n"
        f"authorization: Bearer {token}\r\nupgrade: websocket\r\n"
        "connection: Upgrade\r\nsec-websocket-version: 13\r\n"
        "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ).encode()


def _answer(raw: socket.socket, *, head: bool = False) -> tuple[int, str]:
    """Return the status of the answer, 0 if there is none, and its text."""
    found = b""
    try:
        while not head or b"\r\n\r\n" not in found:
            part = raw.recv(65536)
            if not part:
                break
            found += part
    except ConnectionResetError:
        pass
    first = re.match(rb"HTTP/1.1 (\d{3}) ", found)
    return int(first[1]) if first else 0, found.decode("latin-1")


class _Faults(logging.Handler):
    """Collects everything that is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


def run(count: int, seed: int, folder: Path) -> Counter[str]:
    """Return how often each kind of attempt got each status; raise AssertionError at a failure."""
    faults = _Faults()
    logging.getLogger().addHandler(faults)
    try:
        # Playing bots would change the tables while the test compares them.
        with (
            served(folder, automatic=False) as running,
            closing(Malformed(running, folder / "byzanz.db", seed)) as attempts,
        ):
            attempts.api(int(count * _SHARES["api"]))
            attempts.nested(int(count * _SHARES["nested"]))
            attempts.forms(int(count * _SHARES["forms"]))
            attempts.raw(int(count * _SHARES["bytes"]))
            attempts.frames(int(count * _SHARES["frames"]))
            _serves_still(running)
            return attempts.counts
    finally:
        logging.getLogger().removeHandler(faults)
        assert not faults.found, faults.found[0]


def _serves_still(running: Served) -> None:
    host = running.player()  # the one of the attempts may have as many tables as are allowed
    assert host.look(host.found("random", "random"))["stage"] == "playing"
    with running.client() as client:
        assert "byzanz_errors_total 0.0" in client.get("/metrics").text


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--requests", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        counts = run(options.requests, options.seed, Path(folder))
    console = Console()
    for what, times in sorted(counts.items()):
        console.print(f"{times:7} {what}")
    seconds = time.perf_counter() - started
    console.print(
        f"{counts.total():,} attempts in {seconds:.0f} s: no fault, no change by a refusal"
    )


if __name__ == "__main__":
    main()
