"""The table service: guests and tables of one database."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Self

from sqlalchemy import Connection

from byzanz.bots import BOTS, make_bot
from byzanz.rules import Action
from byzanz.tables.model import commands
from byzanz.tables.model.answers import Answer, Request, UndoRequest
from byzanz.tables.model.automatic import automate, cancel, prepare
from byzanz.tables.model.branch import branch
from byzanz.tables.model.commands import Dealer
from byzanz.tables.model.plan import BotSeat, NewTable
from byzanz.tables.model.prepared import BY_HAND, Automatic, Prepared
from byzanz.tables.model.proof import checked_nonce
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Change, LogEntry, Stage, Table
from byzanz.tables.storage import listing, table_rows
from byzanz.tables.storage.listing import Listing
from byzanz.tables.storage.store import Store

from .aids import AidService
from .bot_pool import BotMaker, BotPool
from .bot_runner import BotRunner
from .clock import DecisionClock
from .cluster import NO_CLUSTER, Cluster
from .environment import SYSTEM, Environment
from .game_rates import HourlyRates
from .guests import GuestService
from .job_queue import jobs_of
from .jobs import JobKind
from .limits import Limits
from .live_tables import NUL, LiveTables
from .maintenance import Maintenance
from .moderation import Moderation
from .notifications import NotificationService
from .ratings import RatingService
from .rematches import expired_rematch
from .review_process import review_in_process
from .reviews import Reviewer, Reviews
from .shared_budgets import SharedBudgets
from .shared_deals import SharedDealService
from .talk import TalkService


class TableService(Moderation):
    """The tables and guests of one database.

    Use it as ``async with TableService(Store.open(url)) as service``. Commands raise Declined if
    the table refuses them; only ``act`` and ``undo`` return a refusal. ``service.guests`` manages
    guests, and ``service.history`` has their finished games. ``service.deals`` has deals that many
    people play, ``service.reviews`` reviews finished games, ``service.ratings`` has people's
    ratings, ``service.aids`` gives hints and odds, and ``service.bans`` tells who is banned.

    ``bots`` are the bots that people may choose. ``alone`` locks the database; on PostgreSQL other
    services share the lock. If ``automatic``, bots, clocks and jobs run in the background. If
    ``serves`` is false, only background jobs run, as in a worker on PostgreSQL.
    """

    def __init__(  # noqa: PLR0913
        self,
        store: Store,
        *,
        environment: Environment = SYSTEM,
        bots: tuple[str, ...] = tuple(BOTS),
        maker: BotMaker = make_bot,
        limits: Limits = Limits(),  # noqa: B008 (immutable)
        reviewer: Reviewer = review_in_process,
        alone: bool = True,
        automatic: bool = True,
        serves: bool = True,
    ) -> None:
        super().__init__(store, LiveTables(store, environment, limits), environment, limits, bots)
        self._alone = alone
        self._automatic = automatic
        self._serves = serves
        self.jobs = jobs_of(
            store, environment, lambda: self._works, shared=automatic, serves=serves
        )  # fmt: skip
        self.guests = GuestService(store, self._tables, environment, limits)
        self.talk = TalkService(self._tables, environment)
        self.notifications = NotificationService(
            store, self._tables, environment, limits, self.jobs
        )  # fmt: skip
        self.notifications.watches = serves
        self.deals = SharedDealService(
            store, self._tables, self.guests,
            environment=environment, limits=limits, bots=bots, secret=self.secret,
        )  # fmt: skip
        self.clock = DecisionClock(self._tables, environment, limits)
        self.maintenance = Maintenance(
            store, self._tables, self.guests, self.history, self.clock,
            environment=environment, limits=limits, jobs=self.jobs,
        )  # fmt: skip
        self.budgets = SharedBudgets(store, self.secret)
        self.ratings = RatingService(store, self._tables, self._bot_claims.address_of, self.secret)
        self._game_rates = HourlyRates(
            limits.games_per_hour_per_guest, limits.games_per_hour_per_address,
            environment.clock, self._bot_claims.address_of,
        )  # fmt: skip
        self._bot_pool = BotPool(
            limits.bot_threads,
            limits.bot_timeout_seconds,
            maker,
            self._bot_claims.spend,
            even=limits.hide_thinking_times,
        )
        self._bot_runner = BotRunner(self._tables, self._bot_pool, self._bot_claims, environment)
        self.reviews = Reviews(
            store, self.replay, self._record,
            environment=environment, limits=limits, jobs=self.jobs, reviewer=reviewer,
        )  # fmt: skip
        self.maintenance.cleaning += [self.notifications.clean_up, self.reviews.resume]
        self.aids = AidService(self._tables, self._bot_pool, self._bot_claims, environment, limits)
        self._background: list[asyncio.Task[None]] = []
        self._cluster: Cluster | None = None
        if store.sharable and automatic:
            self._cluster = Cluster(
                store, self._tables, environment,
                resumed=self.clock.add, released=self._bot_runner.stop,
                forget_guest=self.guests.uncache, serves=serves,
            )  # fmt: skip
            sessions = self.guests.sessions
            sessions.announce = self._cluster.announce_session
            self._cluster.session_ended = sessions.uncache
            self._cluster.beats += [self.budgets.exchange, sessions.check_watched]
            self.budgets.peers = self._cluster
            self.budgets.add("thinking", self._bot_claims.budgets)
            for name, rates in (
                ("games", self._game_rates), ("hints", self.aids.rates),
                ("passwords", self._passwords.rates), ("tables", self._passwords.table_rates),
            ):  # fmt: skip
                self.budgets.add_rates(name, rates)

    async def __aenter__(self) -> Self:
        await asyncio.to_thread(self.store.serve, alone=self._alone, shared=True)
        await self.pseudonyms.load()
        await self.bans.load()
        if not self._automatic:
            return self
        if self._serves:
            self._tables.listeners.append(self._bot_runner.wake)
        if self._cluster is not None:
            await self._cluster.start()
        work = [self.maintenance.run(), self.jobs.run(), self.reviews.run()]
        if self._serves:
            work += [
                self.clock.run(), self.bans.run(), self.pseudonyms.run(), self.notifications.run(),
            ]  # fmt: skip
        self._background = [asyncio.create_task(each) for each in work]
        return self

    @property
    def _works(self) -> bool:
        """Whether this process does the background jobs that all processes share."""
        return not self._serves or (self.limits.jobs_in_server and self._tables.peers.leads)

    async def hand_over(self) -> None:
        """Let other processes play the bots of this one, before it stops answering requests."""
        if self._cluster is not None:
            await self._cluster.leave()

    async def __aexit__(self, *_: object) -> None:
        await self.hand_over()
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await self.aids.close()
        await self._bot_runner.close()
        await self._tables.close()
        if self._cluster is not None:
            await self._cluster.close()
        self._bot_pool.close()
        await asyncio.to_thread(self.store.close)

    async def secret(self, name: str) -> str:
        """Return the secret of this name, which is made once for each database."""
        return await self.store.secret(name, self._environment.keys())

    async def create(
        self,
        host: str,
        plan: NewTable,
        automatic: Automatic = BY_HAND,
        nonce: str | None = None,
        *,
        password: str | None = None,
    ) -> str:
        """Create a table and return its id. The game begins at once if no seat is open.

        With a password, only guests who know it can join and watch.
        """
        guest = await self.guests.require(host)
        for seat in plan.seats:
            if isinstance(seat, BotSeat):
                self._bot_choice.checked(seat.bot)
        self._game_rates.count(host, TableReason.TOO_MANY_GAMES)
        hashed = await self._passwords.hashed(password)
        creation = replace(self._environment.creation(nonce), password=hashed)
        table = commands.create(guest, plan, creation, automatic)
        return await self._add(table, host)

    async def branch(  # noqa: PLR0913
        self,
        table: str,
        guest: str,
        *,
        seat: int,
        step: int,
        anew: bool = False,
        automatic: Automatic = BY_HAND,
    ) -> str:
        """Create a table at which the guest continues a finished game, and return its id.

        The guest takes the seat after ``step`` actions, against bots. The hidden cards are those of
        the game. If ``anew``, the cards that the seat had not seen are dealt anew.
        """
        game, origin = await self.replay(table, guest), await self._table(table)
        found = await self.guests.require(guest)
        self._game_rates.count(guest, TableReason.TOO_MANY_GAMES)
        new, entries = branch(
            origin,
            game,
            found,
            self._environment.creation(None),
            seat=seat,
            step=step,
            bot=self._bot_choice.strongest_at(origin),
            anew=anew,
            automatic=automatic,
        )
        return await self._add(new, guest, entries)

    async def _add(self, table: Table, host: str, entries: tuple[LogEntry, ...] = ()) -> str:
        """Store a new table and return its id; raises Declined if the guest has too many."""
        limits, listed = self.limits, table.options.listed

        def job(connection: Connection) -> None:
            if table_rows.hosted(connection, host) >= limits.tables_per_guest:
                raise Declined(TableReason.TOO_MANY_TABLES, most=limits.tables_per_guest)
            self._check_seats(connection, host)
            most = limits.listed_tables_per_guest
            if listed and table_rows.listed(connection, host) >= most:
                raise Declined(TableReason.TOO_MANY_LISTED, most=most)
            table_rows.add_table(connection, table, entries)

        await self.store.run(job)
        await self._table(table.id)  # loading a table starts its bots
        return table.id

    async def join(  # noqa: PLR0913
        self,
        table: str,
        guest: str,
        seat: int | None = None,
        automatic: Automatic = BY_HAND,
        nonce: str | None = None,
        *,
        password: str | None = None,
    ) -> int:
        """Seat the guest on this seat, or on the first open one, and return the seat.

        If the table has a password, the guest must give it, unless they have given it before.
        """
        found = await self.guests.require(guest)
        if password:
            await self.admit(table, guest, password)
        await self._tables.check_admitted(await self._table(table), guest)
        now, deal = self._environment.clock(), await self._dealer(table)
        given = checked_nonce(nonce, self._environment.nonces())
        await self.store.run(partial(self._check_seats, guest=guest))
        after = await self._change(
            table,
            lambda t: commands.join(t, found, seat, deal, now, automatic=automatic, nonce=given),
        )
        taken = after.seat_of(guest)
        if taken is None:
            raise RuntimeError("a guest who joined has no seat")
        return taken

    async def start(self, table: str, host: str, bot: str | None = None) -> None:
        """Begin the game, with this bot or the default one on every open seat."""
        chosen, now = self._bot_choice.checked(bot), self._environment.clock()
        deal = await self._dealer(table)
        await self._change(table, lambda t: commands.start(t, host, chosen, deal, now))

    async def leave(self, table: str, guest: str) -> None:
        """Remove the guest from the table for good. During a game, a bot takes over their seat."""
        now, bot = self._environment.clock(), self.limits.substitute_bot
        await self._change(table, lambda t: commands.leave(t, guest, bot, now))

    async def rematch(
        self,
        table: str,
        guest: str,
        *,
        rotated: bool = False,
        invite: bool = False,
        nonce: str | None = None,
    ) -> str:
        """Create the rematch of a finished table, or find it, and return its id.

        It has a new deal or, if ``rotated``, the same deal with every player on the next seat. If
        ``rotated`` or ``invite``, the game begins when the other people have accepted. The first
        request decides; later ones return the same table and accept the invitation. Only a request
        that is itself ``rotated`` accepts a rematch with the same deal.
        """
        creation, bot = self._environment.creation(nonce), self.limits.substitute_bot
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
            await self.join(found.table, guest, nonce=nonce)
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

        Pass ``sale`` of the table view with a sale, and ``decision`` with any other action. Raises
        Declined only if the key is malformed, there is no such table, or the guest may not see it.
        """
        self._check_key(key)
        now = self._environment.clock()
        request = Request.of(guest, key, action, decision=decision, sale=sale, at=now)
        await self.ratings.note_network(table, guest)
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
        """Drop the guest's prepared answer, and the notices on their page.

        These tell why an answer was dropped and why a bot stood in. The latter stays while the bot
        still plays.
        """
        await self._tables.change(table, lambda t: cancel(t, guest))

    async def automate(self, table: str, guest: str, automatic: Automatic) -> None:
        """Change which actions the service plays for the guest automatically."""
        await self._tables.change(table, lambda t: automate(t, guest, automatic))

    async def lobby(self, guest: str | None = None) -> tuple[Listing, ...]:
        """Return the listed tables, open ones first."""
        address_of = self._bot_claims.address_of
        return await self.store.run(partial(listing.lobby, guest=guest, address_of=address_of))

    @property
    def now(self) -> float:
        """The time, in seconds since 1970."""
        return self._environment.clock()

    @property
    def figures(self) -> dict[str, float]:
        """Numbers for the metrics: tables, subscriptions, queues, database and processes."""
        return {
            "tables": self._tables.table_count,
            "watches": self._tables.subscription_count,
            "review_queue": self.jobs.figures[JobKind.REVIEW].waiting,
            **self._bot_pool.figures,
            **self.store.figures,
            **(NO_CLUSTER if self._cluster is None else self._cluster.figures),
        }

    def note_address(self, guest: str, address: str) -> None:
        """Note the address of a guest's last request. Addresses share the bots' time equally."""
        self._bot_claims.note_address(guest, address)
        self.pseudonyms.note(guest, address)

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

    def _check_key(self, key: str) -> None:
        if not 0 < len(key) <= self.limits.max_key_length or NUL in key:
            raise Declined(TableReason.BAD_KEY, longest=self.limits.max_key_length)
