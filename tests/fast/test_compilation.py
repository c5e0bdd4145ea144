"""Log records about compilation."""

from __future__ import annotations

import logging

import pytest

from byzanz.fast.compilation import LOGGER, Progress
from byzanz.fast.jit import part


def test_compilation_is_logged_once(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def halved(number: int) -> int:
        return number // 2

    def outer(number: int) -> int:
        return inner(number) + 1

    for function in (halved, outer):
        function.__module__ = "byzanz.example"
    inner = part(halved)
    compiled = part(outer)
    monkeypatch.setattr(LOGGER, "propagate", True)
    with caplog.at_level(logging.DEBUG, LOGGER.name):
        assert compiled(8) == compiled(9) == 5
    records = [(record.levelname, vars(record)["progress"]) for record in caplog.records]
    assert records == [
        ("INFO", Progress("example.outer", 0, 2)),
        ("DEBUG", Progress("example.outer", 1, 2)),
        ("DEBUG", Progress("example.outer", 2, 2)),
    ]
    assert caplog.messages[0] == "Compiling for the first use: example.outer, 2 functions"
