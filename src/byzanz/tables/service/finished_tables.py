"""Queries about finished tables: games, results, records and proofs."""

from __future__ import annotations

from functools import partial

from byzanz.rules import Game, Result
from byzanz.tables.model.proof import DealProof, proof_of
from byzanz.tables.model.table import Stage, Table
from byzanz.tables.storage import listing
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.store import Store

from .history import HistoryService
from .live_tables import LiveTables
from .reading import TableReading
from .records import finished_game, record_of
from .rematches import check_deal_is_over, is_deal_over

_CACHED_RESULTS = 10_000
"""The number of results held in memory."""


class FinishedTables(TableReading):
    """The part of the service that reads finished tables. Methods raise Declined if they refuse."""

    def __init__(self, store: Store, tables: LiveTables) -> None:
        super().__init__(store, tables)
        self.history = HistoryService(store)
        self._results: dict[str, Result] = {}

    async def replay(self, table: str, guest: str | None = None) -> Game:
        """Return the whole game of a finished table, including hidden cards.

        Raises Declined if the game is not finished or the guest may not see it, and while a rematch
        with the same deal waits for its players or is in play.
        """
        found = await self._visible(table, guest)
        game = finished_game(found)
        await check_deal_is_over(self._table, found)
        return game

    async def result(self, table: str) -> Result:
        """Return the result of a finished table's game. Results are cached."""
        found = self._results.get(table)
        if found is None:
            found = finished_game(await self._table(table)).result
            self._results[table] = found
            if len(self._results) > _CACHED_RESULTS:
                del self._results[next(iter(self._results))]
        return found

    async def record(self, table: str, guest: str | None = None) -> str:
        """Return the record of a finished table's game; raises what ``replay`` raises.

        A game that was ended by vote also has a record, but no replay.
        """
        found = await self._visible(table, guest)
        if found.stage is not Stage.ENDED:
            finished_game(found)
        await check_deal_is_over(self._table, found)
        return record_of(found)

    async def _record(self, table: str) -> str:
        """Return the record of a finished table's game without checking who may see it."""
        return record_of(await self._table(table))

    async def proof(self, table: str, guest: str | None = None) -> DealProof:
        """Return the proof of the table's deal; raises Declined if there is none.

        It contains the secret once the game and all rematches with the same deal are over.
        """
        found = await self._table(table)
        await self._tables.check_admitted(found, guest)
        over = found.stage in (Stage.FINISHED, Stage.ENDED)
        opened = over and await is_deal_over(self._table, found)
        return proof_of(found, opened=opened)

    async def branches_of(self, table: str, guest: str | None = None) -> tuple[Listing, ...]:
        """Return the tables at which the game of a finished table was continued, newest first."""
        await self.replay(table, guest)
        return await self.store.run(partial(listing.branches_of, table=table))

    async def _table(self, table: str) -> Table:
        async with self._tables.use(table) as live:
            return live.table

    async def _visible(self, table: str, guest: str | None) -> Table:
        """Return the table; raises Declined if the guest may not see it."""
        found = await self._table(table)
        await self._tables.check_visible(found, guest)
        return found
