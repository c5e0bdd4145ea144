"""The history service: the finished games of a guest."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from functools import partial

from sqlalchemy import Connection

from byzanz.tables.model.results import GameFilter, GameResult
from byzanz.tables.storage import listing, result_rows, table_rows
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.store import Store

from .background import attempt
from .records import record_from_log

_ALL = GameFilter()
_BATCH = 10
"""The number of tables that an export loads at once."""


class HistoryService:
    """The finished games of the guests of a service."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._exporting = asyncio.Lock()

    async def games(self, guest: str, wanted: GameFilter = _ALL) -> tuple[GameResult, ...]:
        """Return the results of the guest's finished games, newest first."""
        return await self._store.run(partial(result_rows.results_of, guest=guest, wanted=wanted))

    async def opponents(self, guest: str) -> tuple[str, ...]:
        """Return the different values of ``opponents`` in the guest's results."""
        return await self._store.run(partial(result_rows.opponents_of, guest=guest))

    async def listings(self, guest: str, games: Sequence[GameResult]) -> dict[str, Listing]:
        """Return the listings of the tables of these games, by table id."""
        tables = [game.table for game in games]
        found = await self._store.run(partial(listing.listed, guest=guest, tables=tables))
        return {each.table: each for each in found}

    async def records(self, guest: str) -> AsyncIterator[str]:
        """Yield the record of each finished game of the guest, oldest first.

        All exports together load a few tables at a time, so that play does not wait for them. A
        table that has been deleted in the meantime is left out.
        """
        tables = [game.table for game in reversed(await self.games(guest))]
        for at in range(0, len(tables), _BATCH):
            job = partial(table_rows.load_finished, tables=tables[at : at + _BATCH])
            async with self._exporting:
                found = await self._store.run(job)
            for table, deal, log in found:
                yield record_from_log(table, deal, log)

    async def fill(self) -> None:
        """Add the results of games that were finished before results were stored."""
        lacking = await self._store.run(result_rows.tables_without_results)
        for table, finished in lacking.items():
            await attempt(partial(self._store.run, partial(_add, table=table, finished=finished)))


def _add(connection: Connection, table: str, finished: float) -> None:
    found = table_rows.load_table(connection, table)
    if found is not None:
        result_rows.add_results(connection, found, finished)
