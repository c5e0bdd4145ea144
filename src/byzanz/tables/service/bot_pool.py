"""The bot pool: bots compute in threads, each from its seat's view alone."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

from byzanz.bots import Bot, make_bot
from byzanz.rules import Action, Sell, View, branch
from byzanz.tables.model.table import Table

from .answer_times import AnswerTimes
from .fair_queue import Claim, FairQueue, Rank

_T = TypeVar("_T")
_LOG = logging.getLogger(__name__)

_FIRST_SECONDS = 90.0
"""How long it may take to create the first bot of a name."""

_QUICK_SECONDS = 0.1
"""How long a bot may take on average to count as quick."""
_SMOOTHING = 0.2
"""The weight of the newest decision in the average time of a bot."""
_NOBODY = Claim()

BotMaker = Callable[[str, int], Bot]
"""Makes a bot of this name with this random seed."""


class BotPool:
    """Asks bots for decisions: at most ``threads`` slow bots at once, and one quick one.

    A :class:`FairQueue` decides who is next. ``spend`` is called with the guest whose budget a
    decision uses and the seconds that it took.

    If ``even``, every decision of a bot takes about the same time: see
    :mod:`~byzanz.tables.service.answer_times`. At tables where nobody is present, it does not.

    A bot is created once and reseeded for each decision, if :meth:`Bot.reseed` allows it. Two
    threads never use the same bot at once; each name has as many bots as threads need.
    """

    def __init__(
        self,
        threads: int,
        seconds: float,
        maker: BotMaker = make_bot,
        spend: Callable[[str, float], None] | None = None,
        *,
        even: bool = False,
    ) -> None:
        self._thread_count = threads + 1  # one for quick decisions
        self._queue = FairQueue(threads)
        self._threads = ThreadPoolExecutor(self._thread_count, "byzanz-bot")
        self._spend = spend
        self._mean_seconds: dict[str, float] = {}
        self._answer_times = AnswerTimes() if even else None
        self._seconds = seconds
        self._maker = maker
        self._interrupts: dict[str, asyncio.Task[bool]] = {}
        self._prepared: dict[str, asyncio.Task[None]] = {}
        self._free: dict[str, list[Bot]] = {}
        self._lock = threading.Lock()
        self._closed = False

    async def choose(self, table: Table, seat: int, claim: Claim = _NOBODY) -> Action | None:
        """Return the action that the seat's bot chooses, or None if it fails or is too slow.

        Whether the action is legal is not checked.
        """
        view = _view(table, seat)
        times = self._answer_times if claim.rank is not Rank.UNATTENDED else None
        action = await self._ask(table, seat, lambda bot: bot.choose(view), claim, times)
        return action if isinstance(action, Action) else None

    async def sale(self, table: Table, seat: int, claim: Claim = _NOBODY) -> Sell | None:
        """Return the sale that the seat's bot makes out of turn (R5.1), or None.

        Whether the sale is legal is not checked.
        """
        view = _view(table, seat)
        sale = await self._ask(table, seat, lambda bot: bot.sale(view), claim)
        return sale if isinstance(sale, Sell) else None

    async def compute(
        self, name: str, first: Callable[[], None], work: Callable[[], _T], claim: Claim
    ) -> _T:
        """Return the result of other work, done in a thread as if a slow bot did it.

        ``first`` prepares work of this name. It runs once, and may take as long as creating the
        first bot of a name. Raises what the work raises, and TimeoutError if it takes too long.
        """
        prepared = self._prepared.get(name)
        if prepared is None or (prepared.done() and prepared.exception() is not None):
            prepared = self._prepared[name] = asyncio.create_task(asyncio.to_thread(first))
        async with asyncio.timeout(_FIRST_SECONDS):
            await asyncio.shield(prepared)
        return (await self._in_thread(name, work, claim, quick=False))[0]

    async def interrupts(self, name: str) -> bool:
        """Return whether bots of this name ever sell out of turn; False if no bot can be created.

        Creating the first bot of a name can take longer, because some bots are then compiled.
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

    @property
    def figures(self) -> dict[str, float]:
        """The numbers of waiting decisions, and the average wait of those at attended tables."""
        return {
            "bot_queue": self._queue.waiting(Rank.ATTENDED),
            "bot_queue_last": self._queue.waiting(Rank.OVER_BUDGET, Rank.UNATTENDED),
            "bot_wait_seconds": self._queue.mean_wait,
        }

    def close(self) -> None:
        """Close all bots that are not in use, and start no more threads."""
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

    async def _ask(
        self,
        table: Table,
        seat: int,
        ask: Callable[[Bot], _T],
        claim: Claim,
        times: AnswerTimes | None = None,
    ) -> _T | None:
        """Return the answer of the seat's bot; if it has none, log the failure and return None.

        With ``times``, the answer is not returned before it may be shown.

        The bot's randomness depends only on the table's seed, the seat and the number of actions
        in the game or, in a shared deal, of decisions. So a bot gives the same answer after a
        restart, and after a decision was taken back and made again.
        """
        name = table.chairs[seat].bot or ""
        await self.interrupts(name)
        # In a shared deal a sale out of turn must not change what chance decides afterwards.
        count = table.number if table.shared_deal is None else table.decision
        seed = branch(branch(table.seed, seat), count)

        def work() -> _T:
            with self._borrowed(name, seed) as bot:
                return ask(bot)

        answer, started = None, time.monotonic()
        try:
            quick = self._mean_seconds.get(name, _QUICK_SECONDS) < _QUICK_SECONDS
            answer, started = await self._in_thread(name, work, claim, quick=quick)
        except Exception as error:  # noqa: BLE001 (the table must go on, whatever a bot does)
            _LOG.warning("bot %s failed: %s", name, type(error).__name__)
        if times is not None:
            times.note(name, time.monotonic() - started)
            await times.wait(name, started)
        return answer

    @contextmanager
    def _borrowed(self, name: str, seed: int) -> Iterator[Bot]:
        """Lend a free bot, or a new one, with this seed. A bot that fails is closed."""
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

    async def _in_thread(
        self, name: str, work: Callable[[], _T], claim: Claim, *, quick: bool
    ) -> tuple[_T, float]:
        """Return the result of the work, and the monotonic time at which it started."""
        async with self._queue.slot(claim, quick=quick):
            threads, started = self._threads, time.monotonic()
            running = asyncio.get_running_loop().run_in_executor(threads, work)
            try:
                async with asyncio.timeout(self._seconds):
                    return await running, started
            except TimeoutError:
                # A thread cannot be stopped. Later requests get new threads, so that no table
                # waits; bots that are still computing in the old ones may finish.
                if self._threads is threads:
                    self._threads = ThreadPoolExecutor(self._thread_count, "byzanz-bot")
                threads.shutdown(wait=False)
                raise
            finally:
                self._note_seconds(name, claim.guest, time.monotonic() - started)

    def _note_seconds(self, name: str, guest: str, seconds: float) -> None:
        mean = self._mean_seconds.get(name, seconds)
        self._mean_seconds[name] = mean + _SMOOTHING * (seconds - mean)
        if self._spend is not None:
            self._spend(guest, seconds)


def _reset(bot: Bot) -> bool:
    """Make the bot forget the table that it played at; return False if it cannot."""
    try:
        bot.reseed(0)
    except NotImplementedError:
        return False
    return True


def _view(table: Table, seat: int) -> View:
    if table.game is None:
        raise ValueError("a bot plays only once the game has begun")
    return table.game.view(seat)
