"""A fair queue for the bots' decisions: no client can make all the others wait."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from enum import IntEnum
from heapq import heappop, heappush, heapreplace
from itertools import count
from typing import NamedTuple

_MAX_REMEMBERED = 10_000
"""The number of keys for which the queue remembers when they were last served."""
_SMOOTHING = 0.1
"""The weight of the newest wait in the average."""


class Rank(IntEnum):
    """How urgent a decision is. A lower rank is served first."""

    ATTENDED = 0
    """Somebody is present at the table."""
    OVER_BUDGET = 1
    """Somebody is present, but the host has used up the budget of computing time."""
    UNATTENDED = 2
    """Nobody is present at the table."""


class Claim(NamedTuple):
    """Who asks for a bot's decision."""

    address: str = ""
    """The network address of the host, or the host's id if the address is unknown."""
    guest: str = ""
    """The guest whose budget the decision uses: the table's host."""
    table: str = ""
    rank: Rank = Rank.ATTENDED


class _Waiter(NamedTuple):
    claim: Claim
    since: float
    woken: asyncio.Future[None]


class _Ring:
    """Waiters by address, guest and table. At each level, the least recently served key is next.

    ``served`` has the number of the last time that each path was served.
    """

    def __init__(self, served: Mapping[tuple[str, ...], int], path: tuple[str, ...] = ()) -> None:
        self._served = served
        self._path = path
        self._waiters: deque[_Waiter] = deque()
        self._children: dict[str, _Ring] = {}
        self._arrivals = count()
        self._order: list[tuple[int, int, str]] = []
        """A heap: when each child was served last, as far as known, its arrival, and its key."""

    def __bool__(self) -> bool:
        return bool(self._waiters or self._children)  # an empty child is removed

    def __len__(self) -> int:
        return len(self._waiters) + sum(map(len, self._children.values()))

    def push(self, path: tuple[str, ...], waiter: _Waiter) -> None:
        if not path:
            self._waiters.append(waiter)
            return
        key = path[0]
        if key not in self._children:
            self._children[key] = _Ring(self._served, (*self._path, key))
            heappush(self._order, (self._last(key), next(self._arrivals), key))
        self._children[key].push(path[1:], waiter)

    def pop(self) -> _Waiter:
        if self._waiters:
            return self._waiters.popleft()
        last, arrival, key = self._order[0]
        while last != self._last(key):  # it has been served since, perhaps in another ring
            heapreplace(self._order, (self._last(key), arrival, key))
            last, arrival, key = self._order[0]
        child = self._children[key]
        waiter = child.pop()
        if not child:
            heappop(self._order)
            del self._children[key]
        return waiter

    def _last(self, key: str) -> int:
        return self._served.get((*self._path, key), -1)


class FairQueue:
    """Lends slots to claims by rank; within a rank, addresses, guests and tables take turns.

    One more slot is for quick decisions only, so that these never wait for slow ones. If there are
    at least two other slots, one of them is reserved for attended tables.
    """

    def __init__(self, slots: int) -> None:
        self._free = slots
        self._quick_free = 1
        self._free_for_others = max(1, slots - 1)
        self._served: dict[tuple[str, ...], int] = {}
        self._rings = {
            (rank, quick): _Ring(self._served) for rank in Rank for quick in (True, False)
        }
        self._numbers = count()
        self.mean_wait = 0.0
        """A moving average of the seconds that decisions at attended tables waited."""

    def waiting(self, *ranks: Rank) -> int:
        """Return the number of waiting decisions of these ranks."""
        return sum(len(self._rings[rank, quick]) for rank in ranks for quick in (True, False))

    @asynccontextmanager
    async def slot(self, claim: Claim, *, quick: bool) -> AsyncIterator[None]:
        """Hold a slot while the context lasts. ``quick`` tells whether the decision is quick."""
        waiter = _Waiter(claim, time.monotonic(), asyncio.get_running_loop().create_future())
        self._rings[claim.rank, quick].push(claim[:3], waiter)
        self._lend()
        try:
            await waiter.woken
        except asyncio.CancelledError:
            if waiter.woken.done() and not waiter.woken.cancelled():
                self._give_back(claim, quick=quick)
            raise
        try:
            yield
        finally:
            self._give_back(claim, quick=quick)

    def _lend(self) -> None:
        """Give the free slots to the waiters that may have them."""
        while (found := self._next()) is not None:
            claim, since, woken = found
            if woken.cancelled():
                continue
            woken.set_result(None)
            self._note_served(claim)
            if claim.rank is Rank.ATTENDED:
                waited = time.monotonic() - since
                self.mean_wait += _SMOOTHING * (waited - self.mean_wait)

    def _next(self) -> _Waiter | None:
        """Remove and return the next waiter that can have a free slot, and take that slot."""
        for (rank, quick), ring in self._rings.items():
            if not ring or not self._has_slot(rank, quick=quick):
                continue
            waiter = ring.pop()
            if not waiter.woken.cancelled():
                self._take(rank, quick=quick)
            return waiter
        return None

    def _has_slot(self, rank: Rank, *, quick: bool) -> bool:
        if quick:
            return self._quick_free > 0
        return self._free > 0 and (rank is Rank.ATTENDED or self._free_for_others > 0)

    def _take(self, rank: Rank, *, quick: bool, number: int = 1) -> None:
        if quick:
            self._quick_free -= number
            return
        self._free -= number
        if rank is not Rank.ATTENDED:
            self._free_for_others -= number

    def _give_back(self, claim: Claim, *, quick: bool) -> None:
        self._take(claim.rank, quick=quick, number=-1)
        self._lend()

    def _note_served(self, claim: Claim) -> None:
        path = claim[:3]
        for key in (path[:1], path[:2], path):
            self._served.pop(key, None)
            self._served[key] = next(self._numbers)
        while len(self._served) > _MAX_REMEMBERED:
            del self._served[next(iter(self._served))]
