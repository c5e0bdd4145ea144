"""The rating service: leaderboards, and the networks from which rated games are played."""

from __future__ import annotations

import asyncio
import hmac
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from typing import Any

from sqlalchemy import Connection

from byzanz.tables.model.table import Stage
from byzanz.tables.storage import rating_rows
from byzanz.tables.storage.rating_rows import RatedChange, StoredRating
from byzanz.tables.storage.store import Conflict, Store, make_engine

from .live_tables import LiveTables

SHOWN = 100
"""The number of people on a leaderboard."""

_SECRET = "rated networks"  # noqa: S105 (the name of the secret)
_DIGITS = 32
_NOTED = 20_000
"""The number of tables, guests and addresses held in memory, so that each is stored once."""


class RatingService:
    """The ratings of a service. Ratings change in the transaction that stores a game's results."""

    def __init__(
        self,
        store: Store,
        tables: LiveTables,
        address_of: Callable[[str], str],
        secret: Callable[[str], Coroutine[Any, Any, str]],
    ) -> None:
        self._store = store
        self._tables = tables
        self._address_of = address_of
        self._secret = secret
        self._noted: OrderedDict[tuple[str, str, str], None] = OrderedDict()

    async def leaders(self, players: int) -> tuple[StoredRating, ...]:
        """Return the highest ratings in games of this many players, provisional ones last."""
        job = partial(rating_rows.leaders, players=players, most=SHOWN)
        return await self._store.run(job)

    async def of(self, guest: str) -> tuple[StoredRating, ...]:
        """Return the ratings of a guest, ordered by the number of players."""
        return await self._store.run(partial(rating_rows.ratings_of, guest=guest))

    async def rank(self, guest: str, players: int) -> int | None:
        """Return the guest's rank among the ratings that are not provisional.

        Returns None if the guest has no such rating.
        """
        return await self._store.run(partial(rating_rows.rank_of, guest=guest, players=players))

    async def changes(self, table: str) -> tuple[RatedChange, ...]:
        """Return how a game changed the ratings of its players; nothing if it was not rated."""
        return await self._store.run(partial(rating_rows.changes_of, table=table))

    async def withdraw(self, guest: str) -> None:
        """Delete all ratings of a guest."""
        await self._store.run(partial(rating_rows.drop_ratings, guest=guest))

    async def note_network(self, table: str, guest: str) -> None:
        """Store from which network address the guest plays a rated game, until the game ends.

        Only a digest is stored, which is different at each table: it shows only whether two people
        at one table used the same address.
        """
        seen = table, guest, self._address_of(guest)
        if seen in self._noted:
            return
        async with self._tables.use(table) as live:
            found = live.table
        rated = found.options.rated and found.stage in (Stage.OPEN, Stage.PLAYING)
        if rated and found.seat_of(guest) is not None:
            key, said = await self._secret(_SECRET), f"{table} {seen[2]}"
            digest = hmac.digest(key.encode(), said.encode(), "sha256").hex()[:_DIGITS]
            job = partial(rating_rows.note_network, table=table, guest=guest, digest=digest)
            with suppress(Conflict):  # another request of the guest has just stored it
                await self._store.run(job)
        self._noted[seen] = None
        if len(self._noted) > _NOTED:
            self._noted.popitem(last=False)


def recompute_ratings(url: str | None) -> int:
    """Recompute all ratings in a database that no process serves; return the number of games.

    Raises AlreadyServed if a process serves the database, and FileNotFoundError if its file does
    not exist.
    """

    async def recomputing() -> int:
        store = Store(make_engine(url, create=False))
        await asyncio.to_thread(store.serve)
        try:
            return await store.run(_recomputed)
        finally:
            await asyncio.to_thread(store.close)

    return asyncio.run(recomputing())


def _recomputed(connection: Connection) -> int:
    return rating_rows.recompute(connection)
