"""A worker process whose reviews take as long as a test wants.

It is ``byzanz worker`` in all but the review itself, which needs no compiled code.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Self

from byzanz.coach.results import VERSION, Review
from byzanz.tables import Store, TableService
from byzanz.tables.service.review_process import Progress
from byzanz.web.job_worker import JobWorker
from byzanz.web.limit_settings import Settings

from .services import limits

DECISIONS = 40


def made(record: str) -> Review:
    """Return a review of the game without any judgement."""
    header = json.loads(record.splitlines()[0])
    return Review(VERSION, "net", 2, len(header["hands"]), len(record.splitlines()) - 2, ())


async def at_once(record: str, worlds: int, progress: Progress) -> Review:
    """Review a game without thinking."""
    progress(1, 1)
    return made(record)


async def never(record: str, worlds: int, progress: Progress) -> Review:
    """Begin to review a game, and never end."""
    progress(3, DECISIONS)
    await asyncio.Event().wait()
    return made(record)


class WorkerProcess:
    """A worker in its own process. ``reviewer`` is ``at_once`` or ``never``."""

    def __init__(self, url: str, reviewer: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.tables.working", url, reviewer],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        )

    def __enter__(self) -> Self:
        assert self._process.stdout is not None
        assert self._process.stdout.readline() == b"ready\n"
        return self

    def __exit__(
        self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None
    ) -> None:
        self.kill()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def kill(self) -> None:
        """Kill the process, so that it cannot clean up."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def stop(self) -> int:
        """Ask the process to stop, and return its exit status."""
        self._process.terminate()
        return self._process.wait(30)


def main(url: str, reviewer: str) -> None:
    """Do jobs until a signal comes."""
    chosen = {"at_once": at_once, "never": never}[reviewer]
    service = TableService(Store.open(url), limits=limits(), reviewer=chosen, serves=False)
    worker = JobWorker(service, Settings())
    ready = partial(print, "ready", flush=True)
    asyncio.run(worker.run_until_stopped(ready))


if __name__ == "__main__":
    main(*sys.argv[1:])
