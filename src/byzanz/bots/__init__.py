"""Players: ``choose(view) -> action``, and a registry by name.

A bot gets a View, never a State, and its own stream of chance; it keeps no other channel to the
game. This room imports :mod:`byzanz.rules`.
"""

from .bot import Bot
from .budget import HALF_A_SECOND, Budget
from .registry import BOTS, UnknownBot, check_bot, make_bot

__all__ = ["BOTS", "HALF_A_SECOND", "Bot", "Budget", "UnknownBot", "check_bot", "make_bot"]
