"""Notifications: who is told what about a table, when, and where.

Notices follow from the tables themselves, so a killed server finds them again when it starts.
A notice waits for the grace time in memory. Then it is stored, sent, and marked as sent. If the
server is killed in between, the notice is sent once more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from enum import Enum
from functools import partial
from math import inf
from typing import NamedTuple

from byzanz.tables.model.notices import Notice, NoticeKind, notices
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.targets import Channel, Target
from byzanz.tables.model.view import TableView
from byzanz.tables.storage import notification_rows as rows
from byzanz.tables.storage.notification_rows import DueNotice
from byzanz.tables.storage.store import Conflict, Store

from .background import attempt
from .environment import Environment
from .limits import Limits
from .live_tables import LiveTables
from .subscriptions import LiveTable

_LOG = logging.getLogger(__name__)

_UNCONFIRMED_SECONDS = 2 * 24 * 3600.0
"""How long an address that nobody confirms is kept."""


class Notification(NamedTuple):
    """A notice for one target, with everything that its text may contain."""

    target: Target
    language: str
    kind: NoticeKind
    table_view: TableView
    """The table as the guest may see it."""


class Sent(Enum):
    """What became of a notification."""

    DONE = "done"
    """The push service or the mail server has accepted it, or will never accept it."""
    FAILED = "failed"
    """It can be sent again later."""
    GONE = "gone"
    """The target no longer exists and is deleted."""


Sender = Callable[[Notification], Awaitable[Sent]]
"""Sends a notification."""


class NotificationService:
    """The notifications of a service. Methods raise Declined if they refuse."""

    def __init__(
        self, store: Store, tables: LiveTables, environment: Environment, limits: Limits
    ) -> None:
        self._store = store
        self._tables = tables
        self._environment = environment
        self._clock = environment.clock
        self._limits = limits
        self._send: Sender | None = None
        self._waiting: dict[str, dict[tuple[str, NoticeKind], tuple[int, float]]] = {}
        """For each table: what its guests may be told, the occasion, and when it is due."""
        self._next = 0.0
        """The time at which the next stored notice is due."""
        self._cleaned = 0.0
        self._started = asyncio.Event()

    async def targets(self, guest: str) -> tuple[Target, ...]:
        """Return the guest's browsers and e-mail address."""
        return await self._store.run(partial(rows.targets_of, guest=guest))

    async def add(
        self,
        guest: str,
        channel: Channel,
        address: str,
        keys: tuple[str, str] | None = None,
        kinds: Iterable[NoticeKind] = tuple(NoticeKind),
    ) -> Target:
        """Add a browser or an e-mail address. Only the latter must be confirmed."""
        target = Target(
            id=self._environment.ids(),
            guest=guest,
            channel=channel,
            address=address,
            keys=keys,
            kinds=_in_order(kinds),
            confirmed=channel is Channel.PUSH,
            created=self._clock(),
        )
        most = self._limits.notification_targets_per_guest
        added = await self._store.run(partial(rows.add_target, target=target, most=most))
        if added is None:
            raise Declined(TableReason.TOO_MANY_TARGETS, most=most)
        return added

    async def confirm(self, target: str) -> Target:
        """Store that the guest can read what is sent to the address."""
        found = await self._store.run(partial(rows.confirm_target, target=target))
        if found is None:
            raise Declined(TableReason.BAD_LINK)
        return found

    async def choose(self, guest: str, target: str, kinds: Iterable[NoticeKind]) -> Target:
        """Change which kinds of notices one of the guest's targets gets."""
        await self.require(guest, target)
        chosen = _in_order(kinds)
        await self._store.run(partial(rows.choose_kinds, target=target, kinds=chosen))
        return await self.require(guest, target)

    async def require(self, guest: str, target: str) -> Target:
        """Return one of the guest's targets."""
        for each in await self.targets(guest):
            if each.id == target:
                return each
        raise Declined(TableReason.NO_SUCH_TARGET)

    async def remove(self, guest: str, target: str) -> None:
        """Delete one of the guest's targets."""
        await self.require(guest, target)
        await self.stop(target)

    async def stop(self, target: str) -> None:
        """Delete a target, whoever its guest is; do nothing if it is gone."""
        await self._store.run(partial(rows.drop_target, target=target))

    def start(self, send: Sender) -> None:
        """Watch all tables from now on, and send notifications by this function."""
        self._send = send
        self._tables.listeners.append(self._watch)
        self._started.set()

    async def run(self) -> None:
        """Wait for the start, find the notices that are due, and send them until cancelled."""
        await self._started.wait()
        await attempt(self.resume)
        while True:
            await asyncio.sleep(self._limits.clock_interval_seconds)
            await attempt(self.tick)

    async def resume(self) -> None:
        """Watch the unfinished tables of all guests who get notifications."""
        for table in await self._store.run(rows.tables_with_targets):
            await attempt(partial(self._load, table))

    async def tick(self) -> None:
        """Store what has become due, and send it."""
        now = self._clock()
        for table, waiting in list(self._waiting.items()):
            if any(due <= now for _, due in waiting.values()):
                await self._queue(table, now)
        if self._next <= now:
            await self._send_all(now)
        if self._cleaned <= now - self._limits.cleanup_interval_seconds:
            self._cleaned = now
            before = now - _UNCONFIRMED_SECONDS
            await self._store.run(partial(rows.drop_unconfirmed, before=before))
            if self._tables.peers.shared and self._tables.peers.leads:
                await self.resume()  # what a process that was killed would have told

    async def _load(self, table: str) -> None:
        async with self._tables.use(table) as live:
            self._watch(live)

    def _watch(self, live: LiveTable) -> None:
        """Note the notices about a table that was loaded or has changed."""
        before = self._waiting.pop(live.id, {})
        due = self._clock() + self._limits.notification_grace_seconds
        now = {}
        for guest, kind, occasion in self._notices(live):
            known = before.get((guest, kind))
            now[guest, kind] = known if known and known[0] == occasion else (occasion, due)
        if now:
            self._waiting[live.id] = now

    def _notices(self, live: LiveTable) -> tuple[Notice, ...]:
        return notices(live.table, self._limits.notification_least_seconds)

    async def _queue(self, table: str, now: float) -> None:
        """Store the notices about a table that are due. Whoever is present is told later."""
        try:
            present = await self._present(table)
        except Declined:  # it was deleted
            self._waiting.pop(table, None)
            return
        later = now + max(self._limits.notification_grace_seconds, 1.0)
        for (guest, kind), (occasion, due) in list(self._waiting.get(table, {}).items()):
            if due > now:
                continue
            notice = Notice(guest, kind, occasion)
            if guest in present:
                self._postpone(table, notice, later)
                continue
            self._postpone(table, notice, inf)
            job = partial(rows.queue_notice, notice=notice, table=table, now=now)
            try:
                if await self._store.run(job):
                    self._next = now
            except Conflict:
                continue  # another process has just queued it

    def _postpone(self, table: str, notice: Notice, due: float) -> None:
        """Change when the notice is due, unless the table has gone on."""
        waiting, key = self._waiting.get(table, {}), (notice.guest, notice.kind)
        if key in waiting and waiting[key][0] == notice.occasion:
            waiting[key] = notice.occasion, due

    async def _present(self, table: str) -> frozenset[str]:
        """Return who has the table open, or the one that it is a rematch of."""
        async with self._tables.use(table) as live:
            live.refresh_presence(self._clock())
            present, follows = live.present, live.table.follows
        if follows is not None:
            try:
                async with self._tables.use(follows) as earlier:
                    return present | earlier.present
            except Declined:  # it was deleted
                pass
        return present

    async def _send_all(self, now: float) -> None:
        """Send all stored notices that are due."""
        while due := await self._store.run(partial(rows.claim_notices, now=now)):
            await asyncio.gather(*map(self._send_one, due))
        following = await self._store.run(rows.next_due)
        self._next = inf if following is None else following

    async def _send_one(self, due: DueNotice) -> None:
        try:
            sent = await self._sent(due)
        except Exception as error:  # noqa: BLE001 (others must get theirs)
            # The message of the error may hold an address.
            _LOG.warning("a notification failed: %s", type(error).__name__)
            sent = Sent.FAILED
        if sent is Sent.GONE:
            await self.stop(due.target.id)
        elif sent is Sent.DONE:
            await self._store.run(partial(rows.finish_notice, due=due))

    async def _sent(self, due: DueNotice) -> Sent:
        """Send the notice, unless the table has gone on or the guest has come."""
        guest = due.target.guest
        try:
            async with self._tables.use(due.table) as live:
                told = Notice(guest, due.kind, due.occasion)
                if told not in self._notices(live):
                    return Sent.DONE
                table_view = live.snapshot.view(guest)
            present = await self._present(due.table)
        except Declined:  # the table was deleted
            return Sent.DONE
        if guest in present or self._send is None:
            return Sent.DONE
        return await self._send(Notification(due.target, due.language, due.kind, table_view))


def _in_order(kinds: Iterable[NoticeKind]) -> tuple[NoticeKind, ...]:
    chosen = set(kinds)
    return tuple(kind for kind in NoticeKind if kind in chosen)
