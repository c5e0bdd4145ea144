"""What whoever runs the server sees, and what they never see."""

from __future__ import annotations

import io
import json
import logging
import re
from collections.abc import Iterator

import pytest

from byzanz.tables import StoreFailed
from byzanz.web.monitoring import JsonLines

from .server import Served


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonLines())
    logger = logging.getLogger("byzanz.web")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield stream
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


def test_metrics_count_requests_by_the_pattern_of_their_route(server: Served) -> None:
    player = server.player()
    table = player.found("random", open_seats=1)
    with player.stream(table) as socket:
        socket.recv()
        text = player.client.get("/metrics").text
    assert 'byzanz_sockets{carries="json"} 1.0' in text
    assert re.search(r"^byzanz_tables [1-9]", text, re.MULTILINE)
    player.client.get(f"/api/tables/{table}")
    player.client.get("/nowhere/at/all")
    player.client.request("BREW", "/api/me")
    text = player.client.get("/metrics").text
    route = '{method="GET",route="/api/tables/{table}",status="200"}'
    assert f"byzanz_http_requests_total{route}" in text
    assert 'byzanz_http_requests_total{method="GET",route="none",status="404"}' in text
    assert 'method="other"' in text
    assert "BREW" not in text
    assert table not in text


def test_health_asks_the_database(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with server.client() as client:
        assert client.get("/health").json() == {"status": "ok"}

        async def failing(*_: object) -> None:
            raise StoreFailed("OperationalError")

        monkeypatch.setattr(server.house.store, "run", failing)
        answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"status": "failing"}


@pytest.mark.parametrize("path", ["/api/lobby", "/"])
def test_a_fault_of_ours_is_told_by_a_number_alone(
    server: Served, monkeypatch: pytest.MonkeyPatch, logged: io.StringIO, path: str
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("a secret that an exception quotes")

    monkeypatch.setattr(server.house, "lobby", broken)
    with server.client() as client:
        answer = client.get(path)
    assert answer.status_code == 500
    assert "content-security-policy" in answer.headers
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert "RuntimeError" not in answer.text
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    (failed,) = [line for line in lines if line["event"] == "failed"]
    assert failed["incident"] in answer.text
    assert failed["error"]["type"] == "builtins.RuntimeError"
    assert any("broken" in frame for frame in failed["error"]["raised"])
    assert "secret" not in logged.getvalue()


def test_every_answer_is_logged_by_the_pattern_of_its_route(
    server: Served, logged: io.StringIO
) -> None:
    player = server.player("Xerxes")
    table = player.found("random", open_seats=1)
    for _ in range(2):  # an answer is logged when it has left: the next one comes after that
        player.sight(table)
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    told = [(line["method"], line["route"], line["status"]) for line in lines]
    assert ("POST", "/api/tables", 201) in told
    assert ("GET", "/api/tables/{table}", 200) in told
    assert all(line["ms"] >= 0 for line in lines)
    for secret in (table, player.token, "Xerxes"):
        assert secret not in logged.getvalue()
