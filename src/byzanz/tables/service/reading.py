"""What the service shows of tables: views, subscriptions and lists."""

from __future__ import annotations

from functools import partial

from byzanz.tables.model.view import TableView
from byzanz.tables.storage import listing
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.store import Store

from .live_tables import LiveTables
from .subscriptions import Subscription


class TableReading:
    """The part of the service that shows tables. Methods raise Declined if they refuse."""

    def __init__(self, store: Store, tables: LiveTables) -> None:
        self.store = store
        self._tables = tables

    async def look(self, table: str, guest: str | None = None) -> TableView:
        """Return what the guest, or a spectator, may see of the table now."""
        async with self._tables.use(table) as live:
            await self._tables.check_visible(live.table, guest)
            self._tables.note_request(live, guest)
            return live.snapshot.view(guest)

    def subscribe(self, table: str, guest: str | None = None) -> Subscription:
        """Return a subscription to what the guest, or a spectator, may see of the table."""
        return self._tables.subscribe(table, guest)

    async def tables_of(self, guest: str) -> tuple[Listing, ...]:
        """Return the tables at which the guest has a seat, unfinished ones first."""
        return await self.store.run(partial(listing.tables_of, guest=guest))
