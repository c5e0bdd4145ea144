"""Malformed requests and frames; ``tests/web/malformed.py`` makes many more."""

from __future__ import annotations

import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from .malformed import CHARSETS, ENCODED, handshake, multipart, run
from .server import PATIENCE, Served, served


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("malformed"), automatic=False) as found:
        yield found


@pytest.mark.parametrize("charset", CHARSETS)
def test_a_form_in_another_encoding_is_refused(running: Served, charset: str) -> None:
    player = running.player()
    for name in ("name", "language", "back"):
        for value in ENCODED:
            answer = player.client.post("/me", **multipart(charset, name, value))
            allowed = charset.lower() == "utf-8"
            assert answer.status_code == 400 or (allowed and answer.status_code == 303), answer
            assert name == "name" or not allowed or answer.status_code == 303


@pytest.mark.parametrize("levels", [100, 1100, 3000, 7000])
def test_json_that_is_nested_deeply_is_refused(running: Served, levels: int) -> None:
    player = running.player()
    deep = "[" * levels + "]" * levels
    seat = f'{{"bot":{deep},"type":"bot"}}'  # the type is named after the nested value
    body = f'{{"seats":[{{"type":"host"}},{seat}]}}'
    headers = {"content-type": "application/json"}
    answer = player.client.post("/api/tables", content=body, headers=headers)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["code"] == "bad-request"


def test_text_that_cannot_be_read_and_a_close_at_once_are_no_error(
    running: Served, caplog: pytest.LogCaptureFixture
) -> None:
    player = running.player()
    shake = handshake(f"/api/tables/{player.found('random', 'random')}/stream", player.token)
    host, port = running.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as raw:
        raw.sendall(shake)
        assert raw.recv(65536).startswith(b"HTTP/1.1 101 ")
        unreadable, close = b"\x81\x81\0\0\0\0\xff", b"\x88\x80\0\0\0\0"
        raw.sendall(unreadable + close)
        while raw.recv(65536):
            pass
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


def test_what_is_malformed_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    counts = run(1500, seed=7, folder=tmp_path)
    assert counts.total() >= 1500
    for kind in ("api 200", "api 400", "api 401", "api 404", "api 409", "form 400", "bytes 400"):
        assert counts[kind], kind
    assert counts["frame 0"] >= 250
