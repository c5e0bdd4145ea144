"""Reviews of many games in several processes."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Future
from functools import lru_cache
from itertools import islice

from byzanz.arena.workers import run_stoppable, worker_pool
from byzanz.notation import Record

from .evaluation import DEFAULT_WORLDS
from .game_review import Reviewer
from .results import Review

_PENDING = 2
"""The number of games per process that are waiting or being reviewed."""


def review_many(
    games: Iterable[Record],
    seats: Sequence[int] | None = None,
    *,
    worlds: int = DEFAULT_WORLDS,
    jobs: int = 1,
    device: str = "cpu",
) -> Generator[Review]:
    """Review games and yield the reviews in their order.

    On a CPU, each process uses one thread; on a GPU, it uses several, which share forward passes.
    Closing the iterator stops the processes. Raises WorkersLost if a process is killed.
    """
    if jobs == 1:
        yield from (_review(game, seats, worlds, device) for game in games)
        return
    waiting = iter(games)
    with worker_pool(jobs) as pool:
        pending: deque[Future[Review]] = deque()
        while True:
            for game in islice(waiting, _PENDING * jobs - len(pending)):
                pending.append(pool.submit(run_stoppable, _review, game, seats, worlds, device))
            if not pending:
                break
            yield pending.popleft().result()


def _review(game: Record, seats: Sequence[int] | None, worlds: int, device: str) -> Review:
    return _reviewer(device).review(game, seats, worlds=worlds)


@lru_cache(maxsize=1)
def _reviewer(device: str) -> Reviewer:
    """Return the reviewer of this process."""
    return Reviewer(device=device, threads=1 if device == "cpu" else None)
