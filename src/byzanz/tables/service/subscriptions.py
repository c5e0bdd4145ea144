"""A live table: one held in memory, with those who watch it."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from dataclasses import replace
from typing import Protocol, Self

from byzanz.tables.model.table import Stage, Table
from byzanz.tables.model.view import Sight, sight


class Moment:
    """A table at one version, and who is present; each seat's Sight is made once for all."""

    __slots__ = ("_sights", "present", "table")

    def __init__(self, table: Table, present: frozenset[str]) -> None:
        self.table = table
        self.present = present
        self._sights: dict[int | None, Sight] = {}

    def sight(self, guest: str | None) -> Sight:
        """What the guest may see at this moment; a spectator's for None."""
        seat = self.table.seat_of(guest)
        if seat not in self._sights:
            self._sights[seat] = sight(self.table, seat, self.present)
        return self._sights[seat]


class Live:
    """A table in memory. Who uses it counts, so that it is let go of when nobody does."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.moment: Moment | None = None
        """None until loaded."""
        self.doubtful = True
        """Whether the store may know better."""
        self.lock = asyncio.Lock()
        """Held while a command is judged and stored."""
        self.users = 0
        self.used = 0.0
        self.watches: set[Watch] = set()
        self.watching: Counter[str] = Counter()
        """How many watches each guest has open, or had until a moment ago."""

    @property
    def now(self) -> Moment:
        """The table as it is."""
        if self.moment is None:
            raise RuntimeError("the table is not loaded")
        return self.moment

    @property
    def table(self) -> Table:
        """The table as it is."""
        return self.now.table

    @property
    def present(self) -> frozenset[str]:
        """The guests who have the table before them."""
        return frozenset(self.watching)

    def behold(self, watch: Watch) -> None:
        """The watch is shown the table now, and whatever it becomes."""
        self.watches.add(watch)
        watch.offer(self.now)

    def show(self, table: Table) -> None:
        """Everybody who watches is shown the table as it is now."""
        self.moment = Moment(table, self.present)
        for watch in self.watches:
            watch.offer(self.moment)

    def arrive(self, guest: str | None) -> None:
        """The guest has the table before them."""
        if guest is not None:
            self.watching[guest] += 1
            self._show_presence(guest)

    def depart(self, guest: str | None) -> None:
        """The guest has closed one of their watches."""
        if guest is not None:
            self.watching[guest] -= 1
            self.watching += Counter()  # less those at zero
            self._show_presence(guest)

    def _show_presence(self, guest: str) -> None:
        if self.moment is None or self.table.seat_of(guest) is None:
            return
        if (guest in self.moment.present) != (guest in self.watching):
            self.show(self.table)


class Door(Protocol):
    """Where watches come in and go out."""

    async def enter(self, watch: Watch) -> None:
        """The watch is open."""

    def leave(self, watch: Watch) -> None:
        """The watch is closed."""


class Watch:
    """A subscription: first the table as it is, then as it becomes; a slow reader skips.

    Use it as ``async with house.watch(table, guest) as sights: async for sight in sights: ...``.
    It ends when the table expires or the house closes.
    """

    def __init__(self, hall: Door, table: str, guest: str | None, most: int) -> None:
        self.table = table
        self.guest = guest
        self._hall = hall
        self._most = most
        self._moments: deque[Moment] = deque()
        self._skipped = False
        self._ended = False
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        await self._hall.enter(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._hall.leave(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Sight:
        while not self._moments:
            if self._ended:
                raise StopAsyncIteration
            self._news.clear()
            await self._news.wait()
        moment = self._moments.popleft()
        if moment.table.stage is Stage.EXPIRED:
            self._ended = True
        seen, skipped = moment.sight(self.guest), self._skipped
        self._skipped = False
        return replace(seen, skipped=True) if skipped else seen

    def offer(self, moment: Moment) -> None:
        """The moment is next to be read; if too many wait, it is the only one."""
        if len(self._moments) >= self._most:
            self._moments.clear()
            self._skipped = True
        self._moments.append(moment)
        self._news.set()

    def end(self) -> None:
        """Nothing more comes."""
        self._ended = True
        self._news.set()
