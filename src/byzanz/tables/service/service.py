"""The table service: guests and tables of one database, served by one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Self

import msgspec
from sqlalchemy import Connection

from byzanz.bots import BOTS, make_bot
from byzanz.notation import write_record
from byzanz.rules import Action, Game, Result
from byzanz.tables.model import commands
from byzanz.tables.model.answers import Answer, Request, UndoRequest
from byzanz.tables.model.automatic import automate, cancel, prepare
from byzanz.tables.model.commands import Creation, Dealer
from byzanz.tables.model.plan import BotSeat, NewTable
from byzanz.tables.model.prepared import BY_HAND, Automatic, Prepared
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Change, Stage, Table
from byzanz.tables.model.view import TableView
from byzanz.tables.storage import listing, table_rows
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.store import Store, make_engine

from .aids import AidService
from .bot_claims import BotClaims
from .bot_pool import BotMaker, BotPool
from .bot_runner import BotRunner
from .clock import DecisionClock
from .environment import SYSTEM, Environment
from .game_rates import HourlyRates
from .guests import GuestService
from .limits import Limits
from .live_tables import NUL, LiveTables
from .maintenance import Maintenance
from .rematches import check_deal_is_over, expired_rematch
from .subscriptions import Subscription

_ANONYMOUS = "guest"
"""The name that records show for a guest without a name."""


_CACHED_RESULTS = 10_000
"""The number of results held in memory."""


class TableService:
    """The tables and guests of one database.

    Use it as ``async with TableService(Store.open(url)) as service``. Commands raise Declined if
    the table refuses them; only ``act`` returns a refusal. ``service.guests`` manages guests, and
    ``service.aids`` gives hints and odds.

    ``bots`` are the bots that people may choose. ``alone`` locks the database for this process.
    If ``automatic``, bots, clocks and maintenance run in the background.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        *,
        environment: Environment = SYSTEM,
        bots: tuple[str, ...] = tuple(BOTS),
        maker: BotMaker = make_bot,
        limits: Limits = Limits(),  # noqa: B008 (immutable)
        alone: bool = True,
        automatic: bool = True,
    ) -> None:
        self.store = store
        self.bots = bots
        self.limits = limits
        self._environment = environment
        self._alone = alone
        self._automatic = automatic
        self._tables = LiveTables(store, environment, limits)
        self.guests = GuestService(store, self._tables, environment, limits)
        self.clock = DecisionClock(self._tables, environment, limits)
        self.maintenance = Maintenance(
            store,
            self._tables,
            self.guests,
            self.clock,
            environment=environment,
            limits=limits,
        )
        self._bot_claims = BotClaims(environment, limits)
        self._game_rates = HourlyRates(
            limits.games_per_hour_per_guest,
            limits.games_per_hour_per_address,
            environment.clock,
            self._bot_claims.address_of,
        )
        self._bot_pool = BotPool(
            limits.bot_threads,
            limits.bot_timeout_seconds,
            maker,
            self._bot_claims.spend,
            even=limits.hide_thinking_times,
        )
        self._bot_runner = BotRunner(self._tables, self._bot_pool, self._bot_claims, environment)
        self.aids = AidService(self._tables, self._bot_pool, self._bot_claims, environment, limits)
        self._background: list[asyncio.Task[None]] = []
        self._results: dict[str, Result] = {}

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.store.serve, alone=self._alone)
        if self._automatic:
            self._tables.listeners.append(self._bot_runner.wake)
            self._background = [
                asyncio.create_task(self.clock.run()),
                asyncio.create_task(self.maintenance.run()),
            ]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self.aids.close()
        await self._bot_runner.close()
        await self._tables.close()
        self._bot_pool.close()
        await asyncio.to_thread(self.store.close)

    async def secret(self, name: str) -> str:
        """Return the secret of this name, which is made once for each database."""
        return await self.store.secret(name, self._environment.keys())

    async def create(self, host: str, plan: NewTable, automatic: Automatic = BY_HAND) -> str:
        """Create a table and return its id. It is in play at once if no seat is open."""
        guest = await self.guests.require(host)
        for seat in plan.seats:
            if isinstance(seat, BotSeat):
                self._bot(seat.bot)
        self._game_rates.count(host, TableReason.TOO_MANY_GAMES)
        table = commands.create(guest, plan, self._creation(), automatic)
        limits, listed = self.limits, plan.options.listed

        def job(connection: Connection) -> None:
            if table_rows.hosted(connection, host) >= limits.tables_per_guest:
                raise Declined(TableReason.TOO_MANY_TABLES, most=limits.tables_per_guest)
            self._check_seats(connection, host)
            most = limits.listed_tables_per_guest
            if listed and table_rows.listed(connection, host) >= most:
                raise Declined(TableReason.TOO_MANY_LISTED, most=most)
            table_rows.add_table(connection, table)

        await self.store.run(job)
        await self._table(table.id)  # loading a table starts its bots
        return table.id

    async def join(
        self, table: str, guest: str, seat: int | None = None, automatic: Automatic = BY_HAND
    ) -> int:
        """Seat the guest on this seat, or on the first open one, and return the seat."""
        found = await self.guests.require(guest)
        now, deal = self._environment.clock(), await self._dealer(table)
        await self.store.run(partial(self._check_seats, guest=guest))
        after = await self._change(
            table, lambda t: commands.join(t, found, seat, deal, now, automatic=automatic)
        )
        taken = after.seat_of(guest)
        if taken is None:
            raise RuntimeError("a guest who joined has no seat")
        return taken

    async def start(self, table: str, host: str, bot: str | None = None) -> None:
        """Begin the game, with this bot or the default one on every open seat."""
        chosen, now = self._bot(bot), self._environment.clock()
        deal = await self._dealer(table)
        await self._change(table, lambda t: commands.start(t, host, chosen, deal, now))

    async def leave(self, table: str, guest: str) -> None:
        """Remove the guest from the table for good. A bot takes over their seat."""
        now, bot = self._environment.clock(), self.limits.substitute_bot
        await self._change(table, lambda t: commands.leave(t, guest, bot, now))

    async def replace(self, table: str, host: str, seat: int, bot: str | None = None) -> None:
        """Let a bot stand in for the absent person on this seat until they return.

        It is the strongest bot at the table, or the default one if there is none. The host cannot
        choose a weaker one; ``bot`` is checked and otherwise ignored.
        """
        self._bot(bot)
        now = self._environment.clock()
        async with self._tables.use(table) as live:
            present = live.present_since(now - self.limits.polling_presence_seconds)
            await self._change(
                table,
                lambda t: commands.stand_in(t, host, seat, self._own_bot(t), present, now=now),
            )

    async def come_back(self, table: str, guest: str) -> None:
        """Let the guest play their own seat again."""
        now = self._environment.clock()
        await self._change(table, lambda t: commands.come_back(t, guest, now))

    async def rematch(
        self, table: str, guest: str, *, rotated: bool = False, invite: bool = False
    ) -> str:
        """Create the rematch of a finished table, or find it, and return its id.

        It has a new deal or, if ``rotated``, the same deal with every player on the next seat. If
        ``rotated`` or ``invite``, the game begins when the other people have accepted. The first
        request decides; later ones return the same table and accept the invitation. Only a request
        that is itself ``rotated`` accepts the same deal.
        """
        creation, bot = self._creation(), self.limits.substitute_bot
        expired = await expired_rematch(self._table, table)

        def command(before: Table) -> Change:
            new = commands.rematch(before, guest, bot, creation, rotated=rotated, invite=invite)
            if before.followed_by not in (None, expired):
                return Change(before)
            self._game_rates.count(guest, TableReason.TOO_MANY_GAMES)
            return Change(commands.link_rematch(before, new.id, creation.now), created=new)

        after = await self._tables.change(table, command)
        if after.followed_by is None:
            raise RuntimeError("a rematch was not noted")
        found = await self.look(after.followed_by, guest)  # loading a table starts its bots
        if (
            found.stage is Stage.OPEN
            and found.seat is not None
            and found.sitters[found.seat].invited
            and (rotated or not found.rotated)
        ):
            await self.join(found.table, guest)
        return after.followed_by

    async def decline(self, table: str, guest: str) -> None:
        """Decline an invitation to this rematch; do nothing if there is none."""
        now, bot = self._environment.clock(), self.limits.substitute_bot

        def command(found: Table) -> Table:
            seat = found.seat_of(guest)
            invited = seat is not None and found.chairs[seat].invited
            invited = invited and found.stage is Stage.OPEN
            return commands.leave(found, guest, bot, now) if invited else found

        await self._change(table, command)

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
        """Play a guest's action, store it and return the answer. The same key gets the same answer.

        A sale names the number of sets that its seat has sold; every other action names the
        decision that it answers. Raises Declined only if there is no such table or the key is
        malformed.
        """
        self._check_key(key)
        now = self._environment.clock()
        request = Request.of(guest, key, action, decision=decision, sale=sale, at=now)
        return await self._tables.act(table, request)

    async def undo(self, table: str, guest: str, number: int, key: str) -> Answer:
        """Take back the guest's last decision and return the answer, as for an action.

        ``number`` is the ``undo`` of the table view. Raises what ``act`` raises.
        """
        self._check_key(key)
        request = UndoRequest(guest, key, number, self._environment.clock())
        return await self._tables.act(table, request)

    async def prepare(self, table: str, guest: str, prepared: Prepared) -> None:
        """Prepare an answer, which is played as soon as it is due. It replaces an earlier one.

        Raises Malformed if a card or kind cannot be parsed.
        """
        await self._tables.change(table, lambda t: prepare(t, guest, prepared))

    async def cancel(self, table: str, guest: str) -> None:
        """Drop the guest's prepared answer, and the notices on their page."""
        await self._tables.change(table, lambda t: cancel(t, guest))

    async def automate(self, table: str, guest: str, automatic: Automatic) -> None:
        """Change which actions the service plays for the guest automatically."""
        await self._tables.change(table, lambda t: automate(t, guest, automatic))

    async def look(self, table: str, guest: str | None = None) -> TableView:
        """Return what the guest, or a spectator, may see of the table now."""
        async with self._tables.use(table) as live:
            live.note_request(guest, self._environment.clock())
            live.refresh_presence(self._environment.clock())
            return live.snapshot.view(guest)

    def subscribe(self, table: str, guest: str | None = None) -> Subscription:
        """Return a subscription to what the guest, or a spectator, may see of the table."""
        return self._tables.subscribe(table, guest)

    async def lobby(self, guest: str | None = None) -> tuple[Listing, ...]:
        """Return the listed tables, open ones first."""
        address_of = self._bot_claims.address_of
        return await self.store.run(partial(listing.lobby, guest=guest, address_of=address_of))

    async def tables_of(self, guest: str) -> tuple[Listing, ...]:
        """Return the tables at which the guest has a seat, unfinished ones first."""
        return await self.store.run(partial(listing.tables_of, guest=guest))

    async def replay(self, table: str) -> Game:
        """Return the whole game of a finished table, including hidden cards.

        Raises Declined while a rematch with the same deal waits for its players or is in play.
        """
        found = await self._table(table)
        game = _finished_game(found)
        await check_deal_is_over(self._table, found)
        return game

    async def result(self, table: str) -> Result:
        """Return the result of a finished table's game. Results are cached."""
        found = self._results.get(table)
        if found is None:
            found = _finished_game(await self._table(table)).result
            self._results[table] = found
            if len(self._results) > _CACHED_RESULTS:
                del self._results[next(iter(self._results))]
        return found

    async def record(self, table: str) -> str:
        """Return the record of a finished table's game; raises what ``replay`` raises."""
        game, found = await self.replay(table), await self._table(table)
        extra: dict[str, object] = {
            "bots": [chair.bot for chair in found.chairs],
            "date": datetime.fromtimestamp(found.created, UTC).date().isoformat(),
            "options": msgspec.structs.asdict(found.options),
        }
        if found.undone:
            extra["undone"] = found.undone
        if found.hints:
            extra["hints"] = found.hints
        names = [chair.name or chair.bot or _ANONYMOUS for chair in found.chairs]
        return write_record(game, names, extra)

    @property
    def figures(self) -> dict[str, float]:
        """The number of tables in memory, of open subscriptions and of bots' decisions that wait.

        Also the average wait of a decision.
        """
        return {
            "tables": self._tables.table_count,
            "watches": self._tables.subscription_count,
            **self._bot_pool.figures,
        }

    def note_address(self, guest: str, address: str) -> None:
        """Store the address of a guest's last request. Addresses share the bots' time equally."""
        self._bot_claims.note_address(guest, address)

    async def _change(self, table: str, command: Callable[[Table], Table]) -> Table:
        return await self._tables.change(table, lambda found: Change(command(found)))

    async def _dealer(self, table: str) -> Dealer:
        """Return the dealer of a table: a rotated rematch has the deal of the game before it."""
        found = await self._table(table)
        if found.rotated and found.follows is not None:
            with suppress(Declined):  # the earlier table may have been deleted
                game = (await self._table(found.follows)).game
                if game is not None:
                    return lambda _: game.deal
        return self._environment.deal

    def _check_seats(self, connection: Connection, guest: str) -> None:
        """Raise Declined if the guest has a seat at too many tables."""
        most = self.limits.seats_per_guest
        if table_rows.seated(connection, guest) >= most:
            raise Declined(TableReason.TOO_MANY_SEATS, most=most)

    def _creation(self) -> Creation:
        environment = self._environment
        return Creation(
            environment.ids(), environment.deal, environment.seeds(), environment.clock()
        )

    async def _table(self, table: str) -> Table:
        async with self._tables.use(table) as live:
            return live.table

    def _check_key(self, key: str) -> None:
        if not 0 < len(key) <= self.limits.max_key_length or NUL in key:
            raise Declined(TableReason.BAD_KEY, longest=self.limits.max_key_length)

    def _own_bot(self, table: Table) -> str:
        """Return the strongest of the bots that own a seat at the table, or the default bot."""
        owners = [chair.bot for chair in table.chairs if chair.bot and chair.guest is None]
        known = [bot for bot in owners if bot in self.bots]
        return max(known, key=self.bots.index, default=self.limits.substitute_bot)

    def _bot(self, name: str | None) -> str:
        """Return the bot's name, or the default; raises Declined if people may not choose it."""
        if name is None:
            return self.limits.substitute_bot
        if name not in self.bots:
            raise Declined(TableReason.UNKNOWN_BOT)
        return name


def _finished_game(table: Table) -> Game:
    if table.game is None or table.stage is not Stage.FINISHED:
        raise Declined(TableReason.NOT_FINISHED)
    return table.game


class NotForgotten(Exception):
    """Raised when the database has no such guest."""


def forget(url: str | None, guest: str) -> None:
    """Delete a guest from a database that no process serves.

    Raises NotForgotten if there is no such guest, AlreadyServed if a process serves the database,
    and FileNotFoundError if its file does not exist.
    """

    async def forgetting() -> None:
        async with TableService(Store(make_engine(url, create=False)), automatic=False) as service:
            if await service.guests.get(guest) is None:
                raise NotForgotten(f"the database has no guest '{guest}'")
            await service.guests.forget(guest)

    asyncio.run(forgetting())
