"""Limits for clients: rates, sockets and sizes."""

from __future__ import annotations

import socket as sockets
import time
from collections.abc import Iterator
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from time import process_time

import pytest
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus

from byzanz.tables import Limits
from byzanz.web.limit_settings import Rate, Settings
from byzanz.web.limits import TokenBuckets

from .server import UNHURRIED, Served, served


def test_a_token_bucket_empties_and_fills_again() -> None:
    now = 0.0
    buckets = TokenBuckets(Rate(burst=3, per_second=0.5), lambda: now)
    assert [buckets.take("one") for _ in range(4)] == [0, 0, 0, 2]
    assert buckets.take("another") == 0
    now += 2
    assert [buckets.take("one") for _ in range(2)] == [0, 2]
    now += 1000
    assert [buckets.take("one") for _ in range(4)] == [0, 0, 0, 2]


def test_the_number_of_token_buckets_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("byzanz.tables.service.token_buckets._MAX_BUCKETS", 10)
    buckets = TokenBuckets(Rate(burst=1, per_second=0.001), lambda: 0.0)
    for number in range(100):
        buckets.take(str(number))
    assert len(buckets._buckets) == 10


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    settings = replace(
        UNHURRIED,
        guest_rate=Rate(burst=20, per_second=0.01),
        new_guest_rate=Rate(burst=8, per_second=0.01),
        sockets_per_guest=2,
        max_socket_messages=3,
    )
    with served(tmp_path_factory.mktemp("strict"), settings) as running:
        yield running


def test_a_guest_who_sends_too_many_requests_must_wait(strict: Served) -> None:
    hasty, calm = strict.player(), strict.player()
    answers = [hasty.client.get("/api/me") for _ in range(25)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429] * 5
    assert int(answers[-1].headers["retry-after"]) > 0
    assert answers[-1].json()["error"]["code"] == "too-many-requests"
    assert hasty.client.get("/").status_code == 429
    assert hasty.client.get("/health").status_code == 200
    assert calm.client.get("/api/me").status_code == 200


def test_new_guests_from_one_address_are_limited(tmp_path: Path) -> None:
    settings = replace(UNHURRIED, new_guest_rate=Rate(burst=2, per_second=0.01))
    with served(tmp_path, settings) as running:
        running.player()
        running.player()
        with running.client() as client:
            answer = client.post("/api/me", json={})
            assert answer.status_code == 429
            assert int(answer.headers["retry-after"]) > 0
            headers = {"sec-fetch-site": "same-origin"}
            answer = client.post("/play", data={"bot": "random"}, headers=headers)
            assert answer.status_code == 429
            assert client.get("/").status_code == 200


def test_the_sockets_of_a_guest_are_limited(strict: Served) -> None:
    player = strict.player()
    table = player.found("random", open_seats=1)
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(player.stream(table))
        with pytest.raises(InvalidStatus) as refused:
            player.stream(table)
        assert refused.value.response.status_code == 429
    for last in [*[False] * 99, True]:  # the server notices a moment later that they are closed
        with nullcontext() if last else suppress(InvalidStatus):
            socket = player.stream(table)
            break
        time.sleep(0.05)
    with socket:
        socket.recv()


def test_messages_to_a_socket_are_ignored_and_close_it_in_the_end(strict: Served) -> None:
    player = strict.player()
    table = player.found("random", open_seats=1)
    with player.stream(table) as socket:
        first = socket.recv()
        for word in ("pass", '{"action":"pass"}', b"\x00"):
            socket.send(word)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    assert f'"version":{player.look(table)["version"]}' in str(first)


def test_a_long_message_closes_the_socket(strict: Served) -> None:
    player = strict.player()
    with player.stream(player.found("random", open_seats=1)) as socket:
        socket.recv()
        socket.send("x" * 1025)
        with pytest.raises(ConnectionClosed) as closed:
            socket.recv()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009


def test_large_bodies_are_refused_with_and_without_content_length(server: Served) -> None:
    player = server.player()
    most = Settings().max_body_bytes
    long = b'{"name":"' + b"x" * most + b'"}'
    json = {"content-type": "application/json"}
    for content in (long, iter([long[:9000], long[9000:]])):
        answer = player.client.patch("/api/me", content=content, headers=json)
        assert answer.status_code == 413
        assert answer.json()["error"]["code"] == "too-large"
    assert player.client.patch("/api/me", content=long[:most], headers=json).status_code == 400


def test_endless_headers_are_refused(server: Served) -> None:
    host, port = server.url.removeprefix("http://").split(":")
    with sockets.create_connection((host, int(port)), timeout=10) as raw:
        raw.sendall(b"GET / HTTP/1.1\r\nhost: x\r\n" + b"x: " + b"y" * 40_000)
        assert raw.recv(100).startswith(b"HTTP/1.1 4")


def test_files_and_metrics_have_limits(tmp_path: Path) -> None:
    rate = Rate(burst=100, per_second=0.01)
    settings = replace(UNHURRIED, address_rate=rate, file_rate=Rate(burst=3, per_second=0.01))
    with served(tmp_path, settings) as running, running.client() as client:
        statuses = [client.get("/metrics").status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        statuses = [client.get("/art/hero.svg").status_code for _ in range(5)]
        assert statuses == [200] * 3 + [429] * 2
        assert client.get("/health").status_code == 200


def test_a_picture_is_compressed_once(tmp_path: Path) -> None:
    with served(tmp_path, UNHURRIED) as running, running.client() as client:
        packed = client.get("/art/hero.svg", headers={"accept-encoding": "gzip"})
        plain = client.get("/art/hero.svg", headers={"accept-encoding": "identity"})
        assert packed.headers["content-encoding"] == "gzip"
        assert "content-encoding" not in plain.headers
        assert packed.content == plain.content
        assert packed.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
        started = process_time()
        for _ in range(50):
            client.get("/art/hero.svg", headers={"accept-encoding": "gzip"})
        assert (process_time() - started) / 50 < 0.008  # of client and server together


def test_a_new_guest_for_each_game_does_not_avoid_the_limit_of_the_address(tmp_path: Path) -> None:
    few = Limits(substitute_bot="random", games_per_hour_per_address=3)
    with served(tmp_path, UNHURRIED, limits=few) as running:
        answers = []
        for _ in range(5):
            with running.client() as client:  # without cookies
                answers.append(client.post("/play", data={"bot": "random"}).status_code)
        assert answers == [303] * 3 + [429] * 2
