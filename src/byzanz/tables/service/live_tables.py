"""The hall: the tables that are held in memory, and the one way to change them.

A command is judged on the table in memory, stored, and only then shown. If another process wrote
first, the table is loaded anew and the command is judged again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection

from byzanz.rules import Illegal
from byzanz.tables.model import commands
from byzanz.tables.model.answers import Request, accepted, refused
from byzanz.tables.model.reasons import Declined, TableReason
from byzanz.tables.model.table import Change, Table
from byzanz.tables.storage import table_rows
from byzanz.tables.storage.store import Conflict, Store

from .environment import Sources
from .limits import Limits
from .subscriptions import Live, Moment, Watch

_T = TypeVar("_T")

Command = Callable[[Table], Change]
"""Judges the table as it is; raises Declined or Illegal."""

NUL = "\0"
"""What no text in a database may hold."""
_LONGEST_ID = 64


class Hall:
    """The live tables of one process."""

    def __init__(self, store: Store, sources: Sources, limits: Limits) -> None:
        self._store = store
        self._clock = sources.clock
        self._limits = limits
        self._lives: dict[str, Live] = {}
        self._work: set[asyncio.Task[Any]] = set()
        self._watches: dict[Watch, Live] = {}
        self.deadlines: dict[str, float] = {}
        """When the time is up, of every table in play that has a clock."""
        self.changed: Callable[[Live], None] = lambda _: None
        """Told of every live table that was loaded or has changed."""

    @asynccontextmanager
    async def use(self, table: str) -> AsyncIterator[Live]:
        """The live table, in memory while the context lasts; raises Declined if there is none."""
        live = await self._acquire(table)
        try:
            yield live
        finally:
            self._release(live)

    async def change(self, table: str, command: Command) -> Table:
        """The table after the command, stored and shown; raises what the command raises."""
        return await self._undisturbed(self._change(table, command))

    async def answer(self, table: str, request: Request, command: Command) -> tuple[str, Moment]:
        """The outcome of the request, the same if it was made before, and the table as it is."""
        return await self._undisturbed(self._answer(table, request, command))

    async def drop(self, table: str) -> None:
        """The table is deleted, unless somebody has it open."""
        if table in self._lives and self._lives[table].users:
            return
        self._lives.pop(table, None)
        await self._store.run(partial(table_rows.drop_table, table=table))

    def watch(self, table: str, guest: str | None) -> Watch:
        """A subscription to the table as the guest may see it."""
        return Watch(self, table, guest, self._limits.sights_waiting)

    async def enter(self, watch: Watch) -> None:
        """The watch is open; an owner who opens it is back."""
        live = await self._acquire(watch.table)
        try:
            if live.table.seat_of(watch.guest) is not None:
                await self.change(
                    watch.table, lambda t: Change(commands.returned(t, watch.guest, self._clock()))
                )
        except BaseException:
            self._release(live)
            raise
        self._watches[watch] = live
        live.arrive(watch.guest)
        live.behold(watch)

    def leave(self, watch: Watch) -> None:
        """The watch is closed; its guest is still present for a moment, as who reloads a page."""
        live = self._watches.pop(watch)
        live.watches.discard(watch)

        def gone() -> None:
            live.depart(watch.guest)
            self._release(live)

        if self._limits.grace_seconds:
            asyncio.get_running_loop().call_later(self._limits.grace_seconds, gone)
        else:
            gone()

    def cool(self) -> None:
        """Tables that nobody has used for a while are held in memory no more."""
        now = self._clock()
        unused = [live for live in self._lives.values() if not live.users]
        unused.sort(key=lambda live: live.used)
        surplus = len(self._lives) - self._limits.live_tables
        for place, live in enumerate(unused):
            if place < surplus or now - live.used >= self._limits.cool_seconds:
                del self._lives[live.name]

    @property
    def held(self) -> int:
        """How many tables are held in memory."""
        return len(self._lives)

    @property
    def watched(self) -> int:
        """How many watches are open."""
        return len(self._watches)

    async def close(self) -> None:
        """What was begun is stored, and every watch has ended."""
        while self._work:
            await asyncio.wait(self._work)
        for watch in self._watches:
            watch.end()

    async def _acquire(self, table: str) -> Live:
        if len(table) > _LONGEST_ID or NUL in table:
            raise Declined(TableReason.NO_SUCH_TABLE)
        live = self._lives.get(table) or self._lives.setdefault(table, Live(table))
        live.users += 1
        try:
            if live.doubtful:
                async with live.lock:
                    await self._fresh(live)
        except BaseException:
            self._release(live)
            raise
        return live

    def _release(self, live: Live) -> None:
        live.users -= 1
        live.used = self._clock()
        if live.moment is None and not live.users:
            self._lives.pop(live.name, None)

    async def _undisturbed(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What the work gives; it goes on if whoever waits for it goes away."""
        task = asyncio.create_task(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)
        return await asyncio.shield(task)

    async def _change(self, table: str, command: Command) -> Table:
        async with self.use(table) as live, live.lock:
            while True:
                before = await self._fresh(live)
                change = command(before)
                if change.table is before:
                    return before
                try:
                    await self._stored(live, partial(table_rows.save, before=before, change=change))
                except Conflict:
                    continue
                self._show(live, change.table)
                return change.table

    async def _answer(self, table: str, request: Request, command: Command) -> tuple[str, Moment]:
        async with self.use(table) as live, live.lock:
            while True:
                before = await self._fresh(live)
                try:
                    change = command(before)
                    outcome = accepted(change.table.version)
                except (Declined, Illegal) as error:
                    change, outcome = Change(before), refused(error)
                settling = partial(
                    table_rows.settle,
                    before=before,
                    change=change,
                    request=request,
                    outcome=outcome,
                )
                try:
                    earlier = await self._stored(live, settling)
                except Conflict:
                    continue
                if earlier is None:
                    if change.table is not before:
                        self._show(live, change.table)
                    return outcome, live.now
                digest, outcome = earlier
                if digest != request.digest:
                    outcome = refused(Declined(TableReason.KEY_REUSED))
                return outcome, live.now

    async def _stored(self, live: Live, job: Callable[[Connection], _T]) -> _T:
        """What the job gives; if it fails, the table in memory is in doubt."""
        try:
            return await self._store.run(job)
        except BaseException:
            live.doubtful = True
            raise

    async def _fresh(self, live: Live) -> Table:
        """The table as it is, loaded anew if in doubt; the lock is held."""
        if live.doubtful:
            await self._load(live)
        return live.table

    async def _load(self, live: Live) -> None:
        table = await self._store.run(partial(table_rows.load_table, table=live.name))
        if table is None:
            raise Declined(TableReason.NO_SUCH_TABLE)
        live.doubtful = False
        if live.moment is None or live.table.version != table.version:
            self._show(live, table)

    def _show(self, live: Live, table: Table) -> None:
        live.show(table)
        if table.deadline is None:
            self.deadlines.pop(table.id, None)
        else:
            self.deadlines[table.id] = table.deadline
        self.changed(live)
