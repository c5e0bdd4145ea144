"""Several server processes on one PostgreSQL database, any of which can be killed or replaced."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.exc import SQLAlchemyError

from byzanz.tables.storage import schema
from byzanz.tables.storage.store import make_engine
from tests.tables.databases import Postgres
from tests.web.browser.process import PATIENCE, ServerProcess


class SeveralProcesses(ServerProcess):
    """``byzanz serve --workers N``: one port, and a parent that starts killed children again."""

    def __init__(self, folder: Path, database: str, workers: int, seed: int = 0) -> None:
        super().__init__(folder, database)
        self.workers = workers
        self.holders_killed = 0
        self._chance = random.Random(seed)
        self._engine = make_engine(database)
        self._parent: subprocess.Popen[bytes] | None = None
        self._killed: set[int] = set()

    def start(self) -> None:
        """Start the parent, unless it runs, and wait until all its children serve."""
        if self._parent is None:
            with (self.folder / "log").open("ab") as log:
                self._parent = subprocess.Popen(
                    [
                        *(sys.executable, "-m", "byzanz", "serve", "--port", str(self.port)),
                        *("--database", self.database, "--workers", str(self.workers)),
                        *("--log-level", "warning"),
                    ],
                    stdout=log,
                    stderr=log,
                )
        until = time.monotonic() + PATIENCE
        while len(self.processes - self._killed) < self.workers:
            assert self._parent.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "not all processes serve"
            time.sleep(0.05)

    @property
    def processes(self) -> set[int]:
        """The ids of the processes that serve the database."""
        return set(self._leases())

    def _leases(self) -> dict[int, int]:
        """Return how many tables each process holds."""
        p, leases = schema.processes, schema.leases
        query = select(p.c.id, func.count(leases.c.table_id)).outerjoin(leases).group_by(p.c.id)
        try:
            with self._engine.connect() as connection:
                found = connection.execute(query).all()
        except SQLAlchemyError:
            return {}  # there is no schema yet
        return {int(name.split()[1]): count for name, count in found}

    def kill(self) -> None:
        """Kill one process, so that it cannot clean up; often the one that holds most tables."""
        leases = {pid: n for pid, n in self._leases().items() if pid not in self._killed}
        busiest = max(leases, key=lambda pid: leases[pid])
        victim = busiest if self._chance.random() < 0.6 else self._chance.choice(list(leases))
        self.holders_killed += leases[victim] > 0
        self._killed.add(victim)
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)

    def replace_all(self) -> None:
        """Ask the parent to replace all processes, and wait until it has done so."""
        assert self._parent is not None
        before = self.processes
        self._parent.send_signal(signal.SIGHUP)
        until = time.monotonic() + self.workers * PATIENCE  # one after another
        while self.processes & before or len(self.processes) < self.workers:
            assert self._parent.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "not all processes were replaced"
            time.sleep(0.05)

    def close(self) -> None:
        """Stop all processes."""
        if self._parent is not None:
            self._parent.terminate()
            assert self._parent.wait(PATIENCE) == 0
        self._engine.dispose()


class Replaced(SeveralProcesses):
    """Processes that are not killed, but replaced one after another, as in an upgrade."""

    def kill(self) -> None:
        """Replace all processes."""
        self.replace_all()


class RestartedDatabase(SeveralProcesses):
    """Processes whose database server crashes and starts again."""

    def __init__(
        self, folder: Path, database: str, workers: int, seed: int, postgres: Postgres
    ) -> None:
        super().__init__(folder, database, workers, seed)
        self._postgres = postgres

    def kill(self) -> None:
        """Crash PostgreSQL and start it again."""
        self._postgres.restart()
