"""The cache of live tables, which executes all commands.

A command is executed on the table in memory, then stored, then published. If another process wrote
to the database first, the table is loaded again and the command is executed again. If other
processes serve the same database, they are told of each change, and load the table again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial
from math import inf
from typing import Any, TypeVar

from sqlalchemy import Connection

from byzanz.rules import Illegal
from byzanz.tables.model import commands
from byzanz.tables.model.answers import Answer, Outcome, Request, UndoRequest, answer, read_outcome
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Change, Stage, Table
from byzanz.tables.model.undo import undo
from byzanz.tables.storage import admission_rows, cluster_rows, deal_rows, table_rows
from byzanz.tables.storage.catching_up import catch_up
from byzanz.tables.storage.store import Conflict, Store

from .environment import Environment
from .limits import Limits
from .peers import Alone, Peers
from .subscriptions import LiveTable, Subscription

_T = TypeVar("_T")

Command = Callable[[Table], Change]
"""Returns the change that it makes to a table; raises Declined or Illegal."""

NUL = "\0"
"""The character that no text in a database may contain."""
_MAX_ID_LENGTH = 64


class LiveTables:
    """The live tables of one process."""

    def __init__(self, store: Store, environment: Environment, limits: Limits) -> None:
        self._store = store
        self._clock = environment.clock
        self._limits = limits
        self._tables: dict[str, LiveTable] = {}
        self._running: set[asyncio.Task[Any]] = set()
        self._subscriptions: dict[Subscription, LiveTable] = {}
        self.name_of: Callable[[str], str | None] = lambda _: None
        """Returns the name of a guest who watches, if it is known."""
        self.peers: Peers = Alone()
        """The other processes that serve the same database."""
        self.listeners: list[Callable[[LiveTable], None]] = []
        """Called with every live table that was loaded or has changed."""

    @asynccontextmanager
    async def use(self, table: str) -> AsyncIterator[LiveTable]:
        """Hold the table in memory while the context lasts; raises Declined if there is none.

        The table includes the changes that other processes stored before the call.
        """
        live = await self._acquire(table)
        try:
            await self._check(live)
            yield live
        finally:
            self._release(live)

    @asynccontextmanager
    async def _held(self, table: str) -> AsyncIterator[LiveTable]:
        """Hold the table as ``use`` does, perhaps without the newest changes of other processes."""
        live = await self._acquire(table)
        try:
            yield live
        finally:
            self._release(live)

    async def change(self, table: str, command: Command) -> Table:
        """Execute the command and return the new table; raises what the command raises."""
        return await self._shielded(self._change(table, command))

    async def act(self, table: str, request: Request | UndoRequest) -> Answer:
        """Execute a person's request and return its answer; a repeated one gets the same answer."""
        return await self._shielded(self._act(table, request))

    async def delete(self, table: str) -> None:
        """Delete the table, unless somebody uses it."""
        if table in self._tables and self._tables[table].users:
            return
        self._tables.pop(table, None)
        await self._store.run(partial(table_rows.drop_table, table=table))

    def subscribe(self, table: str, guest: str | None) -> Subscription:
        """Return a subscription to the table as the guest may see it."""
        return Subscription(self, table, guest, self._limits.max_queued_views)

    async def open_subscription(self, subscription: Subscription) -> None:
        """Start sending views. If a bot stands in for the guest, the guest takes over again."""
        guest = subscription.guest
        live = await self._acquire(subscription.table)
        try:
            await self._check(live)
            await self.check_visible(live.table, guest)
            if live.table.seat_of(guest) is not None:
                await self.change(
                    live.id, lambda table: Change(commands.come_back(table, guest, self._clock()))
                )
        except BaseException:
            self._release(live)
            raise
        self._subscriptions[subscription] = live
        live.connect(guest, self._clock())
        live.add(subscription, self._clock())
        self.peers.attend(live)

    def close_subscription(self, subscription: Subscription) -> None:
        """Stop sending views.

        A player counts as present for a while longer, in case they are reloading the page.
        """
        live = self._subscriptions.pop(subscription)
        live.subscriptions.discard(subscription)

        def disconnect() -> None:
            live.disconnect(subscription.guest, self._clock())
            self.peers.attend(live)
            self._release(live)

        grace = self._limits.disconnect_grace_seconds
        if grace and live.table.seat_of(subscription.guest) is not None:
            asyncio.get_running_loop().call_later(grace, disconnect)
        else:
            disconnect()

    async def check_visible(self, table: Table, guest: str | None) -> None:
        """Raise Declined if the guest may not see the table.

        If it has a password, the guest must have given it. If it has a shared deal, only its player
        may see it until the game is finished. Afterwards, everybody who has finished the same deal
        may see it.
        """
        await self.check_admitted(table, guest)
        if table.shared_deal is None or table.seat_of(guest) is not None:
            return
        if guest is not None and table.stage is Stage.FINISHED:
            own = partial(deal_rows.try_of, deal=table.shared_deal, guest=guest)
            found = await self._store.run(own)
            if found is not None and found.profit is not None:
                return
        raise Declined(TableReason.NOT_PLAYED)

    async def check_admitted(self, table: Table, guest: str | None) -> None:
        """Raise Declined if the table has a password that the guest has not given."""
        if table.password is None or table.seat_of(guest) is not None:
            return
        if guest is not None and await self._store.run(
            partial(admission_rows.is_admitted, table=table.id, guest=guest)
        ):
            return
        raise Declined(TableReason.PASSWORD_NEEDED)

    def evict(self) -> None:
        """Remove unused tables from memory, and update who is present at each table."""
        now = self._clock()
        unused = [live for live in self._tables.values() if not live.users]
        unused.sort(key=lambda live: live.last_used)
        for live in self._tables.values():
            live.refresh_presence(now)
            live.refresh_audience(now)
        surplus = len(self._tables) - self._limits.table_cache_size
        for place, live in enumerate(unused):
            if place < surplus or now - live.last_used >= self._limits.table_cache_seconds:
                del self._tables[live.id]

    @property
    def table_count(self) -> int:
        """The number of tables in memory."""
        return len(self._tables)

    @property
    def subscription_count(self) -> int:
        """The number of open subscriptions."""
        return len(self._subscriptions)

    async def close(self) -> None:
        """Wait until all running commands are stored, and end every subscription."""
        while self._running:
            await asyncio.wait(self._running)
        for subscription in self._subscriptions:
            subscription.end()

    @property
    def loaded(self) -> list[LiveTable]:
        """The tables in memory."""
        return [live for live in self._tables.values() if live.loaded]

    @property
    def revisions(self) -> dict[str, int]:
        """The revisions of the tables in memory."""
        return {live.id: live.table.revision for live in self.loaded}

    def note_request(self, live: LiveTable, guest: str | None) -> None:
        """Note that the guest has used the table now, and publish who is present."""
        live.note_request(guest, self._clock())
        live.refresh_presence(self._clock())
        self.peers.attend(live)

    def get(self, table: str) -> LiveTable | None:
        """Return the table if it is in memory."""
        live = self._tables.get(table)
        return live if live is not None and live.loaded else None

    async def reload(self, table: str, revision: float = inf) -> None:
        """Reload a table that another process has changed or deleted.

        Nothing happens if it is not in memory, or already has this revision.
        """
        live = self._tables.get(table)
        if live is None or not live.loaded:
            return
        live.users += 1
        try:
            async with live.lock:
                live.stale = live.stale or live.table.revision < revision
                await self._refreshed(live)
        except Declined:  # it was deleted
            for subscription in live.subscriptions:
                subscription.end()
        finally:
            self._release(live)

    async def _check(self, live: LiveTable) -> None:
        """Load the table again if another process has changed it."""
        if not self.peers.shared:
            return
        peek = partial(cluster_rows.peek, table=live.id, process=self.peers.process)
        found = await self._store.run(peek)
        if found is None:
            raise Declined(TableReason.NO_SUCH_TABLE)
        if live.table.revision < found.revision:
            async with live.lock:
                live.stale = live.stale or live.table.revision < found.revision
                await self._refreshed(live)
        live.set_remote(found.present, self._clock())

    async def _acquire(self, table: str) -> LiveTable:
        if len(table) > _MAX_ID_LENGTH or NUL in table:
            raise Declined(TableReason.NO_SUCH_TABLE)
        live = self._tables.get(table) or self._tables.setdefault(
            table,
            LiveTable(
                table,
                self._limits.polling_presence_seconds,
                self._limits.abandoned_game_seconds,
                self._clock(),
                self.name_of,
            ),
        )
        live.users += 1
        try:
            if live.stale:
                async with live.lock:
                    await self._refreshed(live)
        except BaseException:
            self._release(live)
            raise
        return live

    def _release(self, live: LiveTable) -> None:
        live.users -= 1
        live.last_used = self._clock()
        if not live.loaded and not live.users:
            self._tables.pop(live.id, None)

    async def _shielded(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Await the work; it goes on if the caller is cancelled."""
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return await asyncio.shield(task)

    async def _change(self, table: str, command: Command) -> Table:
        async with self._held(table) as live, live.lock:
            while True:
                before = await self._refreshed(live)
                change = command(before)
                if change.table is before:
                    return before
                try:
                    await self._stored(live, partial(table_rows.save, before=before, change=change))
                except Conflict:
                    continue
                after = table_rows.after(before, change)
                self._publish(live, after, change.private)
                self.peers.announce(live)
                return after

    async def _act(self, table: str, request: Request | UndoRequest) -> Answer:
        async with self._held(table) as live, live.lock:
            live.note_request(request.guest, self._clock())
            self.peers.attend(live)
            while True:
                before = await self._refreshed(live)
                await self.check_visible(before, request.guest)
                change, outcome = _executed(before, request)
                save = partial(
                    table_rows.save_answer,
                    before=before,
                    change=change,
                    request=request,
                    outcome=outcome,
                )
                try:
                    earlier = await self._stored(live, save)
                except Conflict:
                    continue
                if earlier is not None:
                    digest, text = earlier
                    same = digest == request.digest
                    outcome = read_outcome(text) if same else Declined(TableReason.KEY_REUSED)
                elif change.table is not before:
                    self._publish(live, table_rows.after(before, change))
                    self.peers.announce(live)
                return answer(outcome, live.snapshot.view(request.guest))

    async def _stored(self, live: LiveTable, job: Callable[[Connection], _T]) -> _T:
        """Run the job in the store; if it fails, the table must be loaded again."""
        try:
            return await self._store.run(job)
        except BaseException:
            live.stale = True
            raise

    async def _refreshed(self, live: LiveTable) -> Table:
        """Return the table, loaded again if it is stale. The caller holds the lock."""
        if live.stale:
            known = live.table if live.loaded else None
            table = await self._store.run(partial(catch_up, table=live.id, known=known))
            if table is None:
                raise Declined(TableReason.NO_SUCH_TABLE)
            live.note_loaded(table.revision)
            if known is None or known.version != table.version:
                self._publish(live, table)
            elif known.revision != table.revision:
                live.publish_changed(table, self._clock())
                self.wake(live)
        return live.table

    def _publish(self, live: LiveTable, table: Table, only: str | None = None) -> None:
        live.publish(table, only, now=self._clock())
        self.wake(live)

    def wake(self, live: LiveTable) -> None:
        """Call all listeners with the table."""
        for listener in self.listeners:
            listener(live)


def _executed(table: Table, request: Request | UndoRequest) -> tuple[Change, Outcome]:
    """Return the change that the request makes, and its outcome.

    Even a refused request removes the stand-in from the guest's seat.
    """
    try:
        if isinstance(request, UndoRequest):
            change = undo(table, request.guest, request.number, request.at)
        else:
            change = commands.act(table, request)
    except Declined as declined:
        return Change(commands.come_back(table, request.guest, request.at)), declined
    except Illegal as illegal:
        return Change(commands.come_back(table, request.guest, request.at)), illegal.refusal
    return change, change.table.version
