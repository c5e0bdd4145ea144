"""Worker processes that play games and end with their parent process."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import parent_process, resource_tracker
from multiprocessing.connection import wait as ended
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import Thread
from time import sleep
from typing import ParamSpec, TypeVar

_Arguments = ParamSpec("_Arguments")
_Result = TypeVar("_Result")

_END_SECONDS = 5.0
"""Seconds that a terminated process may take to end."""


_CAN_BLOCK_SIGNALS = hasattr(signal, "pthread_sigmask")
"""Whether this system can block signals; Windows cannot."""


class WorkersLost(Exception):
    """Worker processes ended unexpectedly. Results yielded before that are valid."""


@contextmanager
def worker_pool(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Return a pool of processes for calls of :func:`run_stoppable`.

    The processes end with the context. Raises WorkersLost if a process is killed.
    """
    level = logging.getLogger("byzanz.bots").getEffectiveLevel()
    pool = ProcessPoolExecutor(
        jobs, mp_context=_SpawnContext(), initializer=initialise, initargs=(level,)
    )
    left = pool._processes
    try:
        yield pool
        pool.shutdown()
        left = {}
    except BrokenProcessPool:
        raise WorkersLost("a worker process was killed, perhaps for lack of memory") from None
    finally:
        for process in (processes := [*left.values()]):
            process.terminate()
        for process in processes:
            if not ended([process.sentinel], _END_SECONDS):  # a process may miss the signal
                process.kill()
        # Only the pool joins the processes. A second caller would get no exit status.
        pool.shutdown(cancel_futures=True)


class _Worker(SpawnProcess):
    """A process that starts with SIGINT blocked, so that Ctrl-C cannot interrupt its start."""

    def start(self) -> None:
        if not _CAN_BLOCK_SIGNALS:
            super().start()
            return
        resource_tracker.ensure_running()  # otherwise start() runs it and unblocks the signal
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _SpawnContext(SpawnContext):
    Process = _Worker


def run_stoppable(
    work: Callable[_Arguments, _Result], *arguments: _Arguments.args, **keywords: _Arguments.kwargs
) -> _Result:
    """Run ``work``. On SIGTERM, close the bots that it started and end the process."""
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        return work(*arguments, **keywords)
    except SystemExit:
        os._exit(1)  # the pool would treat SystemExit as a result and start the next task


def initialise(level: int) -> None:
    """Set up a worker: ignore Ctrl-C, which the parent handles, and end with the parent."""
    logging.basicConfig(format="%(message)s")
    logging.getLogger("byzanz.bots").setLevel(level)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _CAN_BLOCK_SIGNALS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """End this process when its parent has ended, even if the parent was killed."""
    if parent := parent_process():
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)
        sleep(_END_SECONDS)  # the pool may be sending a result and would treat the exception as one
        os._exit(1)
