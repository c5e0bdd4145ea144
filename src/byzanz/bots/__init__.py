"""Bots, which choose an action from a View, and a registry that finds them by name.

A bot gets a View, never the State, and a random generator of its own. :func:`make_bot` returns the
bot inside a guard, which plays a safe action if the bot fails. This package imports only
:mod:`byzanz.rules`, :mod:`byzanz.notation` and :mod:`byzanz.search.budget`. The module of a bot,
which may load compiled code, is imported when the bot is first used.
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
