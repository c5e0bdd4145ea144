"""Which bots people may choose, and which one plays for absent people."""

from __future__ import annotations

from typing import NamedTuple

from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Table


class BotChoice(NamedTuple):
    """The bots that people may choose, weakest first, and the default one."""

    bots: tuple[str, ...]
    default: str

    def checked(self, name: str | None) -> str:
        """Return the bot's name, or the default; raises Declined if people may not choose it."""
        if name is None:
            return self.default
        if name not in self.bots:
            raise Declined(TableReason.UNKNOWN_BOT)
        return name

    def strongest_at(self, table: Table) -> str:
        """Return the strongest of the bots that own a seat at the table, or the default bot."""
        owners = [chair.bot for chair in table.chairs if chair.bot and chair.guest is None]
        known = [bot for bot in owners if bot in self.bots]
        return max(known, key=self.bots.index, default=self.default)
