"""``kill -9`` under load; ``tests/web/killing.py`` does it more often."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables.databases import Postgres

from .killing import Outcome, run


@pytest.fixture
def postgres(tmp_path: Path) -> Iterator[Postgres]:
    with Postgres(tmp_path / "postgresql") as server:
        yield server


def test_a_killed_server_loses_no_acknowledged_action_and_doubles_none(tmp_path: Path) -> None:
    _was_under_load(run(10, seed=7, folder=tmp_path), kills=10)


def test_a_server_killed_on_postgresql_loses_nothing(tmp_path: Path, postgres: Postgres) -> None:
    _was_under_load(run(5, seed=8, folder=tmp_path, database=postgres.fresh()), kills=5)


def _was_under_load(outcome: Outcome, kills: int) -> None:
    """Check that the server was under load; otherwise the test would prove nothing."""
    assert outcome.kills == kills
    assert outcome.found["unanswered"] >= kills
    assert outcome.found["accepted"] >= 5 * kills
