from __future__ import annotations

from pathlib import Path

import pytest

from .command import RECORD


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.jsonl"
    path.write_text(RECORD, encoding="utf-8")
    return path
