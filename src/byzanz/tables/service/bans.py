"""The bans of a running service. The operator writes them to the database from outside."""

from __future__ import annotations

import asyncio
from functools import partial

from byzanz.tables.model.bans import Ban, BanIndex
from byzanz.tables.storage import ban_rows
from byzanz.tables.storage.store import Store

from .background import attempt
from .environment import Environment
from .limits import Limits


class Bans:
    """The bans in the database, as they were last read."""

    def __init__(self, store: Store, environment: Environment, limits: Limits) -> None:
        self._store = store
        self._clock = environment.clock
        self._seconds = limits.ban_check_seconds
        self._index = BanIndex()
        self._changed = asyncio.Event()

    def find(self, guest: str | None, address: str, client: str) -> Ban | None:
        """Return a ban of this guest, network address or pseudonym; None if there is none."""
        return self._index.find(guest, address, client, self._clock())

    async def wait_for(self, guest: str | None, address: str, client: str) -> Ban:
        """Return a ban of this guest, network address or pseudonym as soon as there is one."""
        while True:
            changed = self._changed
            found = self.find(guest, address, client)
            if found is not None:
                return found
            await changed.wait()

    async def load(self) -> None:
        """Read the bans from the database."""
        bans = await self._store.run(partial(ban_rows.load_bans, now=self._clock()))
        if bans != self._index.bans:
            self._index = BanIndex(bans)
            changed, self._changed = self._changed, asyncio.Event()
            changed.set()

    async def run(self) -> None:
        """Read the bans at regular intervals until cancelled."""
        while True:
            await asyncio.sleep(self._seconds)
            await attempt(self.load)
