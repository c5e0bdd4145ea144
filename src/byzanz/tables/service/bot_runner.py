"""The bot runner: plays the bots' turns and the automatic actions of people at live tables."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from byzanz.bots import safe_action
from byzanz.bots.referee import may_sell
from byzanz.rules import Action, Sell
from byzanz.tables.model import commands
from byzanz.tables.model.automatic import due_action, play_due
from byzanz.tables.model.refusals import Declined
from byzanz.tables.model.table import Change, Stage, Table
from byzanz.tables.storage.store import StoreFailed

from .bot_claims import BotClaims
from .bot_pool import BotPool
from .environment import Environment
from .live_tables import LiveTables
from .subscriptions import LiveTable

_LOG = logging.getLogger(__name__)

_RETRY_SECONDS = 1.0
"""How long a table's bots wait after a failure of the database."""


class BotRunner:
    """Plays the bots' turns and the actions that are due for people, in one task per table."""

    def __init__(
        self, tables: LiveTables, pool: BotPool, claims: BotClaims, environment: Environment
    ) -> None:
        self._tables = tables
        self._pool = pool
        self._claims = claims
        self._clock = environment.clock
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._closed = False

    def wake(self, live: LiveTable) -> None:
        """Start the task that plays at this table, if it has something to do."""
        table = live.table
        if self._closed or table.stage is not Stage.PLAYING or live.id in self._tasks:
            return
        if not self._tables.peers.holds(live.id):
            return
        if any(chair.bot for chair in table.chairs) or due_action(table):
            self._tasks[live.id] = asyncio.create_task(self._run(live.id))

    async def close(self) -> None:
        """Stop all bots."""
        self._closed = True
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def stop(self) -> None:
        """Stop the bots of all tables that this process no longer holds."""
        for table, task in self._tasks.items():
            if not self._tables.peers.holds(table):
                task.cancel()

    async def _run(self, table: str) -> None:
        asked: dict[int, int] = {}
        try:
            async with self._tables.use(table) as live:
                while self._tables.peers.holds(table) and await self._step(live, asked):
                    pass
        except Declined as declined:
            _LOG.info("the bots of a table stopped: %s", declined.reason)
        except Exception:  # noqa: BLE001 (other tables must go on)
            _LOG.exception("the bots of a table stopped")
        finally:
            del self._tasks[table]

    async def _step(self, live: LiveTable, asked: dict[int, int]) -> bool:
        """Play what is due or ask one bot; return whether there was anything to do."""
        try:
            return (
                await self._play_due(live)
                or await self._offer_sale(live, asked)
                or await self._play(live)
            )
        except StoreFailed:
            _LOG.exception("a bot's action was not stored")
            await asyncio.sleep(_RETRY_SECONDS)
            return True

    async def _play_due(self, live: LiveTable) -> bool:
        """Play the action that the service must play for a seat; return whether there was one."""
        if due_action(live.table) is None:
            return False
        await self._tables.change(live.id, lambda table: play_due(table, self._clock()))
        return True

    async def _offer_sale(self, live: LiveTable, asked: dict[int, int]) -> bool:
        """Ask a bot whether it sells out of turn (R5.1); return whether one was asked.

        ``asked`` maps each seat to the length of the log when it was last asked.
        """
        table = live.table
        for seat, chair in enumerate(table.chairs):
            if chair.bot is None or asked.get(seat) == table.logged or not _can_sell(table, seat):
                continue
            asked[seat] = table.logged
            if await self._pool.interrupts(chair.bot):
                sale = await self._pool.sale(table, seat, self._claims.of(live))
                if sale is not None:
                    await self._tables.change(live.id, partial(self._sold, table, seat, sale))
                return True
        return False

    async def _play(self, live: LiveTable) -> bool:
        """Ask a bot for its decision; return whether one had to decide."""
        table = live.table
        seat = next((seat for seat in table.waiting_for if table.chairs[seat].bot), None)
        if seat is None:
            return False
        action = await self._pool.choose(table, seat, self._claims.of(live))
        await self._tables.change(live.id, partial(self._played, table, seat, action))
        return True

    def _sold(self, seen: Table, seat: int, sale: Sell, table: Table) -> Change:
        """Return the table after the bot's sale, or unchanged if the sale is stale or illegal."""
        if not _current(seen, seat, table):
            return Change(table)
        try:
            return commands.act_as_bot(table, seat, sale, self._clock())
        except Exception as error:  # noqa: BLE001 (a bot may answer anything)
            _log_refused(table, seat, error)
            return Change(table)

    def _played(self, seen: Table, seat: int, action: Action | None, table: Table) -> Change:
        """Return the table after the bot's action, or after a safe one if it is illegal."""
        if not _current(seen, seat, table):
            return Change(table)
        if action is not None:
            try:
                return commands.act_as_bot(table, seat, action, self._clock())
            except Exception as error:  # noqa: BLE001 (a bot may answer anything)
                _log_refused(table, seat, error)
        if table.game is None:
            raise RuntimeError("a bot plays only in a game")
        return commands.act_as_bot(table, seat, safe_action(table.game.view(seat)), self._clock())


def _log_refused(table: Table, seat: int, error: Exception) -> None:
    _LOG.warning("bot %s chose an illegal action: %s", table.chairs[seat].bot, type(error).__name__)


def _current(seen: Table, seat: int, table: Table) -> bool:
    """Return whether the table is as the bot saw it, and a bot still plays the seat."""
    return (
        table.logged == seen.logged
        and table.chairs[seat].bot is not None
        and bool(table.waiting_for)
    )


def _can_sell(table: Table, seat: int) -> bool:
    if table.game is None or seat in table.waiting_for or table.stage is not Stage.PLAYING:
        return False
    return may_sell(table.game.state, seat)
