"""Play deals of one or several leagues in several processes on this machine."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from itertools import islice

from .league import League, PlayedDeal, play_deal
from .workers import run_stoppable, worker_pool


def play_deals(
    league: League, numbers: Iterable[int], *, jobs: int = 1, records: bool = False
) -> Iterator[PlayedDeal]:
    """Play deals and yield them as they finish, in order if there is one job.

    Closing the iterator stops the processes. Raises WorkersLost if a process is killed.
    """
    requests = ((league, number) for number in numbers)
    with closing(play_leagues(requests, jobs=jobs, records=records)) as played:
        for _, deal in played:
            yield deal


def play_leagues(
    requests: Iterable[tuple[League, int]], *, jobs: int = 1, records: bool = False
) -> Generator[tuple[League, PlayedDeal]]:
    """Play deals of several leagues, like :func:`play_deals`.

    A request is a league and the number of a deal.
    """
    if jobs == 1:
        for league, number in requests:
            yield league, play_deal(league, number, records=records)
        return
    waiting = iter(requests)
    with worker_pool(jobs) as pool:

        def submit(count: int) -> dict[Future[PlayedDeal], League]:
            return {
                pool.submit(run_stoppable, play_deal, league, number, records=records): league
                for league, number in islice(waiting, count)
            }

        # At most one deal waits for each process, so memory use stays constant.
        pending = submit(2 * jobs)
        while pending:
            finished, _ = wait(pending, return_when=FIRST_COMPLETED)
            for future in finished:
                yield pending.pop(future), future.result()
            pending |= submit(len(finished))
