"""Notifications: who is told what about a table, when, and where.

Notices follow from the tables themselves, so a server that was killed finds them again when it
restarts. A notice waits in memory for the grace time. Then it is stored together with a background
job, which sends it and marks it as sent. No two jobs send the same notice. If the process is killed
between sending and marking, the notice is sent once more.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from functools import partial
from itertools import product
from math import inf
from typing import NamedTuple

from sqlalchemy import Connection

from byzanz.tables.model.notices import Notice, NoticeKind, notices
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.sessions import Session, SessionKind
from byzanz.tables.model.targets import Channel, Target
from byzanz.tables.model.view import TableView
from byzanz.tables.storage import notification_rows as rows
from byzanz.tables.storage.notification_rows import DueNotice
from byzanz.tables.storage.store import Conflict, Store

from .background import attempt
from .environment import Environment
from .jobs import JobKind, Jobs
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
    """The push service or the mail server has accepted it."""
    FAILED = "failed"
    """It can be sent again later."""
    DROPPED = "dropped"
    """It is refused for good, or its target gets too many notifications. It is not sent again."""
    GONE = "gone"
    """The target no longer exists and is deleted."""


Sender = Callable[[Notification], Awaitable[Sent]]
"""Sends a notification."""

_RESULTS = {
    Sent.DONE: "sent",
    Sent.FAILED: "failed",
    Sent.DROPPED: "dropped",
    Sent.GONE: "dropped",
}
"""The result in ``counts`` for each outcome."""


class NotificationService:
    """The notifications of a service. Methods raise Declined if they refuse."""

    def __init__(
        self, store: Store, tables: LiveTables, environment: Environment, limits: Limits, jobs: Jobs
    ) -> None:
        self._store = store
        self._jobs = jobs
        self._tables = tables
        self._environment = environment
        self._clock = environment.clock
        self._limits = limits
        self._send: Sender | None = None
        self.watches = True
        """False in a process that only sends what other processes have stored."""
        self._waiting: dict[str, dict[tuple[str, NoticeKind], tuple[int, float]]] = {}
        """For each table: what its guests may be told, the occasion, and when it is due."""
        self._cleaned = 0.0
        self._started = asyncio.Event()
        jobs.define(JobKind.NOTIFY, lambda _: self._send_all())
        labels: Iterable[tuple[str, str, str]] = product(
            NoticeKind, Channel, set(_RESULTS.values())
        )
        self.counts = dict.fromkeys(labels, 0)
        """The number of attempts by kind, channel and result: ``sent``, ``failed``, ``dropped``."""

    async def targets(self, guest: str) -> tuple[Target, ...]:
        """Return the guest's browsers and e-mail address."""
        return await self._store.run(partial(rows.targets_of, guest=guest))

    async def add_browser(
        self,
        guest: str,
        endpoint: str,
        keys: tuple[str, str],
        kinds: Iterable[NoticeKind] = tuple(NoticeKind),
        session: Session | None = None,
    ) -> Target:
        """Add a browser. It is removed when the session of its device ends."""
        target = self._target(guest, Channel.PUSH, endpoint, kinds)
        digest = session.digest if session and session.kind is SessionKind.DEVICE else None
        return await self._add(replace(target, keys=keys, confirmed=True, session=digest))

    async def add_email(
        self, guest: str, address: str, kinds: Iterable[NoticeKind] = tuple(NoticeKind)
    ) -> Target:
        """Add an e-mail address, which the guest must confirm."""
        return await self._add(self._target(guest, Channel.EMAIL, address, kinds))

    def _target(
        self, guest: str, channel: Channel, address: str, kinds: Iterable[NoticeKind]
    ) -> Target:
        id_, now = self._environment.ids(), self._clock()
        return Target(id_, guest, channel, address, None, _in_order(kinds), False, now)

    async def _add(self, target: Target) -> Target:
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
        """Watch all tables from now on, and send notifications with this function."""
        self._send = send
        if self.watches:
            self._tables.listeners.append(self._watch)
        self._started.set()

    async def run(self) -> None:
        """Wait until :meth:`start` is called. Then look for due notices until cancelled.

        This happens at regular intervals. Background jobs send the notices.
        """
        await self._started.wait()
        await attempt(self.resume)
        while True:
            await asyncio.sleep(self._limits.clock_interval_seconds)
            await attempt(self.tick)

    async def resume(self) -> None:
        """Watch the unfinished tables of guests who get notifications; send stored notices."""
        await self._store.run(self._add_next)
        for table in await self._store.run(rows.tables_with_targets):
            await attempt(partial(self._load, table))

    async def tick(self) -> None:
        """Store the notices that have become due, with a job that sends them."""
        now = self._clock()
        for table, waiting in list(self._waiting.items()):
            if any(due <= now for _, due in waiting.values()):
                await self._queue(table, now)
        if self._cleaned <= now - self._limits.cleanup_interval_seconds:
            self._cleaned = now
            if self._tables.peers.shared and self._tables.peers.leads:
                await self.resume()  # for notices that a killed process would have sent

    async def clean_up(self) -> None:
        """Delete the addresses that nobody confirms."""
        before = self._clock() - _UNCONFIRMED_SECONDS
        await self._store.run(partial(rows.drop_unconfirmed, before=before))

    async def _load(self, table: str) -> None:
        async with self._tables.use(table) as live:
            self._watch(live)

    def _watch(self, live: LiveTable) -> None:
        """Update the waiting notices about a table that was loaded or has changed."""
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
        """Store the due notices about a table. Guests who are present are told later."""
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
            with suppress(Conflict):  # another process has just queued it
                await self._store.run(partial(self._store_notice, notice=notice, table=table))

    def _store_notice(self, connection: Connection, notice: Notice, table: str) -> None:
        if rows.queue_notice(connection, notice, table, self._clock()):
            self._jobs.add(connection, JobKind.NOTIFY)

    def _postpone(self, table: str, notice: Notice, due: float) -> None:
        """Change when the notice is due, unless it has been replaced by a newer one."""
        waiting, key = self._waiting.get(table, {}), (notice.guest, notice.kind)
        if key in waiting and waiting[key][0] == notice.occasion:
            waiting[key] = notice.occasion, due

    async def _present(self, table: str) -> frozenset[str]:
        """Return who has the table open, or the table that it is a rematch of."""
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

    async def _send_all(self) -> None:
        """Send all stored notices that are due, and add a job for the next one."""
        while due := await self._store.run(partial(rows.claim_notices, now=self._clock())):
            await asyncio.gather(*map(self._send_one, due))
        await self._store.run(self._add_next)

    def _add_next(self, connection: Connection) -> None:
        """Add a job for the next stored notice that is due."""
        due = rows.next_due(connection)
        if due is not None:
            self._jobs.add(connection, JobKind.NOTIFY, f"due at {due:.0f}", due)

    async def _send_one(self, due: DueNotice) -> None:
        try:
            sent = await self._sent(due)
        except Exception as error:  # noqa: BLE001 (others must get theirs)
            # The message of the error may hold an address.
            _LOG.warning("a notification failed: %s", type(error).__name__)
            sent = Sent.FAILED
        if sent is Sent.FAILED and due.last:
            sent = Sent.DROPPED
        if sent is not None:
            self.counts[due.kind, due.target.channel, _RESULTS[sent]] += 1
        if sent is Sent.GONE:
            await self.stop(due.target.id)
        elif sent is not Sent.FAILED:
            await self._store.run(partial(rows.finish_notice, due=due))

    async def _sent(self, due: DueNotice) -> Sent | None:
        """Send the notice; return None if it is out of date or the guest is present."""
        guest = due.target.guest
        try:
            async with self._tables.use(due.table) as live:
                told = Notice(guest, due.kind, due.occasion)
                if told not in self._notices(live):
                    return None
                table_view = live.snapshot.view(guest)
            present = await self._present(due.table)
        except Declined:  # the table was deleted
            return None
        if guest in present or self._send is None:
            return None
        return await self._send(Notification(due.target, due.language, due.kind, table_view))


def _in_order(kinds: Iterable[NoticeKind]) -> tuple[NoticeKind, ...]:
    chosen = set(kinds)
    return tuple(kind for kind in NoticeKind if kind in chosen)
