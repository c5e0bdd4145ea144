"""Who moves the tables on when no person does: bots, the clock, and the rules themselves."""

from __future__ import annotations

import asyncio
import logging
from functools import partial

from byzanz.rules import Action, options
from byzanz.tables.model import commands
from byzanz.tables.model.reasons import Declined
from byzanz.tables.model.table import Change, Stage, Table
from byzanz.tables.storage.store import StoreFailed

from .bot_pool import Thinkers
from .environment import Sources
from .live_tables import Hall
from .subscriptions import Live

_LOG = logging.getLogger(__name__)

_PAUSE = 1.0
"""Seconds before a bot tries again after the database failed."""


class Drivers:
    """Lets bots play at every live table at which they must, one task a table."""

    def __init__(self, hall: Hall, thinkers: Thinkers, sources: Sources) -> None:
        self._hall = hall
        self._thinkers = thinkers
        self._clock = sources.clock
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def wake(self, live: Live) -> None:
        """Bots play on at this table, if it has any."""
        table = live.table
        if table.stage is not Stage.PLAYING or live.name in self._tasks:
            return
        if any(chair.bot for chair in table.chairs) or commands.forced(table):
            task = asyncio.create_task(self._drive(live.name))
            self._tasks[live.name] = task

    async def close(self) -> None:
        """No bot plays any more."""
        tasks = tuple(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _drive(self, name: str) -> None:
        asked: dict[int, int] = {}
        try:
            async with self._hall.use(name) as live:
                while await self._step(live, asked):
                    pass
        except Declined as gone:
            _LOG.info("a table went away: %s", gone.reason)
        except Exception:  # noqa: BLE001 (other tables go on)
            _LOG.exception("the bots of a table stopped")
        finally:
            del self._tasks[name]

    async def _step(self, live: Live, asked: dict[int, int]) -> bool:
        """Whether a bot had something to do."""
        try:
            return (
                await self._obey(live)
                or await self._offer_sale(live, asked)
                or await self._play(live)
            )
        except StoreFailed:
            _LOG.exception("a bot's action was not stored")
            await asyncio.sleep(_PAUSE)
            return True

    async def _obey(self, live: Live) -> bool:
        """Whether somebody had no choice: that is played for them, whoever they are (R3.11)."""
        if commands.forced(live.table) is None:
            return False
        await self._hall.change(live.name, lambda table: commands.obeyed(table, self._clock()))
        return True

    async def _offer_sale(self, live: Live, asked: dict[int, int]) -> bool:
        """Whether a bot was asked to sell out of turn (R5.1); each is, once after every action."""
        table = live.table
        for seat, chair in enumerate(table.chairs):
            if chair.bot is None or asked.get(seat) == table.number or not _may_sell(table, seat):
                continue
            asked[seat] = table.number
            if await self._thinkers.interrupts(table, seat):
                sale = await self._thinkers.sale(table, seat)
                if sale is not None:
                    await self._hall.change(live.name, partial(self._moved, table, seat, sale))
                return True
        return False

    async def _play(self, live: Live) -> bool:
        """Whether a bot owed a decision."""
        table = live.table
        seat = next((seat for seat in table.waiting_for if table.chairs[seat].bot), None)
        if seat is None:
            return False
        action = await self._thinkers.choose(table, seat)
        await self._hall.change(live.name, partial(self._moved, table, seat, action))
        return True

    def _moved(self, seen: Table, seat: int, action: Action, table: Table) -> Change:
        """The bot's action played, unless the table it saw is not the table as it is."""
        if table.number != seen.number or table.chairs[seat].bot is None or not table.waiting_for:
            return Change(table)
        return commands.moved(table, seat, action, self._clock())


def _may_sell(table: Table, seat: int) -> bool:
    if table.game is None or seat in table.waiting_for or table.stage is not Stage.PLAYING:
        return False
    return bool(options(table.game.state, seat).sales)
