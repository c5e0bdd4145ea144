"""Players: ``choose(view) -> action``, and a registry by name.

A bot gets a View, never a State, and its own stream of chance; it keeps no other channel to the
game. This room imports :mod:`byzanz.rules`.
"""

from .bot import Bot
from .registry import BOTS, UnknownBot, check_bot, make_bot

__all__ = ["BOTS", "Bot", "UnknownBot", "check_bot", "make_bot"]
