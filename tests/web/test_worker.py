"""``byzanz worker``: a process that does background jobs of a PostgreSQL database."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.command import byzanz
from tests.tables.databases import Postgres

PATIENCE = 60.0


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    with Postgres(tmp_path_factory.mktemp("postgresql")) as server:
        yield server


def test_a_worker_does_jobs_shows_metrics_and_stops_when_told(postgres: Postgres) -> None:
    often = {"BYZANZ_CLEANUP_INTERVAL_SECONDS": "1", "BYZANZ_DATABASE": postgres.fresh()}
    worker = subprocess.Popen(
        [sys.executable, "-m", "byzanz", "worker", "--metrics-port", "0"],
        stdout=subprocess.PIPE,
        env=os.environ | often,
        text=True,
    )
    try:
        assert worker.stdout is not None
        found = re.fullmatch(r"Metrics are at (http://127.0.0.1:\d+/metrics)\n", line(worker))
        assert found is not None
        assert line(worker).startswith("The worker is waiting for jobs")
        done = re.compile(r'byzanz_job_wait_seconds_count\{kind="clean_up"\} [1-9]')
        until = time.monotonic() + PATIENCE
        while not done.search(text := urlopen(found[1]).read().decode()):
            assert time.monotonic() < until, text
            time.sleep(0.2)
        assert 'byzanz_job_failures_total{kind="clean_up"} 0.0' in text
        assert 'byzanz_jobs_waiting{kind="review"} 0.0' in text
        worker.terminate()
        assert worker.wait(PATIENCE) == 0
    finally:
        worker.kill()
        worker.communicate()


def line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_a_worker_needs_postgresql(tmp_path: Path) -> None:
    refused = byzanz("worker", "--data", str(tmp_path))
    assert refused.returncode == 2
    assert refused.stderr == (
        "byzanz worker: a worker needs PostgreSQL: the server itself does the jobs of a SQLite "
        "database\n"
    )
