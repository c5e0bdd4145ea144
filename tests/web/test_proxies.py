"""The server behind nginx and Caddy, which run with the documented configurations."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import httpx
import pytest
import uvicorn
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus

from byzanz.web.limit_settings import Rate
from byzanz.web.push import SIGNED_OUT

from .proxies import COMMANDS, HOST, Proxied, distributing, documented, proxied
from .server import PATIENCE, UNHURRIED, served

SITE = f"https://{HOST}"
SETTINGS = replace(UNHURRIED, public_address=SITE, new_guest_rate=Rate(burst=2, per_second=0.0001))
"""Two new guests from one network address. The setting ``secure`` is off: the proxy says so."""
GAME = {"bot": "random", "name": "Zoe"}
FORM = "content-type: application/x-www-form-urlencoded\r\n"


@pytest.fixture(scope="module", params=list(COMMANDS))
def proxy(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxied]:
    folder = tmp_path_factory.mktemp(request.param)
    with (
        served(folder, SETTINGS, proxies="127.0.0.1") as running,
        proxied(request.param, folder, running) as found,
    ):
        yield found


def play(client: httpx.Client) -> str:
    """Start a game, and return the path of its table."""
    answer = client.post("/play", data=GAME)
    assert answer.status_code == 303, answer.text
    path: str = answer.headers["location"]
    return path


def cookies(client: httpx.Client) -> str:
    return "; ".join(f"{name}={value}" for name, value in client.cookies.items())


def test_a_game_is_played_through_the_proxy(proxy: Proxied) -> None:
    client = proxy.client("127.0.1.1")
    path = play(client)
    assert client.get(path).status_code == 200
    table = path.rpartition("/")[2]
    with proxy.socket(f"/api/tables/{table}/stream", cookies(client), SITE) as socket:
        version = _version(str(socket.recv(PATIENCE)))
        for _ in range(3):
            shown = client.get(f"/api/tables/{table}").json()
            while shown["seat"] not in shown["waiting_for"]:
                shown = client.get(f"/api/tables/{table}").json()
            body = {"decision": shown["decision"], "key": f"k{shown['decision']}"}
            legal = shown["view"]["legal"]
            action = next(
                (f"{word} {legal[word][0]}" for word in ("give", "take", "discard") if legal[word]),
                "pass",
            )
            answer = client.post(f"/api/tables/{table}/actions", json={"action": action, **body})
            assert answer.status_code == 200, answer.text
        while version < answer.json()["version"]:
            version = _version(str(socket.recv(PATIENCE)))
        session = client.get("/api/me/sessions").json()["sessions"][0]["session"]
        client.delete(f"/api/me/sessions/{session}")
        with suppress(ConnectionClosed):
            while True:
                socket.recv(PATIENCE)
        assert socket.close_code == SIGNED_OUT


def _version(text: str) -> int:
    found = re.search(r'"version":(\d+)', text)
    assert found is not None
    return int(found[1])


def test_a_page_of_another_site_opens_no_socket_through_the_proxy(proxy: Proxied) -> None:
    client = proxy.client("127.0.1.2")
    table = play(client).rpartition("/")[2]
    path = f"/api/tables/{table}/stream"
    with (
        pytest.raises(InvalidStatus) as refused,
        proxy.socket(path, cookies(client), "https://evil.example"),
    ):
        pass
    assert refused.value.response.status_code == 403


def test_cookies_are_secure_and_belong_to_this_host(proxy: Proxied) -> None:
    for spoofed in ({}, {"x-forwarded-proto": "http"}):
        client = proxy.client("127.0.1.3")
        answer = client.post("/play", data=GAME, headers=spoofed)
        cookie = SimpleCookie(answer.headers["set-cookie"])["__Host-byzanz"]
        assert cookie["secure"]
        assert cookie["httponly"]
        assert cookie["path"] == "/"


def test_forwarded_headers_are_used_only_from_the_proxy(proxy: Proxied) -> None:
    # Each network address can create two guests.
    for address in ("127.0.1.4", "127.0.1.5"):
        for allowed in (True, True, False):
            spoofed = {"x-forwarded-for": "192.0.2.1", "forwarded": "for=192.0.2.2"}
            answer = proxy.client(address).post("/play", data=GAME, headers=spoofed)
            assert answer.status_code == (303 if allowed else 429)
    for allowed, forged in ((True, "192.0.2.3"), (True, "192.0.2.4"), (False, "192.0.2.5")):
        spoofed = {"x-forwarded-for": forged, "x-forwarded-proto": "https"}
        answer = proxy.direct("127.0.1.6", **spoofed).post("/play", data=GAME)
        assert answer.status_code == (303 if allowed else 429)
        assert "__Host-" not in answer.headers.get("set-cookie", "")


def test_a_personal_link_names_the_public_address_whatever_the_host(proxy: Proxied) -> None:
    client = proxy.client("127.0.1.7")
    play(client)
    shown = client.post("/me/link", headers={"x-forwarded-host": "evil.example"}).text
    assert f"<code data-link>{SITE}/pass/" in shown
    assert "evil.example" not in shown
    answer = client.post("/me/link", headers={"host": "evil.example"})
    assert "evil.example" not in answer.text
    assert answer.text == "" or f"<code data-link>{SITE}/pass/" in answer.text


def test_large_requests_are_refused(proxy: Proxied) -> None:
    client = proxy.client("127.0.1.8")
    for size in (20_000, 2_000_000):
        answer = client.post("/play", data={"bot": "random", "name": "x" * size})
        assert answer.status_code == 413
    answer = client.get("/", headers={"x-long": "x" * 100_000})
    assert 400 <= answer.status_code < 500
    assert client.get("/").status_code == 200


def test_metrics_are_not_public_and_health_is(proxy: Proxied) -> None:
    client = proxy.client()
    assert client.get("/metrics").status_code == 403
    assert client.get("/health").json() == {"status": "ok"}


@pytest.mark.parametrize(
    "begun",
    [
        f"GET / HTTP/1.1\r\nhost: {HOST}\r\n",
        f"POST /play HTTP/1.1\r\nhost: {HOST}\r\n{FORM}content-length: 900\r\n\r\nbot=",
    ],
)
def test_slow_clients_are_dropped_and_others_are_served(proxy: Proxied, begun: str) -> None:
    with proxy.connection() as slow:
        slow.sendall(begun.encode())
        assert proxy.client().get("/").status_code == 200
        slow.settimeout(PATIENCE)
        began = time.monotonic()
        answer = b""
        with suppress(ConnectionError):
            while part := slow.recv(65536):
                answer += part
        assert time.monotonic() - began < PATIENCE - 1
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"set-cookie" not in head.lower()  # the request had no effect
    assert b"Zoe" not in body


def test_an_idle_socket_is_used_more_often_than_the_proxy_closes_it() -> None:
    found = re.search(r"proxy_read_timeout (\d+)s;", documented("limit_conn_zone"))
    assert found is not None
    interval = uvicorn.Config("app").ws_ping_interval
    assert interval is not None
    assert interval == 20  # as docs/deploying.md says
    assert interval * 3 < int(found[1])


@pytest.mark.parametrize("name", list(COMMANDS))
def test_all_requests_of_a_table_go_to_the_same_server(name: str, tmp_path: Path) -> None:
    paths = ("/table/{}", "/table/{}/act", "/api/tables/{}", "/api/tables/{}/stream?after=3")
    with (
        _answering("one") as one,
        _answering("two") as two,
        distributing(name, tmp_path, [one, two]) as url,
        httpx.Client(base_url=url) as client,
    ):
        chosen = set()
        for table in range(30):
            answers = {client.get(path.format(f"t{table}")).text for path in paths}
            assert len(answers) == 1, table
            chosen |= answers
        assert chosen == {"one", "two"}
        assert client.get("/rules").text in chosen


@contextmanager
def _answering(name: str) -> Iterator[str]:
    """Run a server that answers every request with its name; yield its address."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(name.encode())

        def log_message(self, *_: object) -> None:
            """Write nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
