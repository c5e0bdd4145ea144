"""The arguments that several commands share, and how they are read."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from textwrap import dedent, fill, indent
from typing import TYPE_CHECKING, NoReturn

from byzanz.bots import BOTS, UnknownBot, check_bots, split_bots
from byzanz.locale import LANGUAGES, system_language
from byzanz.rules import SEEDS, SETUPS

from .exit_codes import UNUSABLE, Unusable


class Parser(argparse.ArgumentParser):
    """A parser whose errors say where help is."""

    def error(self, message: str) -> NoReturn:
        """Ends the command with the message."""
        self.exit(UNUSABLE, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")


if TYPE_CHECKING:
    from byzanz.arena import Cross, League

    Commands = argparse._SubParsersAction[Parser]


def command(
    commands: Commands, name: str, summary: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """The parser of a new command, with its help."""
    return commands.add_parser(
        name,
        help=summary,
        description=fill(description),
        epilog="examples:\n" + indent(dedent(examples).strip(), "  "),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_players(parser: argparse.ArgumentParser, default: int | None = 4) -> None:
    """The command takes a number of players."""
    parser.add_argument(
        "--players",
        type=whole(min(SETUPS), max(SETUPS)),
        default=default,
        metavar="N",
        help="how many players, 3 to 6 (default: 4)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """The command takes a seed for all chance."""
    parser.add_argument(
        "--seed",
        type=whole(0, SEEDS - 1),
        metavar="S",
        help="what decides all chance, from 0 to 2^64-1 (default: drawn, and shown)",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """The command takes a number of processes."""
    parser.add_argument(
        "--jobs", type=whole(1), default=1, metavar="J", help="processes that play (default: 1)"
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """The command takes the language to speak."""
    parser.add_argument(
        "--language",
        choices=list(LANGUAGES),
        default=system_language(),
        help="the language to speak (default: the terminal's)",
    )


def add_log(parser: argparse.ArgumentParser, level: str = "warning") -> None:
    """The command takes a level of what is told of bots that fail."""
    parser.add_argument(
        "--log",
        choices=["error", "warning", "debug"],
        default=level,
        help="what to tell of bots that fail; debug also tells what programs write to standard "
        f"error (default: {level})",
    )


def add_reports(parser: argparse.ArgumentParser, what: str) -> None:
    """The command takes where to write what it found, for machines and as a picture."""
    parser.add_argument(
        "--json",
        metavar="FILE",
        help=f"write the {what} here; '-' is standard output, the table then goes to "
        "standard error",
    )
    parser.add_argument(
        "--chart", type=a_file, metavar="FILE.svg", help=f"draw the {what} to this file"
    )


def check_agreement(options: argparse.Namespace, found: League | Cross) -> None:
    """Raises Unusable if what was said is not what the deals kept there were played with."""
    for name in ("players", "seed", "bots"):
        asked, there = getattr(options, name), getattr(found, name)
        if asked is not None and asked != there:
            was = ",".join(there) if name == "bots" else there
            kept = "folder" if options.out.is_dir() else "file"
            raise Unusable(f"{options.out} was played with --{name} {was}; take another {kept}")


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A reader of whole numbers within bounds."""
    bounds = f"a whole number from {least}" + ("" if most is None else f" to {most}")

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,20}", text) and least <= int(text) <= (most or int(text)):
            return int(text)
        raise argparse.ArgumentTypeError(f"expected {bounds}, not '{text}'")

    return read


def a_file(text: str) -> str:
    """A reader of file names, for what cannot go to standard output."""
    if text == "-":
        raise argparse.ArgumentTypeError("expected a file, not standard output")
    return text


def bots(text: str) -> tuple[str, ...]:
    """A reader of lists of bots."""
    listed = split_bots(text)
    try:
        check_bots(listed)
    except UnknownBot as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not listed:
        raise argparse.ArgumentTypeError("expected one bot at least")
    return listed


BOTS_HELP = (
    f"bots, separated by commas: {', '.join(BOTS)}, with a budget as in NAME@2s or NAME@800it; "
    "cmd:COMMAND for a program of your own, net:FILE for a network of your own; NAME*3 for three "
    "of them"
)
