"""The processes that serve one PostgreSQL database together.

Any process accepts any command: the database decides which of two changes comes first. Memory is
only a cache. Each process sends notices to tell the others which tables it has changed, and they
load these tables again. In case notices were lost, each process also compares revisions at regular
intervals, called beats.

Each table in play is leased to one process, which plays its bots and enforces its time limits. A
process renews all its leases at every beat. When it has not done so for a while, another process
removes it, and the others take over its tables. Processes that only do background jobs hold no
leases. Of the processes that serve, the one that has run the longest leads: it does background
jobs, unless workers do them.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from math import inf
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection

from byzanz.tables.model.refusals import Declined
from byzanz.tables.model.table import Stage
from byzanz.tables.storage import cluster_rows, table_rows
from byzanz.tables.storage.cluster_rows import Attendance
from byzanz.tables.storage.notices import Notices
from byzanz.tables.storage.store import Conflict, Store, StoreFailed

from .environment import Environment
from .live_tables import LiveTables
from .subscriptions import LiveTable

_LOG = logging.getLogger(__name__)

BEAT_SECONDS = 0.5
"""How often a process renews its leases and compares revisions."""
LEASE_SECONDS = 2.5
"""How long a process can be silent before others take over its tables."""
_RESUME_BEATS = 4
"""The number of beats between two searches for tables that wait for this process."""
_FORGET_BEATS = 20
"""The number of beats after which cached guests are loaded again."""
_WARM_BEATS = 20
"""The number of beats before a process that does not lead adopts tables; it first loads bots."""
_PRESENCE_SECONDS = 10.0
"""How far the stored time of a player's last request may be out of date."""

NO_CLUSTER: dict[str, float] = {
    "processes": 1, "leases": 0, "lease_changes": 0, "notices": 0, "notice_seconds": 0.0,
}  # fmt: skip
"""The figures of a service that serves its database alone."""


class _Beat(NamedTuple):
    """What a process learns at a beat."""

    renewed: bool
    """Whether its leases were renewed; False if they had expired."""
    held: frozenset[str]
    new: tuple[str, ...]
    """The tables that were adopted at this beat."""
    first: bool
    """Whether no process that serves has run longer."""
    processes: int
    revisions: dict[str, int]
    gone: frozenset[str]
    """The tables in memory that are no longer in the database."""
    present: dict[str, dict[str, Attendance]]
    waiting: dict[str, float | None] | None


