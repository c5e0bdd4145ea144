"""What happens by itself: time limits, idle tables, old data, and going on after a restart."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial

from byzanz.tables.model import commands
from byzanz.tables.model.reasons import Declined
from byzanz.tables.model.table import Change, Stage, Table
from byzanz.tables.storage import guest_rows, table_rows
from byzanz.tables.storage.store import Store

from .environment import Sources
from .limits import Limits
from .live_tables import Hall

_LOG = logging.getLogger(__name__)


class Upkeep:
    """The house's own hands: it looks after the tables while nobody does."""

    def __init__(
        self,
        store: Store,
        hall: Hall,
        sources: Sources,
        limits: Limits,
        forget: Callable[[str], Awaitable[None]],
    ) -> None:
        self._store = store
        self._hall = hall
        self._clock = sources.clock
        self._limits = limits
        self._forget = forget

    async def run(self) -> None:
        """Goes on where the last process stopped, and then looks after the tables for ever."""
        await self._guarded(self.resume)
        swept = self._clock()
        while True:
            await asyncio.sleep(self._limits.tick_seconds)
            await self._guarded(self.tick)
            if self._clock() - swept >= self._limits.sweep_seconds:
                swept = self._clock()
                await self._guarded(self.sweep)

    async def resume(self) -> None:
        """Every table in play that waits for a bot is live, and every clock runs."""
        waiting = await self._store.run(table_rows.waiting_tables)
        self._hall.deadlines |= {
            table: deadline for table, deadline in waiting.items() if deadline is not None
        }
        for table in waiting:
            await self._change(table, lambda t: t)  # to be loaded is to be driven

    async def tick(self) -> None:
        """Bots stand in where time is up, and tables that nobody uses leave the memory."""
        now = self._clock()
        for table in [table for table, due in self._hall.deadlines.items() if due <= now]:
            await self._change(table, lambda t: commands.timed_out(t, self._limits.stand_in, now))
        self._hall.cool()

    async def sweep(self) -> None:
        """Idle tables have expired, and what is kept no longer is deleted."""
        now, limits = self._clock(), self._limits
        for stage, seconds in (
            (Stage.OPEN, limits.open_seconds),
            (Stage.PLAYING, limits.idle_seconds),
        ):
            before = now - seconds
            idle = partial(table_rows.idle_tables, stage=stage, before=before)
            for table in await self._store.run(idle):
                await self._change(table, partial(_expired, before=before, now=now))
        await self._store.run(
            partial(table_rows.drop_old, answers_before=now - limits.answer_seconds, now=now)
        )
        await self._drop(Stage.EXPIRED, now - limits.expired_seconds)
        if limits.finished_seconds is not None:
            await self._drop(Stage.FINISHED, now - limits.finished_seconds)
        unseen = partial(guest_rows.guests_unseen, before=now - limits.guest_seconds)
        for guest in await self._store.run(unseen):
            await self._guarded(partial(self._forget, guest))

    async def _drop(self, stage: Stage, before: float) -> None:
        """Tables of this stage that have not changed since then are deleted."""
        for table in await self._store.run(
            partial(table_rows.idle_tables, stage=stage, before=before)
        ):
            await self._guarded(partial(self._hall.drop, table))

    async def _change(self, table: str, command: Callable[[Table], Table]) -> None:
        try:
            await self._hall.change(table, lambda t: Change(command(t)))
        except Declined as gone:
            _LOG.info("a table is not to be looked after any more: %s", gone.reason)
        except Exception:  # noqa: BLE001 (the others must not suffer from one)
            _LOG.exception("a table was not looked after")

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """The work is done, or its failure is logged and it is tried again in its time."""
        try:
            await work()
        except Exception:  # noqa: BLE001 (it must never end)
            _LOG.exception("upkeep was not done")


def _expired(table: Table, before: float, now: float) -> Table:
    """The table expired, unless somebody came since it was found idle."""
    return commands.expired(table, now) if table.active < before else table
