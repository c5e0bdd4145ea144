"""Several processes on one PostgreSQL database: kills, rolling restarts and a crashing database.

``python -m tests.web.killing --workers 3`` does it more often.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables.databases import Postgres

from .killing import Outcome, run_on
from .several import Replaced, RestartedDatabase, SeveralProcesses

PATIENCE = 20.0
"""Seconds that people wait at most on a machine that has much else to do."""


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    with Postgres(tmp_path_factory.mktemp("postgresql")) as server:
        yield server


def _was_under_load(outcome: Outcome, kills: int) -> None:
    assert outcome.kills == kills
    assert outcome.found["accepted"] >= 10 * kills
    assert outcome.longest < PATIENCE
    assert outcome.longest_wait < PATIENCE


def test_killed_processes_lose_nothing_and_the_others_play_on(
    tmp_path: Path, postgres: Postgres
) -> None:
    server = SeveralProcesses(tmp_path, postgres.fresh(), 3, seed=1)
    _was_under_load(run_on(server, 2, seed=9), kills=2)
    assert server.holders_killed > 0


@pytest.mark.slow
def test_processes_are_replaced_under_load(tmp_path: Path, postgres: Postgres) -> None:
    server = Replaced(tmp_path, postgres.fresh(), 3)
    _was_under_load(run_on(server, 1, seed=10), kills=1)


@pytest.mark.slow
def test_a_database_server_that_crashes_loses_nothing(tmp_path: Path, postgres: Postgres) -> None:
    server = RestartedDatabase(tmp_path, postgres.fresh(), 3, 0, postgres)
    _was_under_load(run_on(server, 1, seed=11, allows_errors=True), kills=1)
