"""Malformed requests and frames; ``tests/web/malformed.py`` makes many more."""

from __future__ import annotations

from pathlib import Path

from .malformed import run


def test_what_is_malformed_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    counts = run(2000, seed=7, folder=tmp_path)
    assert counts.total() >= 2000
    for kind in ("api 200", "api 400", "api 401", "api 404", "api 409", "form 400", "bytes 400"):
        assert counts[kind], kind
    assert counts["frame 0"] >= 300
