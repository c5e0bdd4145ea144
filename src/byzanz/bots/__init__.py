"""Bots: players that choose an action from a View, and a registry of them by name.

A bot gets a View, never the State, and a random generator of its own. :func:`make_bot` returns the
bot inside a guard, which plays a safe action if the bot fails. This package imports rules, notation
and the budget of search. Bots that search import compiled code when they are made.
"""

from byzanz.search.budget import HALF_A_SECOND, Budget

from .bot import Bot
from .external import BotFailed, BotFault, GuardedBot, LineBot
from .fallback import safe_action
from .registry import (
    BOTS,
    LEVELS,
    SEARCHING_BOTS,
    check_bot,
    check_bots,
    installed_bots,
    load_bot,
    make_bot,
)
from .spec import MalformedSpec, Spec, UnknownBot, split_bots

__all__ = [
    "BOTS",
    "HALF_A_SECOND",
    "LEVELS",
    "SEARCHING_BOTS",
    "Bot",
    "BotFailed",
    "BotFault",
    "Budget",
    "GuardedBot",
    "LineBot",
    "MalformedSpec",
    "Spec",
    "UnknownBot",
    "check_bot",
    "check_bots",
    "installed_bots",
    "load_bot",
    "make_bot",
    "safe_action",
    "split_bots",
]
