"""The house: guests and tables as a service. One process has one, for one database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from typing import Self

from sqlalchemy import Connection

from byzanz.bots import BOTS, make_bot
from byzanz.notation import write_record
from byzanz.rules import Action, Game
from byzanz.tables.model import commands
from byzanz.tables.model.answers import Answer, Request, answer
from byzanz.tables.model.commands import Founding
from byzanz.tables.model.guests import Guest, checked_name
from byzanz.tables.model.plan import BotSeat, NewTable
from byzanz.tables.model.reasons import Declined, TableReason
from byzanz.tables.model.table import Change, Stage, Table
from byzanz.tables.model.view import Sight
from byzanz.tables.storage import guest_rows, listing, table_rows
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.store import Store

from .bot_pool import BotMaker, Thinkers
from .bot_runner import Drivers
from .environment import SYSTEM, Sources
from .limits import Limits
from .live_tables import NUL, Hall
from .maintenance import Upkeep
from .subscriptions import Watch

_DAY = 24 * 3600.0

_KNOWN = 10_000
"""Guests held in memory."""

_ANONYMOUS = "guest"
"""The name in a record of who gave none."""


class House:
    """Guests and tables. Commands decline by raising Declined; ``act`` answers instead.

    Use it as ``async with House(Store.open(url)) as house``. ``bots`` are those that people may
    choose. ``alone`` takes the database for this process; ``automatic`` lets bots play and
    clocks run.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        *,
        sources: Sources = SYSTEM,
        bots: tuple[str, ...] = tuple(BOTS),
        maker: BotMaker = make_bot,
        limits: Limits = Limits(),  # noqa: B008 (a value)
        alone: bool = True,
        automatic: bool = True,
    ) -> None:
        self.store = store
        self.bots = bots
        self.limits = limits
        self._sources = sources
        self._alone = alone
        self._automatic = automatic
        self._known: dict[str, Guest] = {}
        self._hall = Hall(store, sources, limits)
        self._thinkers = Thinkers(limits.thinkers, limits.bot_seconds, maker)
        self._drivers = Drivers(self._hall, self._thinkers, sources)
        self.upkeep = Upkeep(store, self._hall, sources, limits, self.forget)
        self._running: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.store.serve, alone=self._alone)
        if self._automatic:
            self._hall.changed = self._drivers.wake
            self._running = asyncio.create_task(self.upkeep.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._running is not None:
            self._running.cancel()
            await asyncio.gather(self._running, return_exceptions=True)
        self._hall.changed = lambda _: None  # what is still being stored wakes no bot
        await self._drivers.close()
        await self._hall.close()
        self._thinkers.close()
        await asyncio.to_thread(self.store.close)

    # guests

    async def welcome(self, name: str | None, language: str) -> Guest:
        """A new guest."""
        now = self._sources.clock()
        guest = Guest(self._sources.ids(), self._named(name), language[:16], now, now)
        await self.store.run(partial(guest_rows.add_guest, guest=guest))
        return self._remembered(guest)

    def check_name(self, name: str) -> None:
        """Declines a name that nobody may have."""
        self._named(name)

    async def guest(self, guest: str) -> Guest | None:
        """The guest of this id; None if there is none."""
        found = self._known.get(guest)
        if found is None:
            found = await self.store.run(partial(guest_rows.load_guest, guest=guest))
        if found is None:
            return None
        now = self._sources.clock()
        if now - found.seen >= _DAY:
            found = replace(found, seen=now)
            await self.store.run(partial(guest_rows.save_guest, guest=found))
        return self._remembered(found)

    async def rename(self, guest: str, name: str | None, language: str) -> Guest:
        """The guest under another name and with another language, also at tables not finished."""
        now = self._sources.clock()
        before = await self._guest(guest)
        found = replace(before, name=self._named(name), language=language[:16])
        await self.store.run(partial(guest_rows.save_guest, guest=found))
        self._remembered(found)
        if found.name != before.name:
            lasting = Stage.OPEN, Stage.PLAYING
            telling = partial(table_rows.tables_telling_of, guest=guest, stages=lasting)
            for table in await self.store.run(telling):
                await self._change(table, lambda t: commands.renamed(t, guest, found.name, now))
        return found

    async def forget(self, guest: str) -> None:
        """Nothing tells of the guest any more; games they finished stay, without their name."""
        now, bot = self._sources.clock(), self.limits.stand_in
        for table in await self.store.run(partial(table_rows.tables_telling_of, guest=guest)):
            await self._change(table, lambda t: commands.forgotten(t, guest, bot, now))
        await self.store.run(partial(guest_rows.drop_guest, guest=guest))
        self._known.pop(guest, None)

    async def pass_token(self, guest: str) -> str:
        """A token that makes another device this guest's, once and not for long."""
        await self._guest(guest)
        token = self._sources.keys()
        expires = self._sources.clock() + self.limits.pass_seconds
        await self.store.run(
            partial(guest_rows.add_pass, guest=guest, token=token, expires=expires)
        )
        return token

    async def redeem(self, token: str) -> Guest:
        """The guest whose token this is; it works no more."""
        if NUL in token:
            raise Declined(TableReason.BAD_PASS)
        now = self._sources.clock()
        found = await self.store.run(partial(guest_rows.use_pass, token=token, now=now))
        if found is None:
            raise Declined(TableReason.BAD_PASS)
        return self._remembered(found)

    async def secret(self, name: str) -> str:
        """The secret of this name, made once for this database."""
        return await self.store.secret(name, self._sources.keys())

    # tables

    async def create(self, host: str, plan: NewTable) -> str:
        """The id of a new table; it is in play at once if no seat waits for a person."""
        guest = await self._guest(host)
        for seat in plan.seats:
            if isinstance(seat, BotSeat):
                self._bot(seat.bot)
        table = commands.founded(guest, plan, self._founding())
        most = self.limits.tables_per_guest

        def job(connection: Connection) -> bool:
            if table_rows.hosted(connection, host) >= most:
                return False
            table_rows.add_table(connection, table)
            return True

        if not await self.store.run(job):
            raise Declined(TableReason.TOO_MANY_TABLES, most=most)
        await self.look(table.id, host)  # to be loaded is to be driven
        return table.id

    async def join(self, table: str, guest: str, seat: int | None = None) -> int:
        """The seat that the guest now has: this one, or the first that is open."""
        found = await self._guest(guest)
        now, deal = self._sources.clock(), self._sources.deal
        after = await self._change(table, lambda t: commands.joined(t, found, seat, deal, now))
        taken = after.seat_of(guest)
        if taken is None:
            raise RuntimeError("who joined has no seat")
        return taken

    async def start(self, table: str, host: str, bot: str | None = None) -> None:
        """The game begins; this bot, or the usual one, plays the seats still open."""
        chosen, now = self._bot(bot), self._sources.clock()
        deal = self._sources.deal
        await self._change(table, lambda t: commands.started(t, host, chosen, deal, now))

    async def leave(self, table: str, guest: str) -> None:
        """The guest has left for good; a bot plays on."""
        now, bot = self._sources.clock(), self.limits.stand_in
        await self._change(table, lambda t: commands.left(t, guest, bot, now))

    async def replace(self, table: str, host: str, seat: int, bot: str | None = None) -> None:
        """A bot stands in for the absent person on this seat until they are back."""
        chosen, now = self._bot(bot), self._sources.clock()
        async with self._hall.use(table) as live:
            await self._change(
                table, lambda t: commands.replaced(t, host, seat, chosen, live.present, now=now)
            )

    async def come_back(self, table: str, guest: str) -> None:
        """The guest plays their seat themselves again."""
        now = self._sources.clock()
        await self._change(table, lambda t: commands.returned(t, guest, now))

    async def rematch(self, table: str, guest: str, *, rotated: bool = False) -> str:
        """The id of the rematch: a new deal, or the same one with everybody a seat further.

        Whoever asks first decides which; the others are led to the same table.
        """
        founding, bot = self._founding(), self.limits.stand_in

        def command(before: Table) -> Change:
            new = commands.rematch(before, guest, bot, founding, rotated=rotated)
            if before.followed_by is not None:
                return Change(before)
            return Change(commands.followed(before, new.id, founding.now), founded=new)

        after = await self._hall.change(table, command)
        if after.followed_by is None:
            raise RuntimeError("a rematch was not noted")
        await self.look(after.followed_by, guest)  # to be loaded is to be driven
        return after.followed_by

    async def act(  # noqa: PLR0913
        self,
        table: str,
        guest: str,
        action: Action,
        *,
        decision: int | None = None,
        sale: int | None = None,
        key: str,
    ) -> Answer:
        """The answer to a guest's action, durable; the same answer to the same key.

        A sale names the number of sets its seat has sold, any other action the decision that it
        answers. Raises Declined only if there is no such table or the key is none.
        """
        if not 0 < len(key) <= self.limits.key_length or NUL in key:
            raise Declined(TableReason.BAD_KEY, longest=self.limits.key_length)
        now = self._sources.clock()
        request = Request.of(guest, key, action, (decision, sale), now)
        outcome, moment = await self._hall.answer(
            table,
            request,
            lambda t: commands.acted(t, guest, action, now, decision=decision, sale=sale),
        )
        return answer(outcome, moment.sight(guest))

    async def look(self, table: str, guest: str | None = None) -> Sight:
        """What the guest may see of the table now, or a spectator."""
        async with self._hall.use(table) as live:
            return live.now.sight(guest)

    def watch(self, table: str, guest: str | None = None) -> Watch:
        """What the guest may see of the table, now and whenever it changes."""
        return self._hall.watch(table, guest)

    async def lobby(self, guest: str | None = None) -> tuple[Listing, ...]:
        """The listed tables, open ones first."""
        return await self.store.run(partial(listing.lobby, guest=guest))

    async def tables_of(self, guest: str) -> tuple[Listing, ...]:
        """The tables at which the guest has a seat, unfinished ones first."""
        return await self.store.run(partial(listing.tables_of, guest=guest))

    async def replay(self, table: str) -> Game:
        """The whole game, hidden cards too, of a finished table."""
        return _finished(await self._table(table))

    async def record(self, table: str) -> str:
        """The record of a finished table's game."""
        found = await self._table(table)
        extra = {
            "bots": [chair.bot for chair in found.chairs],
            "date": datetime.fromtimestamp(found.created, UTC).date().isoformat(),
            "options": asdict(found.options),
        }
        names = [chair.name or chair.bot or _ANONYMOUS for chair in found.chairs]
        return write_record(_finished(found), names, extra)

    @property
    def figures(self) -> dict[str, int]:
        """How many tables are in memory and how many watches are open."""
        return {"tables": self._hall.held, "watches": self._hall.watched}

    async def _change(self, table: str, command: Callable[[Table], Table]) -> Table:
        return await self._hall.change(table, lambda t: Change(command(t)))

    def _founding(self) -> Founding:
        sources = self._sources
        return Founding(sources.ids(), sources.deal, sources.seeds(), sources.clock())

    async def _table(self, table: str) -> Table:
        async with self._hall.use(table) as live:
            return live.table

    async def _guest(self, guest: str) -> Guest:
        found = await self.guest(guest)
        if found is None:
            raise Declined(TableReason.NO_SUCH_GUEST)
        return found

    def _remembered(self, guest: Guest) -> Guest:
        self._known[guest.id] = guest
        if len(self._known) > _KNOWN:
            del self._known[next(iter(self._known))]
        return guest

    def _named(self, name: str | None) -> str | None:
        return checked_name(name, self.limits.name_length)

    def _bot(self, name: str | None) -> str:
        if name is None:
            return self.limits.stand_in
        if name not in self.bots:
            raise Declined(TableReason.UNKNOWN_BOT)
        return name


def _finished(table: Table) -> Game:
    if table.game is None or table.stage is not Stage.FINISHED:
        raise Declined(TableReason.NOT_FINISHED)
    return table.game
