"""The service of shared deals: the deal of the day, and deals for friends."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection

from byzanz.tables.model import commands
from byzanz.tables.model.commands import Creation
from byzanz.tables.model.prepared import BY_HAND, Automatic
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.shared_deals import (
    SharedDeal,
    Standing,
    daily_deal,
    day_of,
    dealt,
    is_day,
    steady_bots,
)
from byzanz.tables.storage import deal_rows
from byzanz.tables.storage.deal_rows import Try
from byzanz.tables.storage.store import Store

from .environment import Environment
from .guests import GuestService
from .limits import Limits
from .live_tables import NUL, LiveTables

_SECRET = "shared deals"  # noqa: S105 (the name of the secret)
_MAX_ID_LENGTH = 64


class SharedDealService:
    """The shared deals of a service. Methods raise Declined if they refuse."""

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        tables: LiveTables,
        guests: GuestService,
        *,
        environment: Environment,
        limits: Limits,
        bots: tuple[str, ...],
        secret: Callable[[str], Coroutine[Any, Any, str]],
    ) -> None:
        self._store = store
        self._tables = tables
        self._guests = guests
        self._environment = environment
        self._limits = limits
        self._secret = secret
        self._bots = bots

    @property
    def today(self) -> str:
        """The id of today's deal. The day changes at midnight UTC."""
        return day_of(self._environment.clock())

    @property
    def bots(self) -> tuple[str, ...]:
        """The bots that can play a shared deal, because their play does not depend on time."""
        return steady_bots(self._bots)

    async def find(self, deal: str) -> SharedDeal:
        """Return the shared deal with this id; raises Declined if there is none."""
        if len(deal) > _MAX_ID_LENGTH or NUL in deal:
            raise Declined(TableReason.NO_SUCH_DEAL)
        now, secret = self._environment.clock(), await self._secret(_SECRET)
        made = daily_deal(deal, self._bots, secret, now) if is_day(deal) else None
        found = await self._store.run(partial(deal_rows.load_deal, deal=deal)) or made
        if found is None:
            raise Declined(TableReason.NO_SUCH_DEAL)
        return found

    async def create(self, host: str, bots: tuple[str, ...], seat: int | None = None) -> SharedDeal:
        """Create a deal for friends. The bots play the other seats, in this order.

        If ``seat`` is None, it is chosen at random.
        """
        await self._guests.require(host)
        if seat is None:
            seat = self._environment.seeds() % (len(bots) + 1)
        if not set(bots) <= set(self.bots):
            raise Declined(TableReason.UNKNOWN_BOT)
        if not 0 <= seat <= len(bots):
            raise Declined(TableReason.NOT_A_SEAT, seat=seat, last=len(bots))
        environment = self._environment
        deal = SharedDeal(environment.ids(), environment.clock(), seat, bots, host)
        deal.plan  # noqa: B018 (raises Declined for too few or too many seats)
        return await self._store.run(partial(deal_rows.add_deal, deal=deal))

    async def play(self, deal: str, guest: str, automatic: Automatic = BY_HAND) -> str:
        """Return the guest's table for the shared deal; create it if they have not begun."""
        player, found = await self._guests.require(guest), await self.find(deal)
        cards, chance = dealt(found, await self._secret(_SECRET))
        now = self._environment.clock()
        creation = Creation(self._environment.ids(), lambda _: cards, chance, now)
        made = commands.create(player, found.plan, creation, automatic)
        table = replace(made, shared_deal=found.id)
        ranked = not found.is_daily or found.id == day_of(now)
        most = self._limits.tables_per_guest

        def job(connection: Connection) -> str | None:
            deal_rows.add_deal(connection, found)
            return deal_rows.add_try(connection, table, guest, ranked=ranked, most_tables=most)

        begun = await self._store.run(job)
        if begun is None:
            raise Declined(TableReason.TOO_MANY_TABLES, most=most)
        async with self._tables.use(begun):  # loading a table starts its bots
            return begun

    async def standing(self, deal: str, guest: str | None) -> Standing:
        """Return where the guest stands, without the results if the guest has not finished."""
        found = await self.find(deal)

        def job(connection: Connection) -> tuple[Try | None, int, tuple[int, ...] | None]:
            own = None if guest is None else deal_rows.try_of(connection, deal, guest)
            if own is None or own.profit is None:
                return own, deal_rows.count_ranked(connection, deal), None
            profits = deal_rows.ranked_profits(connection, deal)
            return own, len(profits), profits

        own, count, profits = await self._store.run(job)
        return Standing(
            deal=found.id,
            players=found.players,
            seat=found.seat,
            bots=found.bots,
            finished_by=count,
            table=own and own.table,
            ranked=own is not None and own.ranked,
            finished=profits is not None,
            left=own is not None and own.left,
            profit=own and own.profit,
            place=own and own.place,
            profits=profits,
        )

    async def tried(self, guest: str, deals: Sequence[str]) -> dict[str, int | None]:
        """Return the deals, among the given ones, that the guest has begun, with the profit.

        The profit is None if the guest has not finished the deal.
        """
        return await self._store.run(partial(deal_rows.tried, guest=guest, deals=deals))

    async def leaders(self, deal: str, guest: str, most: int) -> tuple[Try, ...]:
        """Return the best ranked tries with more profit than the guest's, best first.

        Raises Declined if the guest has not finished the deal.
        """
        own = await self._store.run(partial(deal_rows.try_of, deal=deal, guest=guest))
        if own is None or own.profit is None:
            raise Declined(TableReason.NOT_PLAYED)
        job = partial(deal_rows.leaders, deal=deal, above=own.profit, most=most)
        return await self._store.run(job)

    async def tries(self, deal: str, guest: str) -> tuple[Try, ...]:
        """Return all tries at the deal; raises Declined if the guest has not finished it."""
        await self.find(deal)
        found = await self._store.run(partial(deal_rows.tries_at, deal=deal))
        if not any(each.guest == guest and each.profit is not None for each in found):
            raise Declined(TableReason.NOT_PLAYED)
        return found
