"""Compiled loops over the rows of arrays, shared out among the cores.

Compiled code lets go of Python's lock, so plain threads run it side by side. Numba's own parallel
loops are no faster and take several times as long to compile, and they end the process if a forked
child or two threads at once use them. As many cores work as ``numba.set_num_threads`` says.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache, wraps
from itertools import pairwise
from typing import Any, TypeVarTuple

import numpy as np
from numba import config, get_num_threads

from .jit import unlocked
from .layout import Words

Rest = TypeVarTuple("Rest")
Loop = Callable[[Words, *Rest], None]


def by_rows(fewest: int) -> Callable[[Loop[*Rest]], Loop[*Rest]]:
    """Compiles a loop over the rows of its arrays, which the cores share.

    All its arrays have as many rows as the first. No core is given fewer rows than ``fewest``, for
    then handing them over would take longer than doing them.
    """

    def compiled(loop: Loop[*Rest]) -> Loop[*Rest]:
        some_rows = unlocked(loop)

        @wraps(loop)
        def all_rows(games: Words, *rest: *Rest) -> None:
            parts = max(1, min(get_num_threads(), len(games) // fewest))
            cuts = [len(games) * part // parts for part in range(parts + 1)]
            mine, *others = [_between(first, last, games, *rest) for first, last in pairwise(cuts)]
            threads = _threads(os.getpid())
            jobs = [threads.submit(some_rows, *other) for other in others]
            some_rows(*mine)
            for job in jobs:
                job.result()

        return all_rows

    return compiled


def _between(first: int, last: int, *arguments: Any) -> list[Any]:
    return [each[first:last] if isinstance(each, np.ndarray) else each for each in arguments]


@cache
def _threads(process: int) -> ThreadPoolExecutor:  # noqa: ARG001
    """The threads of this process; a forked child has none of its parent's."""
    return ThreadPoolExecutor(config.NUMBA_NUM_THREADS, thread_name_prefix="byzanz")
