"""Logs and metrics, and the secrets that they must not contain."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from byzanz.tables import Environment, StoreFailed
from byzanz.web.monitoring import HealthCheck, JsonFormatter

from .server import Served, served


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(JsonFormatter())
    logger = logging.getLogger("byzanz.web")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    yield stream
    logger.removeHandler(handler)
    logger.setLevel(logging.NOTSET)


def test_metrics_count_requests_by_route_pattern(server: Served) -> None:
    player = server.player()
    table = player.found("random", open_seats=1)
    with player.stream(table) as socket:
        socket.recv()
        text = player.client.get("/metrics").text
    assert 'byzanz_sockets{carries="json"} 1.0' in text
    assert re.search(r"^byzanz_tables [1-9]", text, re.MULTILINE)
    player.client.get(f"/api/tables/{table}")
    player.client.get("/nowhere/at/all")
    player.client.request("PURGE", "/api/me")
    text = player.client.get("/metrics").text
    route = '{method="GET",route="/api/tables/{table}",status="200"}'
    assert f"byzanz_http_requests_total{route}" in text
    assert 'byzanz_http_requests_total{method="GET",route="none",status="404"}' in text
    assert 'method="other"' in text
    assert "PURGE" not in text
    assert table not in text


def test_health_reports_whether_the_database_answers(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.app.state.health, "_seconds", 0)
    with server.client() as client:
        assert client.get("/health").json() == {"status": "ok"}

        async def failing(*_: object) -> None:
            raise StoreFailed("OperationalError")

        monkeypatch.setattr(server.service.store, "run", failing)
        answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"status": "failing"}


def test_health_fails_if_the_disk_is_full(tmp_path: Path) -> None:
    resource = pytest.importorskip("resource")
    with served(tmp_path) as running, running.client() as client:
        running.app.state.health._seconds = 0
        assert client.get("/health").status_code == 200
        size = (tmp_path / "byzanz.db-wal").stat().st_size
        before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))  # no file can grow
        try:
            read, health = client.get("/api/lobby"), client.get("/health")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert (read.status_code, health.status_code) == (200, 503)
        assert client.get("/health").status_code == 200


async def _count(checks: list[float]) -> None:
    checks.append(time.monotonic())


def test_many_requests_share_one_check_of_the_database() -> None:
    checks: list[float] = []

    async def ask() -> list[bool]:
        health = HealthCheck(lambda: _count(checks), seconds=60)
        return await asyncio.gather(*[health.passes() for _ in range(20)])

    assert all(asyncio.run(ask()))
    assert len(checks) == 1


@pytest.mark.parametrize("path", ["/api/lobby", "/"])
def test_a_server_error_shows_an_incident_number_and_no_details(
    server: Served, monkeypatch: pytest.MonkeyPatch, logged: io.StringIO, path: str
) -> None:
    async def broken(*_: object) -> None:
        raise RuntimeError("a secret that an exception quotes")

    monkeypatch.setattr(server.service, "lobby", broken)
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


def test_every_response_is_logged_by_route_pattern(server: Served, logged: io.StringIO) -> None:
    player = server.player("Xerxes")
    table = player.found("random", open_seats=1)
    for _ in range(2):  # a response is logged once it is sent, before the next request is read
        player.look(table)
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    told = [(line["method"], line["route"], line["status"]) for line in lines]
    assert ("POST", "/api/tables", 201) in told
    assert ("GET", "/api/tables/{table}", 200) in told
    assert all(line["ms"] >= 0 for line in lines)
    assert len({line["client"] for line in lines}) == 1
    assert "127.0.0.1" not in logged.getvalue()
    for secret in (table, player.token, "Xerxes"):
        assert secret not in logged.getvalue()


def test_addresses_have_pseudonyms_that_differ_and_cannot_be_guessed(tmp_path: Path) -> None:
    with served(tmp_path / "one") as one, served(tmp_path / "other") as other:
        of = one.service.pseudonyms.of
        told = [of(f"192.0.2.{number}") for number in range(100)]
        assert len(set(told)) == 100
        assert told[0] == of("192.0.2.0") != other.service.pseudonyms.of("192.0.2.0")


def test_a_pseudonym_lasts_as_long_as_its_salt_which_is_renewed(tmp_path: Path) -> None:
    now = [1_700_000_000.0]
    environment = Environment(clock=lambda: now[0])
    told = []
    for days in (0, 29, 2, 1):  # the server is started again after so many days
        now[0] += days * 86400
        with served(tmp_path, environment=environment) as running:
            told.append(running.service.pseudonyms.of("192.0.2.0"))
    assert told[0] == told[1] != told[2] == told[3]
