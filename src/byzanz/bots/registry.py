"""Bots by name: those of this package, those that others bring, any program, any network."""

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
from .spec import Spec, UnknownBot

GROUP = "byzanz.bots"
"""The group of entry points by which a package brings bots."""


def _ours(name: str, value: str) -> EntryPoint:
    return EntryPoint(name, f"byzanz.bots.{value}", GROUP)


BOTS: dict[str, EntryPoint] = {
    bot.name: bot
    for bot in (
        _ours("random", "random_bot:RandomBot"),
        _ours("novice", "novice:NoviceBot"),
        _ours("greedy", "greedy:GreedyBot"),
        _ours("trader", "trader:TraderBot"),
        _ours("strategist", "strategist:StrategistBot"),
        _ours("emperor", "emperor:EmperorBot"),
    )
}
"""The bots of this package by name, weakest first; a bot is imported when it is asked for."""


def installed_bots() -> tuple[str, ...]:
    """The names of bots that other packages bring, in order."""
    return tuple(sorted(_brought().keys() - BOTS.keys()))


def check_bot(text: str) -> None:
    """Raises UnknownBot if there is no such bot, MalformedSpec if the text is in no form."""
    spec = Spec.parse(text)
    if spec.command:
        if shutil.which(spec.command[0]) is None:
            raise UnknownBot(f"there is no program '{spec.command[0]}' that can be run")
    elif spec.network:
        _check_network(spec.network)
    elif spec.name not in BOTS:
        _found(spec.name)


def check_bots(texts: Iterable[str]) -> None:
    """Raises UnknownBot or MalformedSpec at the first that is no bot."""
    for text in texts:
        check_bot(text)


def make_bot(text: str, seed: int) -> GuardedBot:
    """A new bot as the text asks for it, guarded; the seed decides its chance.

    Bots of this package and networks play in this process, all others in one of their own. Raises
    UnknownBot or MalformedSpec.
    """
    check_bot(text)
    spec, chance = Spec.parse(text), Chance(seed)
    if spec.network:
        from .emperor import EmperorBot  # noqa: PLC0415 - compiled

        return GuardedBot(EmperorBot(chance, spec.budget, Path(spec.network)), text)
    if not spec.command and spec.name in BOTS:
        return GuardedBot(load_bot(spec.name)(chance, spec.budget), text)
    command = spec.command or (sys.executable, "-m", "byzanz.bots", spec.name)
    return GuardedBot(LineBot(command, chance, spec.budget), text)


def load_bot(name: str) -> type[Bot]:
    """The class of the bot of this name, imported; raises UnknownBot."""
    loaded = (BOTS.get(name) or _found(name)).load()
    if not (isinstance(loaded, type) and issubclass(loaded, Bot)):
        raise UnknownBot(f"what stands for the bot '{name}' is not a class derived from Bot")
    return loaded


def _check_network(file: str) -> None:
    from byzanz.network import Network  # noqa: PLC0415 - compiled

    try:
        Network.load(file)
    except OSError as error:
        raise UnknownBot(f"cannot read the network '{file}': {error.strerror}") from None
    except ValueError as error:
        raise UnknownBot(str(error)) from None


def _found(name: str) -> EntryPoint:
    brought = _brought()
    if name not in brought:
        raise UnknownBot.among(name, [*BOTS, *installed_bots()])
    return brought[name]


def _brought() -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP)}
