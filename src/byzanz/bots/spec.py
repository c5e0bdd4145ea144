"""Texts that specify bots: ``strategist@2s``, ``py:mybot.py:MyBot``, ``cmd:./mybot`` and others."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from byzanz.search.budget import BUDGET_TEXT, Budget

COMMAND = "cmd:"
"""Prefix of a program's command line."""
NETWORK = "net:"
"""Prefix of a network's file."""
PYTHON = "py:"
"""Prefix of a Python file and a class in it."""


class UnknownBot(LookupError):
    """There is no such bot. The message says what was expected."""

    @classmethod
    def among(cls, name: str, known: Iterable[str]) -> UnknownBot:
        """Return the error for a name that is not one of the known names."""
        return cls(f"there is no bot '{name}'; there are {', '.join(known)}")


class MalformedSpec(UnknownBot):
    """The text cannot be parsed. The message says why."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot to make: a name, a program, a network or a class in a file, and perhaps a budget."""

    name: str
    """The bot's name; empty for programs, networks and classes in files."""
    command: tuple[str, ...] = ()
    budget: Budget | None = None
    """None if the text has no budget."""
    network: str = ""
    """The file of the network; empty for other bots."""
    file: str = ""
    """The Python file of the class; empty for other bots."""
    class_name: str = ""

    @classmethod
    def parse(cls, text: str) -> Spec:
        """Parse a text; raises MalformedSpec."""
        bot, budget = text, None
        with_budget = re.fullmatch(rf"(?s)(?P<bot>.*)@(?:{BUDGET_TEXT})", text)
        try:
            if with_budget is not None:
                bot = with_budget["bot"]
                budget = Budget.parse(text[len(bot) + 1 :])
            if bot.startswith(COMMAND):
                command = tuple(shlex.split(bot.removeprefix(COMMAND)))
                if not command:
                    raise ValueError("a program's command line is missing")
                return cls("", command, budget)
            if bot.startswith(NETWORK):
                file = bot.removeprefix(NETWORK).strip("'\"")
                if not file:
                    raise ValueError("a network's file is missing")
                return cls("", (), budget, file)
            if bot.startswith(PYTHON):
                file, _, class_name = bot.removeprefix(PYTHON).rpartition(":")
                file = file.strip("'\"")
                if not (file and class_name.isidentifier()):
                    raise ValueError("expected py:FILE.py:CLASS, such as py:mybot.py:MyBot")
                return cls("", (), budget, "", file, class_name)
        except ValueError as error:
            raise MalformedSpec(f"cannot read the bot '{text}': {error}") from None
        if not re.fullmatch(r"[A-Za-z][\w.-]*", bot):
            raise MalformedSpec(
                f"cannot read the bot '{text}': expected a name such as trader, cmd: and a "
                "command line, net: and a file, or py:FILE.py:CLASS; a budget such as @2s or "
                "@800it may follow"
            )
        return cls(bot, (), budget)


def split_bots(text: str) -> tuple[str, ...]:
    """Split a list of bots such as ``trader*3,cmd:./mybot``; ``*3`` repeats a bot.

    Commas and stars between single or double quotes belong to a command or a file name.
    """
    bots: list[str] = []
    for part in re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+|(?<=,)(?=,|$)|^(?=,|$)""", text):
        times = re.fullmatch(r"(?s)(?P<bot>.*)\*(?P<times>[0-9]{1,2})", part)
        bots += [part] if times is None else [times["bot"]] * int(times["times"])
    return tuple(bots)
