"""The talk service: reactions and phrases at tables."""

from __future__ import annotations

from byzanz.tables.model.sayings import Phrase
from byzanz.tables.model.table import Change
from byzanz.tables.model.talk import say, switch_talk

from .environment import Environment
from .live_tables import LiveTables


class TalkService:
    """Talk at the tables of a service. Methods raise Declined if they refuse."""

    def __init__(self, tables: LiveTables, environment: Environment) -> None:
        self._tables = tables
        self._clock = environment.clock

    async def say(self, table: str, guest: str, phrase: Phrase) -> None:
        """Say something at the table; the guest must have a seat there."""
        now = self._clock()
        await self._tables.change(table, lambda found: Change(say(found, guest, phrase, now)))

    async def switch(self, table: str, host: str, *, on: bool) -> None:
        """Switch talk on or off, as the host."""
        await self._tables.change(table, lambda found: Change(switch_talk(found, host, on=on)))
