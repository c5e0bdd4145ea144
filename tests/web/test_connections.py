"""Connections: those of slow and idle clients are closed, and no address can use up all."""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from msgspec.structs import replace

from byzanz.web.connections import ConnectionCounter
from byzanz.web.monitoring import LogThrottle

from .server import UNHURRIED, Served, served
from .variants import VARIANTS, variant

FILES = 160
"""The limit of open files of a server under attack."""


def test_an_address_has_a_share_of_the_connections() -> None:
    counter = ConnectionCounter(per_address=3, proxies="10.0.0.1,10.1.0.0/16", most=8)
    for host in ("192.0.2.1", "2001:db8::1", "10.0.0.1", "10.1.2.3"):
        for _ in range(2):
            counter.add(host)
        assert counter._open.total() == 8 or counter.admits(host)
    counter.remove("10.1.2.3")
    counter.add("192.0.2.1")
    assert not counter.admits("192.0.2.1")
    counter.remove("10.1.2.3")
    assert not counter.admits("192.0.2.1")
    assert counter.admits("192.0.2.2")
    counter.add("2001:db8::2")
    counter.remove("192.0.2.1")
    assert not counter.admits("2001:db8::3")  # the same /64 network
    assert counter.admits("2001:db8:0:1::3")


def test_one_address_gets_at_most_half_and_a_proxy_all() -> None:
    counter = ConnectionCounter(per_address=1000, proxies="10.0.0.1", most=8)
    for _ in range(4):
        counter.add("192.0.2.1")
    assert not counter.admits("192.0.2.1")
    for _ in range(4):
        assert counter.admits("10.0.0.1")
        counter.add("10.0.0.1")
    assert not counter.admits("10.0.0.1")


@pytest.fixture(scope="module", params=VARIANTS)
def hasty(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """Run a server that waits half a second for a request."""
    settings = replace(UNHURRIED, request_seconds=0.5)
    with variant(request.param), served(tmp_path_factory.mktemp("hasty"), settings) as running:
        yield running


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nhost: x\r\n",
        b"POST /play HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nbot=",
    ],
)
def test_a_request_that_does_not_arrive_is_dropped(hasty: Served, begun: bytes) -> None:
    with _connected(hasty.url) as raw:
        raw.sendall(begun)
        assert _seconds_until_closed(raw, trickle=b"x" if begun else b"") < 3


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nhost: x\r\nlong: " + b"x" * 40_000,
        b"GET /" + b"x" * 40_000,
        b"GET / HTTP/1.1\r\nhost: x\r\n" + b"a: b\r\n" * 6000,
        b"POST /play HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
        b"3\r\nbot\r\n0\r\nlong: " + b"x" * 40_000,
    ],
    ids=["a header", "a path", "many headers", "a trailer"],
)
def test_headers_that_are_too_large_are_refused(hasty: Served, sent: bytes) -> None:
    with _connected(hasty.url) as raw:
        answer = b""
        with suppress(OSError):  # the server does not read on
            raw.sendall(sent)
        with suppress(OSError):
            while more := raw.recv(65536):
                answer += more
    # Nothing but a refusal, and no timeout: the test's socket waits longer than the server.
    assert not answer or re.match(rb"HTTP/1.1 4\d\d ", answer), answer[:200]


def test_sockets_and_repeated_requests_outlast_the_time_of_a_request(hasty: Served) -> None:
    player = hasty.player()
    table = player.found("random", "random")
    with player.stream(table) as stream:
        stream.recv(timeout=5)
        for _ in range(4):
            assert player.look(table)["table"] == table
            time.sleep(0.3)
        stream.ping().wait(5)


def _connected(url: str) -> socket.socket:
    parts = httpx.URL(url)
    return socket.create_connection((parts.host, parts.port or 80), timeout=5)


def _seconds_until_closed(raw: socket.socket, trickle: bytes) -> float:
    """Return how long the server keeps a connection on which a byte arrives now and then."""
    started = time.monotonic()
    raw.settimeout(0.2)
    while time.monotonic() - started < 5:
        try:
            if trickle:
                raw.sendall(trickle)
            if not raw.recv(65536):
                break
        except TimeoutError:
            continue
        except OSError:
            break
    return time.monotonic() - started


def test_idle_connections_do_not_stop_the_server(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = [sys.executable, "-m", "byzanz", "serve", "--port", "0", "--data", str(tmp_path)]
    with log.open("wb") as errors:
        server = subprocess.Popen(
            ["/bin/sh", "-c", f'ulimit -n {FILES}; exec "$@"', "sh", *command],
            stdout=subprocess.PIPE,
            stderr=errors,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
    try:
        assert server.stdout is not None
        found = re.search(r"http://\S+:\d+", server.stdout.readline().decode())
        assert found, log.read_text()
        with ExitStack() as stack:
            for _ in range(FILES + 60):
                stack.enter_context(_connected(found[0]))
            time.sleep(1)
            # Another address of this machine.
            transport = httpx.HTTPTransport(local_address="127.0.0.2")
            with httpx.Client(transport=transport, timeout=5) as client:
                assert client.get(f"{found[0]}/health").status_code == 200
        assert len(log.read_text().splitlines()) < 100
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=20)
    assert server.returncode == 0


def test_repeated_warnings_of_libraries_are_dropped() -> None:
    now = 0.0
    throttle = LogThrottle(most=3, seconds=60, clock=lambda: now)

    def logged(name: str, message: str, level: int = logging.ERROR) -> bool:
        return throttle.filter(logging.LogRecord(name, level, "", 0, message, None, None))

    flood = [logged("asyncio", f"out of files\nsocket: {number}") for number in range(10)]
    assert flood == [True] * 3 + [False] * 7
    assert logged("asyncio", "another")
    assert all(logged("byzanz.web", "failed") for _ in range(10))
    assert all(logged("asyncio", "told", logging.INFO) for _ in range(10))
    now += 61
    assert logged("asyncio", "out of files\nsocket: 11")


def test_the_connection_is_closed_after_a_body_that_is_too_large(tmp_path: Path) -> None:
    with served(tmp_path) as running:
        host, _, port = running.url.removeprefix("http://").partition(":")
        for length in ("content-length: 1000000", "transfer-encoding: chunked"):
            with socket.create_connection((host, int(port)), timeout=5) as client:
                head = f"POST /play HTTP/1.1\r\nhost: {host}\r\n{length}\r\n"
                form = "content-type: application/x-www-form-urlencoded\r\n\r\n"
                client.sendall((head + form).encode())
                if "chunked" in length:
                    client.sendall(b"8000\r\n" + b"a" * 0x8000 + b"\r\n")
                answer = b""
                while received := client.recv(65536):  # until the server closes
                    answer += received
            assert answer.startswith(b"HTTP/1.1 413")
            assert b"connection: close" in answer.lower()


def test_a_client_that_sends_a_large_body_slowly_gets_the_whole_answer(tmp_path: Path) -> None:
    with served(tmp_path) as running:
        host, _, port = running.url.removeprefix("http://").partition(":")
        with socket.create_connection((host, int(port)), timeout=5) as client:
            head = f"POST /play HTTP/1.1\r\nhost: {host}\r\ncontent-length: 20000\r\n\r\n"
            client.sendall(head.encode())
            answer = client.recv(1)  # the server has answered
            for _ in range(20):
                client.sendall(b"a" * 1000)
                time.sleep(0.01)
            while received := client.recv(65536):
                answer += received
        assert answer.startswith(b"HTTP/1.1 413")
        assert answer.rstrip().endswith(b"</html>")
