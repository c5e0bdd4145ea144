"""Bots in other processes, and the guard that replaces the action of a bot that fails.

:class:`LineBot` runs a program in a process that can be killed. The program speaks the line
protocol of ``docs/bots.md``. :class:`GuardedBot` wraps any bot, so that the game goes on whatever
the bot does.
"""

from .guard import BotFailed, BotFault, GuardedBot
from .protocol import PROTOCOL, LineBot

__all__ = ["PROTOCOL", "BotFailed", "BotFault", "GuardedBot", "LineBot"]
