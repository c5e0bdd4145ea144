"""Compiled loops over the rows of arrays, distributed over the CPU cores.

Compiled code releases the GIL, so plain threads run it in parallel. Numba's own parallel loops are
no faster and take several times as long to compile, and they terminate the process if a forked
child or two threads at once use them. ``numba.set_num_threads`` sets the number of cores.
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

from .jit import nogil_entry
from .layout import Ints

Rest = TypeVarTuple("Rest")
Loop = Callable[[Ints, *Rest], None]


def by_rows(fewest: int) -> Callable[[Loop[*Rest]], Loop[*Rest]]:
    """Compile a loop over the rows of its arrays and run it on several cores.

    All its arrays have as many rows as the first. No core gets fewer rows than ``fewest``, because
    starting a thread for fewer would take longer than the work.
    """

    def compiled(loop: Loop[*Rest]) -> Loop[*Rest]:
        some_rows = nogil_entry(loop)

        @wraps(loop)
        def all_rows(rows: Ints, *rest: *Rest) -> None:
            parts = max(1, min(get_num_threads(), len(rows) // fewest))
            cuts = [len(rows) * part // parts for part in range(parts + 1)]
            mine, *others = [_between(first, last, rows, *rest) for first, last in pairwise(cuts)]
            threads = thread_pool(os.getpid())
            jobs = [threads.submit(some_rows, *other) for other in others]
            some_rows(*mine)
            for job in jobs:
                job.result()

        return all_rows

    return compiled


def _between(first: int, last: int, *arguments: Any) -> list[Any]:
    return [each[first:last] if isinstance(each, np.ndarray) else each for each in arguments]


@cache
def thread_pool(process: int) -> ThreadPoolExecutor:  # noqa: ARG001
    """Return the thread pool of this process; a forked child needs a pool of its own."""
    return ThreadPoolExecutor(config.NUMBA_NUM_THREADS, thread_name_prefix="byzanz")
