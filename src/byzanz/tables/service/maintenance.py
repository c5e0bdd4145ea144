"""Maintenance: resumes games after a restart, expires idle tables and deletes old data.

Each process keeps its memory small. The data in the database is cleaned up by a background job.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from math import isfinite

from byzanz.tables.model import commands
from byzanz.tables.model.table import Stage, Table
from byzanz.tables.storage import archive, cluster_rows, deal_rows, guest_rows, table_rows
from byzanz.tables.storage.store import Store

from .background import attempt, attempt_change
from .clock import DecisionClock
from .clock_check import ClockCheck
from .environment import Environment
from .guests import GuestService
from .history import HistoryService
from .jobs import JobKind, Jobs
from .limits import Limits
from .live_tables import LiveTables
from .peers import Alone

_ARCHIVED = 2000
"""The maximum number of logs archived in one clean-up; the next clean-up continues."""
_HOUR = 3600.0
_BATCH = 20
"""The number of logs archived in one transaction."""


class Maintenance:
    """Maintenance of all tables and guests of a service, in memory and in the database."""

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        tables: LiveTables,
        guests: GuestService,
        history: HistoryService,
        clock: DecisionClock,
        *,
        environment: Environment,
        limits: Limits,
        jobs: Jobs,
    ) -> None:
        self._jobs = jobs
        self._store = store
        self._tables = tables
        self._guests = guests
        self._history = history
        self._clock = clock
        self._environment = environment
        self._time = environment.clock
        self._monotonic = environment.monotonic
        self._clock_check = ClockCheck(environment)
        self._limits = limits
        self.cleaning: list[Callable[[], Awaitable[None]]] = []
        """More functions that a clean-up calls."""
        jobs.define(JobKind.CLEAN_UP, lambda _: self.clean_up_if_plausible())

    async def run(self) -> None:
        """Resume all games, then clean up at regular intervals until cancelled."""
        if isinstance(self._tables.peers, Alone):  # otherwise tables are resumed with their leases
            await attempt(self.resume)
        await attempt(self.check_clock)
        if self._tables.peers.leads:
            await attempt(self._history.fill)
        cleaned = self._monotonic()
        while True:
            await asyncio.sleep(self._limits.clock_interval_seconds)
            self.evict()
            if self._monotonic() - cleaned >= self._limits.cleanup_interval_seconds:
                cleaned = self._monotonic()
                await attempt(self._add_clean_up)

    async def _add_clean_up(self) -> None:
        """Let one of the processes clean up, once in each interval."""
        seconds = self._limits.cleanup_interval_seconds
        add = partial(self._jobs.add_once, kind=JobKind.CLEAN_UP, seconds=seconds)
        await self._store.run(add)

    async def check_clock(self) -> None:
        """Compare the clock with the newest time in the database."""
        newest = await self._store.run(table_rows.newest)
        self._clock_check = ClockCheck(self._environment, newest)

    async def clean_up_if_plausible(self) -> None:
        """Clean up, unless the clock has jumped."""
        if self._clock_check.passes():
            await self.clean_up()

    async def resume(self) -> None:
        """Load every table that waits for a bot or has a deadline. Loading starts its bots."""
        waiting = await self._store.run(table_rows.waiting_tables)
        self._clock.add(
            {table: deadline for table, deadline in waiting.items() if deadline is not None}
        )
        for table in waiting:
            await attempt_change(self._tables, table, lambda found: found)

    def evict(self) -> None:
        """Remove from memory all tables that nobody has used for a while."""
        self._tables.evict()

    async def clean_up(self) -> None:
        """Expire idle tables, delete old data, and archive the logs of finished games."""
        now, limits = self._time(), self._limits
        for stage, seconds in (
            (Stage.OPEN, limits.open_table_seconds),
            (Stage.PLAYING, limits.idle_table_seconds),
        ):
            before = now - seconds
            for table in await self._idle_tables(stage, before):
                await attempt_change(
                    self._tables, table, partial(_expired_if_idle, before=before, now=now)
                )
        await self._store.run(
            partial(table_rows.drop_old, answers_before=now - limits.stored_answer_seconds, now=now)
        )
        await self._guests.sessions.drop_expired()
        await self._store.run(
            partial(deal_rows.drop_unused_deals, before=now - limits.expired_table_seconds)
        )
        await self._store.run(partial(cluster_rows.drop_old_presence, before=now - _HOUR))
        for stage in (Stage.EXPIRED, Stage.ENDED):
            await self._delete(stage, now - limits.expired_table_seconds)
        if isfinite(limits.finished_table_seconds):
            await self._delete(Stage.FINISHED, now - limits.finished_table_seconds)
        surplus = partial(archive.surplus_tables, most=limits.finished_tables_per_guest)
        for table in await self._store.run(surplus):
            await attempt(partial(self._tables.delete, table))
        await self._archive()
        unseen = partial(guest_rows.guests_unseen, before=now - limits.inactive_guest_seconds)
        for guest in await self._store.run(unseen):
            await attempt(partial(self._guests.forget, guest))
        for work in self.cleaning:
            await attempt(work)

    async def _archive(self) -> None:
        """Archive the logs of finished games, in small transactions so that nobody waits long."""
        for _ in range(_ARCHIVED // _BATCH):
            if not await self._store.run(partial(archive.archive_finished, most=_BATCH)):
                return

    async def _idle_tables(self, stage: Stage, before: float) -> tuple[str, ...]:
        return await self._store.run(partial(table_rows.idle_tables, stage=stage, before=before))

    async def _delete(self, stage: Stage, before: float) -> None:
        """Delete the tables of this stage that have not changed since this time."""
        for table in await self._idle_tables(stage, before):
            await attempt(partial(self._tables.delete, table))


def _expired_if_idle(table: Table, before: float, now: float) -> Table:
    """Expire the table, unless somebody has used it in the meantime."""
    return commands.expire(table, now) if table.active < before else table
