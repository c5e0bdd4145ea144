"""Bots at the table: they think in threads, from their seat's View alone."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from byzanz.bots import Bot, make_bot, safe_action
from byzanz.rules import Action, Sell, View, branch
from byzanz.tables.model.table import Table

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

_FIRST_SECONDS = 90.0
"""How long the first bot of a name may take to be made."""

BotMaker = Callable[[str, int], Bot]
"""A bot of this name, whose chance the seed decides."""


class Thinkers:
    """So many bots think at once, first come first served; one that fails is answered for."""

    def __init__(self, at_once: int, seconds: float, maker: BotMaker = make_bot) -> None:
        self._at_once = at_once
        self._turns = asyncio.Semaphore(at_once)
        self._threads = ThreadPoolExecutor(at_once, "byzanz-bot")
        self._seconds = seconds
        self._maker = maker
        self._met: dict[str, asyncio.Task[bool]] = {}

    async def choose(self, table: Table, seat: int) -> Action:
        """What the seat's bot plays; a safe action if it fails or is silent for too long."""
        view = _view(table, seat)
        action = await self._ask(table, seat, lambda bot: bot.choose(view))
        if action is None or action not in view.options:
            return safe_action(view)
        return action

    async def sale(self, table: Table, seat: int) -> Sell | None:
        """What the seat's bot sells out of turn (R5.1); None if nothing, or if it fails."""
        view = _view(table, seat)
        sale = await self._ask(table, seat, lambda bot: bot.sale(view))
        return sale if sale in view.options.sales else None

    async def interrupts(self, table: Table, seat: int) -> bool:
        """Whether the seat's bot ever sells out of turn."""
        return await self._meet(table.chairs[seat].bot or "")

    def close(self) -> None:
        """No bot begins to think any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _meet(self, name: str) -> bool:
        """Whether a bot of this name ever sells out of turn; the first is waited for longer.

        A bot that searches is compiled when it is first made, which takes seconds.
        """
        if name not in self._met:
            self._met[name] = asyncio.create_task(asyncio.to_thread(self._met_first, name))
        meeting = self._met[name]
        try:
            if meeting.done():
                return meeting.result()
            async with asyncio.timeout(_FIRST_SECONDS):
                return await asyncio.shield(meeting)
        except Exception:  # noqa: BLE001 (whatever a bot does, the table goes on)
            return False

    def _met_first(self, name: str) -> bool:
        bot = self._maker(name, 0)
        try:
            return bot.interrupts
        finally:
            bot.close()

    async def _ask(self, table: Table, seat: int, ask: Callable[[Bot], _T]) -> _T | None:
        """What the seat's bot answers in a thread; None, and the failure logged, if it does not.

        Its chance depends on the table, the seat and the moment alone: after a restart it answers
        as before.
        """
        name = table.chairs[seat].bot or ""
        await self._meet(name)
        seed = branch(branch(table.seed, seat), table.number)

        def thought() -> _T:
            bot = self._maker(name, seed)
            try:
                return ask(bot)
            finally:
                bot.close()

        try:
            return await self._think(thought)
        except Exception as error:  # noqa: BLE001 (whatever a bot does, the table goes on)
            _LOG.warning("bot %s failed: %s", name, type(error).__name__)
            return None

    async def _think(self, thought: Callable[[], _T]) -> _T:
        async with self._turns:
            threads = self._threads
            thinking = asyncio.get_running_loop().run_in_executor(threads, thought)
            try:
                async with asyncio.timeout(self._seconds):
                    return await thinking
            except TimeoutError:
                # The thread cannot be stopped: others get fresh ones, so that no table waits.
                # Those who already think in these are left to end; they were not silent.
                if self._threads is threads:
                    self._threads = ThreadPoolExecutor(self._at_once, "byzanz-bot")
                threads.shutdown(wait=False)
                raise


def _view(table: Table, seat: int) -> View:
    if table.game is None:
        raise ValueError("a bot plays only once the game has begun")
    return table.game.view(seat)
