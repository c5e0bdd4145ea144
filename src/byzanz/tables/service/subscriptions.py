"""Live tables and the subscriptions to them."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from math import inf
from typing import Protocol, Self

import msgspec

from byzanz.tables.model.abandonment import gone_seats
from byzanz.tables.model.table import Stage, Table
from byzanz.tables.model.view import NOBODY, Audience, TableView, table_view
from byzanz.tables.storage.cluster_rows import Attendance

_NAMED_WATCHERS = 20
"""The maximum number of names in the list of watchers."""
_FEWEST_VOTERS = 2
"""The minimum number of people at a table whose game can be abandoned."""


class Snapshot:
    """A table at one version, and who is present, who watches and who has abandoned the game.

    The view of each seat is made only once.
    """

    __slots__ = ("_views", "audience", "gone", "present", "table")

    def __init__(
        self,
        table: Table,
        present: frozenset[str],
        audience: Audience = NOBODY,
        gone: frozenset[int] = frozenset(),
    ) -> None:
        self.table = table
        self.present = present
        self.audience = audience
        self.gone = gone
        self._views: dict[int | None, TableView] = {}

    def view(self, guest: str | None) -> TableView:
        """Return what the guest may see; for None, what a spectator may see."""
        seat = self.table.seat_of(guest)
        if seat not in self._views:
            self._views[seat] = table_view(self.table, seat, self.present, self.audience, self.gone)
        return self._views[seat]


class LiveTable:
    """A table held in memory, with its subscriptions. It can be evicted if it has no users."""

    def __init__(
        self,
        id_: str,
        polling_seconds: float = 0,
        abandoned_seconds: float = inf,
        now: float = 0,
        name_of: Callable[[str], str | None] = lambda _: None,
    ) -> None:
        self.id = id_
        self._polling_seconds = polling_seconds
        self._abandoned_seconds = abandoned_seconds
        self._since = now
        """The time since which requests have been noted here."""
        self._name_of = name_of
        self._strangers = 0
        """The number of subscriptions of people who are not guests."""
        self.stale = True
        """Whether the table must be loaded before it is used."""
        self._stored = 0.0
        """The newest revision that another process is known to have stored."""
        self.lock = asyncio.Lock()
        """Held while a command is executed and stored."""
        self.users = 0
        self.last_used = 0.0
        self.subscriptions: set[Subscription] = set()
        self._snapshot: Snapshot | None = None
        self._connections: Counter[str] = Counter()
        """The number of subscriptions of each guest, including those just closed."""
        self._requests: dict[str, float] = {}
        """The time at which each player last asked for the table or closed it."""
        self._polling: frozenset[str] = frozenset()
        """The players without a subscription who have recently asked for the table."""
        self._remote: dict[str, Attendance] = {}
        """The players who are present in other processes, or were."""
        self._present_elsewhere: frozenset[str] = frozenset()
        self.stored_attendance: dict[str, Attendance] = {}
        """The players who are stored as present in this process."""

    def note_stored(self, revision: float) -> None:
        """Note that another process has stored a revision; an older one must be loaded again."""
        self._stored = max(self._stored, revision)
        self.stale = self.stale or self.table.revision < self._stored

    def note_loaded(self, revision: int) -> None:
        """Note that a revision was loaded; a newer one may have been stored in the meantime."""
        self.stale = revision < self._stored

    @property
    def loaded(self) -> bool:
        """Whether the table has been loaded at least once."""
        return self._snapshot is not None

    @property
    def snapshot(self) -> Snapshot:
        """The newest snapshot."""
        if self._snapshot is None:
            raise RuntimeError("the table is not loaded")
        return self._snapshot

    @property
    def table(self) -> Table:
        """The newest version of the table."""
        return self.snapshot.table

    @property
    def present(self) -> frozenset[str]:
        """The guests who have the table open, and the players who poll it."""
        return self._polling.union(self._connections, self._present_elsewhere)

    @property
    def attendance(self) -> dict[str, Attendance]:
        """The players who are present in this process, or were."""
        players = {*self._connections, *self._requests}
        return {
            guest: Attendance(guest in self._connections, self._requests.get(guest, 0.0))
            for guest in players
            if self.table.seat_of(guest) is not None
        }

    def set_remote(self, remote: dict[str, Attendance], now: float) -> None:
        """Note who is present in other processes, and publish who is present if that changed."""
        if remote != self._remote:
            self._remote = remote
            self.refresh_presence(now)

    def attended(self, since: float) -> bool:
        """Return whether a guest has the table open, or a player has used it since this time."""
        return bool(self.present_since(since))

    def present_since(self, since: float) -> frozenset[str]:
        """Return the guests who have the table open, and players who have used it since then."""
        recent = (guest for guest, at in self._requests.items() if at > since)
        return frozenset(self._connections).union(recent, self._elsewhere_since(since))

    def _elsewhere_since(self, since: float) -> frozenset[str]:
        """Return the players who are connected to other processes, or used one of them since."""
        remote = self._remote.items()
        return frozenset(guest for guest, (open_, at) in remote if open_ or at > since)

    def gone_seats(self, table: Table, now: float) -> frozenset[int]:
        """Return the seats of people who have abandoned the game."""
        guests = {chair.guest for chair in table.chairs if chair.guest is not None}
        if len(guests) < _FEWEST_VOTERS:
            return frozenset()
        before = now - self._abandoned_seconds
        quiet = {
            guest
            for guest in guests.difference(self._connections, self._elsewhere_since(before))
            if max(self._requests.get(guest, self._since), self._since) <= before
        }
        present = self.present_since(now - self._polling_seconds)
        return gone_seats(table, present=present, quiet=quiet, overdue=table.active <= before)

    def note_request(self, guest: str | None, now: float) -> None:
        """Store the time of a guest's request or action, if the guest has a seat."""
        if guest is not None and self.table.seat_of(guest) is not None:
            self._requests[guest] = now
            if self._polling_seconds and guest not in self._connections:
                self._polling |= {guest}

    def refresh_presence(self, now: float) -> None:
        """Publish who is present, if that has changed.

        A player who has stopped polling is no longer present.
        """
        since = now - self._polling_seconds
        self._polling = frozenset(
            guest for guest in self._polling if self._requests.get(guest, since) > since
        )
        self._present_elsewhere = self._elsewhere_since(since)
        if self._snapshot is not None and self._shown(self.present) != self._shown(
            self._snapshot.present
        ):
            self.publish(self.table, now=now)

    def refresh_audience(self, now: float) -> None:
        """Publish who watches and who has abandoned the game, if that has changed.

        This happens at intervals and not at once, so that nobody can make the table send views to
        everybody by opening and closing it.
        """
        if self._snapshot is None or not self.subscriptions:
            return
        audience, gone = self._audience(), self.gone_seats(self.table, now)
        if (audience, gone) != (self._snapshot.audience, self._snapshot.gone):
            self._snapshot = Snapshot(self.table, self.present, audience, gone)
        for subscription in self.subscriptions:
            if subscription.audience != audience or subscription.gone != gone:
                subscription.push(self._snapshot)

    def add(self, subscription: Subscription, now: float) -> None:
        """Send the newest snapshot, and all later ones, to the subscription.

        Spectators are counted at the next refresh, but the first reader is counted at once.
        """
        self.subscriptions.add(subscription)
        if len(self.subscriptions) == 1 and self._audience() != self.snapshot.audience:
            gone = self.gone_seats(self.table, now)
            self._snapshot = Snapshot(self.table, self.present, self._audience(), gone)
        subscription.push(self.snapshot)

    def publish(self, table: Table, only: str | None = None, *, now: float) -> None:
        """Make this the newest version and send it to all subscriptions, or only to one guest's."""
        gone = self.gone_seats(table, now)
        self._snapshot = Snapshot(table, self.present, self._audience(table), gone)
        for subscription in self.subscriptions:
            if only is None or subscription.guest == only:
                subscription.push(self._snapshot)

    def publish_changed(self, table: Table, now: float) -> None:
        """Make this the newest version and send it to those whose view has changed.

        So the others do not notice a change that only one guest may learn of.
        """
        before = self.snapshot
        gone = self.gone_seats(table, now)
        self._snapshot = Snapshot(table, self.present, self._audience(table), gone)
        for subscription in self.subscriptions:
            guest = subscription.guest
            if self._snapshot.view(guest) != before.view(guest):
                subscription.push(self._snapshot)

    def connect(self, guest: str | None, now: float) -> None:
        """Count one more connection of the guest."""
        if guest is None:
            self._strangers += 1
        else:
            self._connections[guest] += 1
            self._polling -= {guest}
            self.refresh_presence(now)

    def disconnect(self, guest: str | None, now: float) -> None:
        """Stop counting one connection of the guest."""
        if guest is None:
            self._strangers -= 1
        else:
            self.note_request(guest, now)
            self._connections[guest] -= 1
            self._connections += Counter()  # drops zeros
            self.refresh_presence(now)

    def _audience(self, table: Table | None = None) -> Audience:
        """Return who has the table open and has no seat."""
        table = table or self.table
        guests = [guest for guest in self._connections if table.seat_of(guest) is None]
        size = len(guests) + self._strangers
        names = sorted(name for name in map(self._name_of, guests) if name)
        shown: tuple[str | None, ...] = (*names, *[None] * (size - len(names)))
        return Audience(size, shown[:_NAMED_WATCHERS])

    def _shown(self, guests: frozenset[str]) -> frozenset[str]:
        """Return those of the guests who have a seat."""
        return frozenset(guest for guest in guests if self.table.seat_of(guest) is not None)


