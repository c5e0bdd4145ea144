"""What people at a table can do about others: remove or replace them, vote, set a password."""

from __future__ import annotations

from collections.abc import Callable

from byzanz.tables.model import commands
from byzanz.tables.model.abandonment import vote_to_end
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Change, Table
from byzanz.tables.storage.store import Store

from .bans import Bans
from .bot_choice import BotChoice
from .bot_claims import BotClaims
from .environment import Environment
from .finished_tables import FinishedTables
from .game_rates import HourlyRates
from .limits import Limits
from .live_tables import LiveTables
from .pseudonyms import Pseudonyms
from .table_passwords import TablePasswords


class Moderation(FinishedTables):
    """The part of the service that decides who may be at a table, and who plays for whom."""

    def __init__(
        self,
        store: Store,
        tables: LiveTables,
        environment: Environment,
        limits: Limits,
        bots: tuple[str, ...],
    ) -> None:
        super().__init__(store, tables)
        self.bots = bots
        self.limits = limits
        self._environment = environment
        self._bot_choice = BotChoice(bots, limits.substitute_bot)
        self._bot_claims = BotClaims(environment, limits)
        self.bans = Bans(store, environment, limits)
        self.pseudonyms = Pseudonyms(store, environment, limits)
        per_table = limits.password_tries_per_hour_per_table
        self._passwords = TablePasswords(
            store,
            HourlyRates(
                limits.password_tries_per_hour_per_guest,
                limits.password_tries_per_hour_per_address,
                environment.clock,
                self._bot_claims.address_of,
            ),
            HourlyRates(per_table, per_table, environment.clock, str),
        )

    async def admit(self, table: str, guest: str, password: str) -> None:
        """Let the guest see and join the table; raises Declined if this is not its password."""
        await self._passwords.admit(await self._table(table), guest, password)

    async def is_admitted(self, table: str, guest: str | None) -> bool:
        """Return whether the guest may see the table without giving its password."""
        try:
            await self._tables.check_admitted(await self._table(table), guest)
        except Declined as declined:
            if declined.reason is not TableReason.PASSWORD_NEEDED:
                raise
            return False
        return True

    async def remove(self, table: str, host: str, seat: int) -> None:
        """Free the seat of another person before the game begins, as the host."""
        now = self._environment.clock()
        await self._change(table, lambda t: commands.remove(t, host, seat, now))

    async def replace(self, table: str, host: str, seat: int, bot: str | None = None) -> None:
        """Let a bot stand in for the absent person on this seat until they return.

        It is the strongest bot that owns a seat at the table, or the default one if there is none.
        The host cannot choose a weaker one; ``bot`` is checked and otherwise ignored.
        """
        self._bot_choice.checked(bot)
        now = self._environment.clock()
        async with self._tables.use(table) as live:
            present = live.present_since(now - self.limits.polling_presence_seconds)
            await self._change(
                table,
                lambda t: commands.stand_in(
                    t, host, seat, self._bot_choice.strongest_at(t), present, now=now
                ),
            )

    async def come_back(self, table: str, guest: str) -> None:
        """Let the guest play their own seat again."""
        now = self._environment.clock()
        await self._change(table, lambda t: commands.come_back(t, guest, now))

    async def vote_to_end(self, table: str, guest: str, *, wants: bool = True) -> None:
        """Vote to end a game that somebody has abandoned, or withdraw the vote.

        The game ends, without a result, when everybody who has not abandoned it has voted.
        """
        now = self._environment.clock()
        async with self._tables.use(table) as live:
            self._tables.note_request(live, guest)
            await self._change(
                table,
                lambda t: vote_to_end(t, guest, live.gone_seats(t, now), now, wants=wants),
            )

    async def _change(self, table: str, command: Callable[[Table], Table]) -> Table:
        return await self._tables.change(table, lambda found: Change(command(found)))
