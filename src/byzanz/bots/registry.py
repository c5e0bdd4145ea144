"""The registry of bots: built-in bots, bots from packages and files, programs and networks."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from byzanz.bots.external.guard import GuardedBot
from byzanz.bots.external.protocol import LineBot
from byzanz.rules import Chance

from .bot import Bot
from .from_file import check_file_bot, load_from_file
from .spec import PYTHON, Spec, UnknownBot

ENTRY_POINT_GROUP = "byzanz.bots"
"""The entry point group in which other packages register bots."""


def _builtin(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, f"byzanz.bots.{value}", ENTRY_POINT_GROUP)


BOTS: dict[str, EntryPoint] = {
    bot.name: bot
    for bot in (
        _builtin("random", "random_bot:RandomBot"),
        _builtin("passive", "passive:PassiveBot"),
        _builtin("novice", "novice:NoviceBot"),
        _builtin("greedy", "greedy:GreedyBot"),
        _builtin("trader", "trader:TraderBot"),
        _builtin("strategist", "strategist:StrategistBot"),
        _builtin("emperor", "emperor:EmperorBot"),
        *[_builtin(f"level{level}", f"levels:Level{level}Bot") for level in range(1, 11)],
    )
}
"""The built-in bots by name: first the named bots, then the levels, both weakest first.

The module of a bot is imported when the bot is first used.
"""

LEVELS = tuple([name for name in BOTS if name.startswith("level")])
"""The names of the ten levels for people, weakest first."""


SEARCHING_BOTS = ("strategist", "emperor", "level10")
"""The names of the built-in bots that use a budget; the others ignore theirs."""


def installed_bots() -> tuple[str, ...]:
    """Return the names of the bots of other packages, sorted."""
    return tuple(sorted(_installed().keys() - BOTS.keys()))


def check_bot(text: str) -> None:
    """Raise UnknownBot if there is no such bot, MalformedSpec if the text cannot be parsed."""
    spec = Spec.parse(text)
    if spec.command:
        if shutil.which(spec.command[0]) is None:
            raise UnknownBot(f"there is no program '{spec.command[0]}' that can be run")
    elif spec.network:
        _check_network(spec.network)
    elif spec.file:
        check_file_bot(spec.file, spec.class_name)
    elif spec.name not in BOTS:
        _entry_point(spec.name)


def check_bots(texts: Iterable[str]) -> None:
    """Call :func:`check_bot` for each text."""
    for text in texts:
        check_bot(text)


def make_bot(text: str, seed: int, *, asks_again: bool = True) -> GuardedBot:
    """Return a new bot for a text such as ``strategist@2s``, inside a guard.

    The seed decides all randomness of the bot. Built-in bots and networks run in this process, all
    others in a process of their own. ``asks_again`` tells whether the guard asks the bot again
    after a failure. Raises UnknownBot or MalformedSpec.
    """
    check_bot(text)
    return GuardedBot(_make(Spec.parse(text), Chance(seed)), text, asks_again=asks_again)


def _make(spec: Spec, chance: Chance) -> Bot:
    if spec.network:
        from .emperor import EmperorBot  # noqa: PLC0415 - compiled

        return EmperorBot(chance, spec.budget, Path(spec.network))
    if spec.name in BOTS:
        return load_bot(spec.name)(chance, spec.budget)
    name = f"{PYTHON}{Path(spec.file).resolve()}:{spec.class_name}" if spec.file else spec.name
    command = spec.command or (sys.executable, "-m", "byzanz.bots", name)
    return LineBot(command, chance, spec.budget)


def load_bot(name: str) -> type[Bot]:
    """Import and return the class of a bot by its name or ``py:`` text; raises UnknownBot."""
    if name.startswith(PYTHON):
        spec = Spec.parse(name)
        return load_from_file(spec.file, spec.class_name)
    loaded = (BOTS.get(name) or _entry_point(name)).load()
    if not (isinstance(loaded, type) and issubclass(loaded, Bot)):
        raise UnknownBot(f"the entry point of the bot '{name}' is not a subclass of Bot")
    return loaded


def _check_network(file: str) -> None:
    from byzanz.network import Network  # noqa: PLC0415 - compiled

    try:
        Network.load(file)
    except OSError as error:
        raise UnknownBot(f"cannot read the network '{file}': {error.strerror}") from None
    except ValueError as error:
        raise UnknownBot(str(error)) from None


def _entry_point(name: str) -> EntryPoint:
    installed = _installed()
    if name not in installed:
        raise UnknownBot.among(name, [*BOTS, *installed_bots()])
    return installed[name]


def _installed() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=ENTRY_POINT_GROUP)}
