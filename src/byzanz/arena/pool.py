"""Deals of one league or of several, on the cores of this machine."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import closing
from itertools import islice

from .league import League, PlayedDeal, play_deal
from .workers import players, stoppable


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
    with players(jobs) as pool:

        def more(count: int) -> dict[Future[PlayedDeal], League]:
            return {
                pool.submit(stoppable, play_deal, league, number, records=records): league
                for league, number in islice(waiting, count)
            }

        # One deal ahead for each process, and no more: memory stays constant.
        ahead = more(2 * jobs)
        while ahead:
            finished, _ = wait(ahead, return_when=FIRST_COMPLETED)
            for future in finished:
                yield ahead.pop(future), future.result()
            ahead |= more(len(finished))