class Cluster:
    """This process as one of several that serve the same database.

    ``resumed`` is called with the deadlines of tables that this process must enforce, and
    ``released`` when it holds fewer tables. ``forget_guest`` removes a guest, or all of them, from
    memory. The functions in ``beats`` run at every beat. If ``serves`` is false, the process only
    does background jobs.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        tables: LiveTables,
        environment: Environment,
        *,
        resumed: Callable[[dict[str, float]], None],
        released: Callable[[], None],
        forget_guest: Callable[[str | None], None],
        serves: bool = True,
    ) -> None:
        self.process = f"{socket.gethostname()[:30]} {os.getpid()} {secrets.token_urlsafe(16)}"
        self.leads = False
        """Whether this process has served the longest."""
        self.beats: list[Callable[[], Coroutine[Any, Any, None]]] = []
        self.session_ended: Callable[[str], None] = lambda _: None
        """Called with the digest of a session that another process has ended."""
        self.lease_changes = 0
        self.lags: tuple[int, float] = (0, 0.0)
        """The number of measured notices, and the sum of their delays in seconds."""
        self._serves = serves
        self._store = store
        self._tables = tables
        self._clock = environment.clock
        self._resumed = resumed
        self._released = released
        self._forget_guest = forget_guest
        self._notices: Notices | None = None
        self._held: frozenset[str] = frozenset()
        self._elsewhere: set[str] = set()
        """Tables that another process was found to hold."""
        self._wanted: set[str] = set()
        self._processes = 1
        self._renewed = 0.0
        self._number = 0
        self._left = False
        self._updating: dict[str, asyncio.Task[None]] = {}
        self._again: dict[str, float] = {}
        """Tables to bring up to date, with the revision to reach; infinity includes presence."""
        self._due: dict[tuple[str, str], Attendance] = {}
        self._work = asyncio.Event()
        self._early = asyncio.Event()
        """Set to begin the next beat at once."""
        self._tasks: list[asyncio.Task[None]] = []

    @property
    def shared(self) -> bool:
        """Whether other processes serve the same database."""
        return self._processes > 1

    @property
    def figures(self) -> dict[str, float]:
        """Numbers for the metrics."""
        return {
            "processes": self._processes,
            "leases": len(self._held),
            "lease_changes": self.lease_changes,
            "notices": self.lags[0],
            "notice_seconds": self.lags[1],
        }

    def holds(self, table: str, /) -> bool:
        """Return whether the table is leased to this process, and the lease has not expired."""
        return table in self._held and time.monotonic() - self._renewed < LEASE_SECONDS

    def announce(self, live: LiveTable) -> None:
        """Tell the others that this process has changed a table."""
        if self.shared:
            self._send("table", live.id, live.table.revision)

    def announce_guest(self, guest: str) -> None:
        """Tell the others that this process has changed or deleted a guest."""
        self._send("guest", guest)

    def announce_session(self, digest: str) -> None:
        """Tell the others that this process has ended a session."""
        self._send("session", digest)

    def attend(self, live: LiveTable) -> None:
        """Store who is present at the table, if that has changed, and tell the others."""
        if not self.shared or self._left:
            return
        for guest, now in live.attendance.items():
            before = live.stored_attendance.get(guest)
            if before is None or (
                before.connected != now.connected or now.at - before.at > _PRESENCE_SECONDS
            ):
                live.stored_attendance[guest] = now
                self._due[live.id, guest] = now
                self._work.set()

    async def start(self) -> None:
        """Register this process and begin to renew its leases."""
        loop = asyncio.get_running_loop()
        self._notices = Notices(self._store.engine, lambda found: _call(loop, self._heard, found))
        await self._store.run(partial(cluster_rows.join, process=self.process, serves=self._serves))
        self._renewed = time.monotonic()
        self._tables.peers = self
        self._tables.listeners.append(self._want)
        self._notices.start()
        self._send("processes")
        await self._beat()
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._flush())]

    async def leave(self) -> None:
        """Give all leases to the other processes. This process still answers requests."""
        if self._left or not self._tasks:
            return
        self._left = True
        await _cancel(self._tasks)
        self.leads, self._held = False, frozenset()
        self._released()
        with suppress(StoreFailed, Conflict):
            await self._store.run(
                partial(cluster_rows.leave, process=self.process, now=self._clock())
            )
        self._send("processes")

    async def close(self) -> None:
        """Leave, and stop sending and receiving notices."""
        await self.leave()
        await _cancel(list(self._updating.values()))
        if self._notices is not None:
            await asyncio.to_thread(self._notices.close)

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_SECONDS):
                    await self._early.wait()
            self._early.clear()
            try:
                await self._beat()
                for work in self.beats:
                    await work()
            except (StoreFailed, Conflict):
                _LOG.warning("this process could not renew its leases")
            except Exception:  # noqa: BLE001 (the next beat may succeed)
                _LOG.exception("a beat failed")

    async def _beat(self) -> None:
        started = time.monotonic()
        beat = await self._store.run(partial(self._beat_job, known=self._tables.revisions))
        self._number += 1
        joined = beat.processes > 1 and self._processes == 1
        self._processes = beat.processes
        self.lease_changes += len(beat.held ^ self._held)
        lost = bool(self._held - beat.held)
        self._held, self._renewed, self.leads = beat.held, started, beat.first
        if not beat.renewed:
            _LOG.warning("the leases of this process had expired")
            for live in self._tables.loaded:
                live.stored_attendance.clear()  # another process has changed what was stored
        if lost:
            self._released()
        if joined or not beat.renewed:
            for live in self._tables.loaded:
                self.attend(live)
        self._repair(beat)
        if beat.waiting is not None:
            self._resume(beat.waiting)
        if self._number % _FORGET_BEATS == 0:
            self._elsewhere.clear()
            if self.shared:
                self._forget_guest(None)
        self._send("ping", "", time.perf_counter())

    def _beat_job(self, connection: Connection, known: dict[str, int]) -> _Beat:
        """Renew the leases, remove silent processes and adopt tables that nobody holds."""
        renewed = cluster_rows.renew(connection, self.process)
        if not renewed:
            cluster_rows.join(connection, self.process, serves=self._serves)
        cluster_rows.expire(connection, LEASE_SECONDS, self._clock())
        first, processes = cluster_rows.first_process(connection)
        new: tuple[str, ...] = ()
        if first == self.process or self._is_warm:
            new = cluster_rows.adopt(connection, self.process, processes)
        waiting = None
        if new or self._number % _RESUME_BEATS == 0:
            waiting = table_rows.waiting_tables(connection, self.process)
        shared = processes > 1
        revisions = cluster_rows.revisions(connection, known) if shared else known
        return _Beat(
            renewed,
            cluster_rows.held(connection, self.process),
            new,
            first == self.process,
            processes,
            revisions,
            frozenset(known.keys() - revisions.keys()),
            cluster_rows.presence(connection, known, self.process) if shared else {},
            waiting,
        )

    def _repair(self, beat: _Beat) -> None:
        """Reload tables whose changes were not announced, and note who is present elsewhere."""
        now = self._clock()
        for table, revision in self._tables.revisions.items():
            live = self._tables.get(table)
            if live is None:
                continue
            if table in beat.gone:
                self._update(table)
            elif (stored := beat.revisions.get(table, revision)) > revision:
                self._changed(live, stored)
            if self.shared:
                live.set_remote(beat.present.get(table, {}), now)

    def _resume(self, waiting: dict[str, float | None]) -> None:
        """Load the tables that wait for this process. Loading a table starts its bots."""
        self._resumed({table: at for table, at in waiting.items() if at is not None})
        for table in waiting:
            live = self._tables.get(table)
            if live is None:
                self._update(table)
            else:
                self._tables.wake(live)

    @property
    def _is_warm(self) -> bool:
        """Whether this process adopts tables even if another process leads."""
        return self._serves and self._number >= _WARM_BEATS

    def _want(self, live: LiveTable) -> None:
        """Ask for the lease of a table in play, unless another process is known to hold it."""
        if (
            live.table.stage is Stage.PLAYING
            and live.id not in self._held
            and live.id not in self._elsewhere
            and (self.leads or self._is_warm)
            and not self._left
        ):
            self._wanted.add(live.id)
            self._work.set()

    async def _flush(self) -> None:
        """Ask for leases, and store who is present, as soon as there is something to do."""
        while True:
            await self._work.wait()
            self._work.clear()
            wanted, self._wanted = self._wanted, set()
            due, self._due = self._due, {}
            try:
                if wanted:
                    await self._acquire(wanted)
                if due:
                    await self._store.run(
                        partial(cluster_rows.attend, process=self.process, players=due)
                    )
                    for table in {table for table, _ in due}:
                        self._send("presence", table)
            except (StoreFailed, Conflict):
                await asyncio.sleep(BEAT_SECONDS)
                self._wanted |= wanted
                self._due = due | self._due
                self._work.set()

    async def _acquire(self, wanted: set[str]) -> None:
        job = partial(cluster_rows.acquire, process=self.process, tables=wanted)
        new = await self._store.run(job)
        self._held |= set(new)
        self._elsewhere |= wanted - self._held
        self.lease_changes += len(new)
        for table in new:
            live = self._tables.get(table)
            if live is not None:
                self._tables.wake(live)

    def _send(self, kind: str, about: str = "", number: float = 0) -> None:
        if self._notices is not None:
            self._notices.send(msgspec.json.encode((self.process, kind, about, number)).decode())

    def _heard(self, notices: list[str] | None) -> None:
        """Act on the notices of other processes; with None, some may have been lost."""
        if notices is None:
            self._forget_guest(None)
            self._early.set()
            return
        for notice in notices:
            process, kind, about, number = msgspec.json.decode(
                notice, type=tuple[str, str, str, float]
            )
            if process == self.process:
                if kind == "ping":
                    count, seconds = self.lags
                    self.lags = count + 1, seconds + time.perf_counter() - number
                continue
            self._processes = max(self._processes, 2)
            match kind:
                case "table":
                    live = self._tables.get(about)
                    if live is None and self.holds(about):
                        self._update(about)
                    elif live is not None and live.table.revision < number:
                        self._changed(live, number)
                case "presence" if self._needs(about):
                    self._update(about)
                case "guest":
                    self._forget_guest(about)
                case "session":
                    self.session_ended(about)
                case "processes":
                    self._elsewhere.clear()
                    self._early.set()

    def _changed(self, live: LiveTable, revision: float) -> None:
        """Mark a table as changed by another process, and load it if it is needed now."""
        live.note_stored(revision)
        if self._needs(live.id):
            self._update(live.id, revision)

    def _needs(self, table: str) -> bool:
        """Return whether a table in memory must be up to date: it is watched here, or held."""
        live = self._tables.get(table)
        return live is not None and (bool(live.subscriptions) or self.holds(table))

    def _update(self, table: str, revision: float = inf) -> None:
        """Bring a table up to date, at least to this revision; by default also who is present."""
        self._again[table] = max(revision, self._again.get(table, 0))
        if table not in self._updating:
            task = asyncio.create_task(self._update_until_done(table))
            self._updating[table] = task
            task.add_done_callback(lambda _: self._updating.pop(table, None))

    async def _update_until_done(self, table: str) -> None:
        while (revision := self._again.pop(table, None)) is not None:
            try:
                if revision < inf:
                    await self._tables.reload(table, revision)
                else:
                    async with self._tables.use(table):
                        pass
            except Declined:
                await self._tables.reload(table)  # it was deleted
            except (StoreFailed, Conflict):
                await asyncio.sleep(BEAT_SECONDS)
                self._again[table] = max(revision, self._again.get(table, 0))
            except Exception:  # noqa: BLE001 (other tables must go on)
                _LOG.exception("a table could not be brought up to date")


def _call(loop: asyncio.AbstractEventLoop, function: Callable[..., None], *given: object) -> None:
    """Call the function in the event loop, unless that is closed."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *given)


async def _cancel(tasks: list[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