class Publisher(Protocol):
    """The owner of live tables, which opens and closes subscriptions."""

    async def open_subscription(self, subscription: Subscription) -> None:
        """Start sending views; raises Declined if the guest may not see the table."""

    def close_subscription(self, subscription: Subscription) -> None:
        """Stop sending views."""


class Subscription:
    """An asynchronous iterator over the views of a table: the current one, then each new one.

    Use it as ``async with service.subscribe(table, guest) as views: async for view in views: ...``.
    A reader that falls too far behind skips to the newest view. The iterator ends when the table
    expires or is deleted, or when the service closes.
    """

    def __init__(
        self, publisher: Publisher, table: str, guest: str | None, max_queued: int
    ) -> None:
        self.table = table
        self.guest = guest
        self._publisher = publisher
        self._max_queued = max_queued
        self._queue: deque[Snapshot] = deque()
        self._skipped = False
        self._ended = False
        self._wakeup = asyncio.Event()
        self.audience = NOBODY
        """Who watches, as this reader knows it."""
        self.gone: frozenset[int] = frozenset()
        """Who has abandoned the game, as this reader knows it."""

    async def __aenter__(self) -> Self:
        await self._publisher.open_subscription(self)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._publisher.close_subscription(self)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> TableView:
        while not self._queue:
            if self._ended:
                raise StopAsyncIteration
            self._wakeup.clear()
            await self._wakeup.wait()
        snapshot = self._queue.popleft()
        if snapshot.table.stage is Stage.EXPIRED:
            self._ended = True
        view, skipped = snapshot.view(self.guest), self._skipped
        self._skipped = False
        return msgspec.structs.replace(view, skipped=True) if skipped else view

    def push(self, snapshot: Snapshot) -> None:
        """Queue the snapshot; if the queue is full, drop all older snapshots."""
        if len(self._queue) >= self._max_queued:
            self._queue.clear()
            self._skipped = True
        self._queue.append(snapshot)
        self.audience, self.gone = snapshot.audience, snapshot.gone
        self._wakeup.set()

    def end(self) -> None:
        """End the iterator once the queue is empty."""
        self._ended = True
        self._wakeup.set()
