"""Time limits: when a person's time for a decision is up, a bot stands in."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from byzanz.tables.model import commands

from .background import attempt, attempt_change
from .environment import Environment
from .limits import Limits
from .live_tables import LiveTables
from .subscriptions import LiveTable


class DecisionClock:
    """Enforces the time limits of all tables that this process holds, also those not in memory."""

    def __init__(self, tables: LiveTables, environment: Environment, limits: Limits) -> None:
        self._tables = tables
        self._time = environment.clock
        self._limits = limits
        self._deadlines: dict[str, float] = {}
        tables.listeners.append(self._track)

    def add(self, deadlines: Mapping[str, float]) -> None:
        """Enforce the deadlines of these tables."""
        self._deadlines |= deadlines

    async def run(self) -> None:
        """Check the deadlines at regular intervals until cancelled."""
        while True:
            await asyncio.sleep(self._limits.clock_interval_seconds)
            await attempt(self.tick)

    async def tick(self) -> None:
        """Let a bot stand in wherever the time is up."""
        now, bot = self._time(), self._limits.substitute_bot
        holds = self._tables.peers.holds
        due = [
            table for table, deadline in self._deadlines.items() if deadline <= now and holds(table)
        ]
        for table in due:
            await attempt_change(
                self._tables, table, lambda found: commands.time_out(found, bot, now)
            )

    def _track(self, live: LiveTable) -> None:
        if live.table.deadline is None:
            self._deadlines.pop(live.id, None)
        else:
            self._deadlines[live.id] = live.table.deadline
