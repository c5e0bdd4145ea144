"""Processes of this machine that play, and that are gone when nobody listens any more."""

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

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")

_PATIENCE = 5.0
"""Seconds that a process told to end may take."""


_MASKS = hasattr(signal, "pthread_sigmask")
"""Whether signals can be held back, as they cannot on Windows."""


class PlayersLost(Exception):
    """What played elsewhere was lost; what it had finished is not."""


@contextmanager
def players(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """So many processes, for work that is asked for as ``stoppable``; none is left afterwards.

    Raises PlayersLost if one of them is killed.
    """
    level = logging.getLogger("byzanz.bots").getEffectiveLevel()
    pool = ProcessPoolExecutor(jobs, mp_context=_Spawn(), initializer=begin, initargs=(level,))
    left = pool._processes
    try:
        yield pool
        pool.shutdown()
        left = {}
    except BrokenProcessPool:
        raise PlayersLost("a process that played was killed, perhaps for want of memory") from None
    finally:
        for process in (processes := [*left.values()]):
            process.terminate()
        for process in processes:
            if not ended([process.sentinel], _PATIENCE):  # it can miss a signal between two looks
                process.kill()
        # The pool alone asks how they ended: of two that ask at once, one is told "not yet".
        pool.shutdown(cancel_futures=True)


class _Player(SpawnProcess):
    """A process that does not hear Ctrl-C while it begins either, not even before it is Python."""

    def start(self) -> None:
        if not _MASKS:
            super().start()
            return
        resource_tracker.ensure_running()  # or it would be begun below, and lift the mask
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            super().start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Spawn(SpawnContext):
    Process = _Player


def stoppable(
    work: Callable[_Given, _Result], *given: _Given.args, **named: _Given.kwargs
) -> _Result:
    """What the work results in; a process told to end ends in it, once its bots are closed."""
    try:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        return work(*given, **named)
    except SystemExit:
        os._exit(1)  # the pool would take it for a result, and go on with the next


def begin(level: int) -> None:
    """This process leaves Ctrl-C to the one that began it, and ends with it."""
    logging.basicConfig(format="%(message)s")
    logging.getLogger("byzanz.bots").setLevel(level)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if _MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
    Thread(target=_end_too, daemon=True).start()


def _end_too() -> None:
    """Whoever was killed cannot tell its processes to end."""
    if began := parent_process():
        began.join()
        os.kill(os.getpid(), signal.SIGTERM)
        sleep(_PATIENCE)  # a pool takes what is raised while it hands over a result for one, too
        os._exit(1)
