"""Hints and odds for people at a table, each computed from the player's own view alone."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING

from byzanz.coach import Odds, odds
from byzanz.rules import Deal, Game, View
from byzanz.tables.model.aids import count_hint, view_for_hint, view_for_odds
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Table

from .bot_claims import BotClaims
from .bot_pool import BotPool
from .environment import Environment
from .fair_queue import Claim, Rank
from .game_rates import HourlyRates
from .limits import Limits
from .live_tables import LiveTables

if TYPE_CHECKING:
    from byzanz.coach.advice import Advice

_LOG = logging.getLogger(__name__)

_WORK = "coach"
"""The name of this work in the bot pool."""
_KEPT = 1000
"""The number of hints held in memory."""


class AidService:
    """The hints and odds of a table service, ``service.aids``.

    Hints are computed in the threads of the bots, after all bots' decisions that somebody is
    waiting for. A hint is counted and stored before it is shown. If the guest asks for it again
    before anybody acts, it is neither computed nor counted again.
    """

    def __init__(
        self,
        tables: LiveTables,
        pool: BotPool,
        claims: BotClaims,
        environment: Environment,
        limits: Limits,
    ) -> None:
        self._tables = tables
        self._pool = pool
        self._claims = claims
        self._clock = environment.clock
        self._worlds = limits.hint_worlds  # a number, not a time: equal views get equal hints
        self.rates = HourlyRates(
            limits.hints_per_hour_per_guest,
            limits.hints_per_hour_per_address,
            environment.clock,
            claims.address_of,
        )
        self._given: OrderedDict[tuple[str, str, int], asyncio.Task[Advice]] = OrderedDict()

    async def hint(self, table: str, guest: str, decision: int | None = None) -> Advice:
        """Return a hint for the guest's decision; raises Declined if the guest can get none."""
        async with self._tables.use(table) as live:
            live.note_request(guest, self._clock())
            seen = live.table
            view = view_for_hint(seen, guest, decision)
            key = (table, guest, seen.logged)
            task = self._given.get(key)
            if task is None:
                self.rates.count(guest, TableReason.TOO_MANY_HINTS)
                task = asyncio.create_task(self._give(seen, guest, view))
                self._given[key] = task
                task.add_done_callback(lambda done: self._forget_failed(key, done))
                if len(self._given) > _KEPT:
                    self._given.popitem(last=False)
            return await asyncio.shield(task)

    async def odds(self, table: str, guest: str) -> Odds:
        """Return the odds from the guest's view; raises Declined if the guest can get none."""
        async with self._tables.use(table) as live:
            live.note_request(guest, self._clock())
            return odds(view_for_odds(live.table, guest))

    async def close(self) -> None:
        """Stop all work."""
        tasks = tuple(self._given.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _give(self, seen: Table, guest: str, view: View) -> Advice:
        """Compute a hint and count it.

        Raises Declined if the coach fails, or if the decision has been made in the meantime.
        """
        claim = Claim(self._claims.address_of(guest), guest, seen.id, Rank.OVER_BUDGET)
        work = partial(_advise, view, self._worlds)
        try:
            found = await self._pool.compute(_WORK, _load, work, claim)
        except Exception as error:  # noqa: BLE001 (the player is told; the table goes on)
            _LOG.warning("the coach failed: %s", type(error).__name__)
            raise Declined(TableReason.NO_ANSWER) from None
        await self._tables.change(
            seen.id, lambda table: count_hint(table, guest, seen, self._clock())
        )
        return found

    def _forget_failed(self, key: tuple[str, str, int], done: asyncio.Task[Advice]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._given.pop(key, None)


def _load() -> None:
    """Load and compile the coach, which takes longer than any hint."""
    from byzanz.coach.evaluation import evaluate  # noqa: PLC0415 (compiles)

    evaluate(Game.start(Deal.from_seed(players=3, seed=0)).view(0), worlds=2)


def _advise(view: View, worlds: int) -> Advice:
    from byzanz.coach.advice import advise  # noqa: PLC0415 (compiles)

    return advise(view, worlds=worlds)
