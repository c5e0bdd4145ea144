"""Deals of one league or of several, on the cores of this machine."""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import islice
from multiprocessing import active_children, get_context
from multiprocessing.connection import wait as ended

from .league import League, PlayedDeal, play_deal

_PATIENCE = 5.0
"""Seconds that a process told to end may take."""


class PlayersLost(Exception):
    """What played deals elsewhere was lost; what it had finished is not."""


def play_deals(
    league: League, numbers: Iterable[int], *, jobs: int = 1, records: bool = False
) -> Iterator[PlayedDeal]:
    """The deals as they are finished: in order by one process, in any order by several.

    Whoever stops listening stops the processes. Raises PlayersLost if one of them is killed.
    """
    asked = ((league, number) for number in numbers)
    with closing(play_leagues(asked, jobs=jobs, records=records)) as played:
        for _, deal in played:
            yield deal


def play_leagues(
    asked: Iterable[tuple[League, int]], *, jobs: int = 1, records: bool = False
) -> Generator[tuple[League, PlayedDeal]]:
    """Deals of several leagues, each asked for by its number, like those of one."""
    if jobs == 1:
        for league, number in asked:
            yield league, play_deal(league, number, records=records)
        return
    waiting = iter(asked)
    others = set(active_children())
    level = logging.getLogger("byzanz.bots").getEffectiveLevel()
    pool = ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=_begin, initargs=(level,)
    )

    def more(count: int) -> dict[Future[PlayedDeal], League]:
        return {
            pool.submit(_play_deal, league, number, records=records): league
            for league, number in islice(waiting, count)
        }

    try:
        # One deal ahead for each process, and no more: memory stays constant.
        ahead = more(2 * jobs)
        while ahead:
            finished, _ = wait(ahead, return_when=FIRST_COMPLETED)
            for future in finished:
                yield ahead.pop(future), future.result()
            ahead |= more(len(finished))
        pool.shutdown()
    except BrokenProcessPool:
        raise PlayersLost("a process that played was killed, perhaps for want of memory") from None
    finally:
        left = set(active_children()) - others
        for process in left:
            process.terminate()
        for process in left:
            if not ended([process.sentinel], _PATIENCE):  # it can miss a signal between two looks
                process.kill()
        # The pool alone asks how they ended: of two that ask at once, one is told "not yet".
        pool.shutdown(cancel_futures=True)


def _play_deal(league: League, number: int, *, records: bool) -> PlayedDeal:
    """The deal, played; a process told to end ends here, once its bots are closed."""
    try:
        return play_deal(league, number, records=records)
    except SystemExit:
        os._exit(1)  # the pool would take it for a result, and play the next deal


def _begin(level: int) -> None:
    """This process leaves Ctrl-C to the one that began it, and ends with its own children."""
    logging.basicConfig(format="%(message)s")
    logging.getLogger("byzanz.bots").setLevel(level)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
