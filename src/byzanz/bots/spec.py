"""What a bot is asked for by: ``trader``, ``strategist@2s``, ``net:mine.npz``, ``cmd:./mybot``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass

from byzanz.search.budget import BUDGET_TEXT, Budget

COMMAND = "cmd:"
NETWORK = "net:"


class UnknownBot(LookupError):
    """There is no such bot; the text says what there is."""

    @classmethod
    def among(cls, name: str, known: Iterable[str]) -> UnknownBot:
        """The error for a name that is none of those known."""
        return cls(f"there is no bot '{name}'; there are {', '.join(known)}")


class MalformedSpec(UnknownBot):
    """The text asks for no bot: it is not in the form; the text of the error says what is wrong."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A bot as it was asked for: a name, a program's command line or a network, and its budget."""

    name: str
    """The bot's name; empty for a program and a network."""
    command: tuple[str, ...] = ()
    budget: Budget | None = None
    """None if nothing was said."""
    network: str = ""
    """The file of the network that plays; empty for all others."""

    @classmethod
    def parse(cls, text: str) -> Spec:
        """The spec that a text stands for; raises MalformedSpec."""
        called, budget = text, None
        timed = re.fullmatch(rf"(?s)(?P<called>.*)@(?:{BUDGET_TEXT})", text)
        try:
            if timed is not None:
                called = timed["called"]
                budget = Budget.parse(text[len(called) + 1 :])
            if called.startswith(COMMAND):
                command = tuple(shlex.split(called.removeprefix(COMMAND)))
                if not command:
                    raise ValueError("a program's command line is missing")
                return cls("", command, budget)
            if called.startswith(NETWORK):
                file = called.removeprefix(NETWORK).strip("'\"")
                if not file:
                    raise ValueError("a network's file is missing")
                return cls("", (), budget, file)
        except ValueError as error:
            raise MalformedSpec(f"cannot read the bot '{text}': {error}") from None
        if not re.fullmatch(r"[A-Za-z][\w.-]*", called):
            raise MalformedSpec(
                f"cannot read the bot '{text}': expected a name such as trader, with a budget such "
                "as @2s or @800it behind it or none, cmd: and a command line, or net: and a file"
            )
        return cls(called, (), budget)


def split_bots(text: str) -> tuple[str, ...]:
    """The bots of a list such as ``trader*3,cmd:./mybot``, repeated as it says.

    A comma or a star between quotes, single or double, is the command's or the file's own.
    """
    bots: list[str] = []
    for part in re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+|(?<=,)(?=,|$)|^(?=,|$)""", text):
        times = re.fullmatch(r"(?s)(?P<bot>.*)\*(?P<times>[0-9]{1,2})", part)
        bots += [part] if times is None else [times["bot"]] * int(times["times"])
    return tuple(bots)
