"""Players: ``choose(view) -> action``, and a registry by name.

A bot gets a View, never a State, and its own stream of chance; it keeps no other channel to the
game. Whatever a bot does, its guard answers. This room imports rules and notation, and what is
compiled only inside the bots that search.
"""

from byzanz.bots.external.guard import BotFailed, GuardedBot, Lapse
from byzanz.bots.external.protocol import LineBot
from byzanz.search.budget import HALF_A_SECOND, Budget

from .bot import Bot
from .fallback import safe_action
from .registry import BOTS, check_bot, check_bots, installed_bots, load_bot, make_bot
from .spec import MalformedSpec, Spec, UnknownBot, split_bots

__all__ = [
    "BOTS",
    "HALF_A_SECOND",
    "Bot",
    "BotFailed",
    "Budget",
    "GuardedBot",
    "Lapse",
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
