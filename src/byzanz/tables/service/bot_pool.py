"""The bot pool: bots compute in threads, each from its seat's view alone."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from byzanz.bots import Bot, make_bot
from byzanz.rules import Action, Sell, View, branch
from byzanz.tables.model.table import Table

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

_FIRST_SECONDS = 90.0
"""How long the first bot of a name may take to be made."""

BotMaker = Callable[[str, int], Bot]
"""Makes a bot of this name with this random seed."""


class BotPool:
    """Asks bots for decisions, at most ``threads`` at once and in the order of the requests.

    A bot is made once and reseeded for each decision, if it can be: see :meth:`Bot.reseed`. No bot
    is asked by two threads at once; each name has as many bots as threads need.
    """

    def __init__(self, threads: int, seconds: float, maker: BotMaker = make_bot) -> None:
        self._thread_count = threads
        self._slots = asyncio.Semaphore(threads)
        self._threads = ThreadPoolExecutor(threads, "byzanz-bot")
        self._seconds = seconds
        self._maker = maker
        self._interrupts: dict[str, asyncio.Task[bool]] = {}
        self._free: dict[str, list[Bot]] = {}
        self._lock = threading.Lock()
        self._closed = False

    async def choose(self, table: Table, seat: int) -> Action | None:
        """Return the action that the seat's bot chooses, or None if it fails or is too slow.

        Whether the action is legal is not checked.
        """
        view = _view(table, seat)
        action = await self._ask(table, seat, lambda bot: bot.choose(view))
        return action if isinstance(action, Action) else None

    async def sale(self, table: Table, seat: int) -> Sell | None:
        """Return the sale that the seat's bot makes out of turn (R5.1), or None.

        Whether the sale is legal is not checked.
        """
        view = _view(table, seat)
        sale = await self._ask(table, seat, lambda bot: bot.sale(view))
        return sale if isinstance(sale, Sell) else None

    async def interrupts(self, name: str) -> bool:
        """Return whether bots of this name ever sell out of turn; False if none can be made.

        The first bot of a name may take longer: some are compiled then.
        """
        if name not in self._interrupts:
            first = asyncio.to_thread(self._make_first, name)
            self._interrupts[name] = asyncio.create_task(first)
        task = self._interrupts[name]
        try:
            if task.done():
                return task.result()
            async with asyncio.timeout(_FIRST_SECONDS):
                return await asyncio.shield(task)
        except Exception:  # noqa: BLE001 (the table must go on, whatever a bot does)
            return False

    def close(self) -> None:
        """Close all bots that are free, and start no thread any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            self._closed = True
            free, self._free = self._free, {}
        for bots in free.values():
            for bot in bots:
                bot.close()

    def _make_first(self, name: str) -> bool:
        with self._borrowed(name, 0) as bot:
            return bot.interrupts

    async def _ask(self, table: Table, seat: int, ask: Callable[[Bot], _T]) -> _T | None:
        """Return the answer of the seat's bot; if it has none, log the failure and return None.

        The bot's randomness depends on the table, the seat and the number of actions in the game
        alone. So a bot answers the same after a restart, and also if a decision was taken back and
        then made again.
        """
        name = table.chairs[seat].bot or ""
        await self.interrupts(name)
        seed = branch(branch(table.seed, seat), table.number)

        def work() -> _T:
            with self._borrowed(name, seed) as bot:
                return ask(bot)

        try:
            return await self._in_thread(work)
        except Exception as error:  # noqa: BLE001 (the table must go on, whatever a bot does)
            _LOG.warning("bot %s failed: %s", name, type(error).__name__)
            return None

    @contextmanager
    def _borrowed(self, name: str, seed: int) -> Iterator[Bot]:
        """Lend a bot with this seed: a free one, or a new one. A bot that fails is closed."""
        with self._lock:
            free = self._free.get(name)
            bot = free.pop() if free else None
        if bot is None:
            bot = self._maker(name, seed)
        else:
            bot.reseed(seed)
        reusable = False
        try:
            yield bot
            reusable = _reset(bot)
        finally:
            with self._lock:
                reusable = reusable and not self._closed
                if reusable:
                    self._free.setdefault(name, []).append(bot)
            if not reusable:
                bot.close()

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        async with self._slots:
            threads = self._threads
            running = asyncio.get_running_loop().run_in_executor(threads, work)
            try:
                async with asyncio.timeout(self._seconds):
                    return await running
            except TimeoutError:
                # A thread cannot be stopped. Later requests get new threads, so that no table
                # waits; bots that are still computing in the old ones may finish.
                if self._threads is threads:
                    self._threads = ThreadPoolExecutor(self._thread_count, "byzanz-bot")
                threads.shutdown(wait=False)
                raise


def _reset(bot: Bot) -> bool:
    """Return whether the bot has forgotten the table that it was asked about."""
    try:
        bot.reseed(0)
    except NotImplementedError:
        return False
    return True


def _view(table: Table, seat: int) -> View:
    if table.game is None:
        raise ValueError("a bot plays only once the game has begun")
    return table.game.view(seat)
