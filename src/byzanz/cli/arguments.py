"""Arguments that several commands share, and functions that parse their values."""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from textwrap import dedent, fill, indent
from typing import TYPE_CHECKING, NoReturn

from byzanz.arena import OnFailure
from byzanz.bots import BOTS, LEVELS, SEARCHING_BOTS, Spec, UnknownBot, check_bots, split_bots
from byzanz.locale import LANGUAGES, system_language
from byzanz.rules import SEEDS, SETUPS

from .exit_codes import ERROR, CommandError


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors say how to get help."""

    def error(self, message: str) -> NoReturn:
        """Print the message and end the command."""
        self.exit(ERROR, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")


if TYPE_CHECKING:
    from byzanz.arena import Cross, League

    Commands = argparse._SubParsersAction[Parser]


def add_command(
    commands: Commands, name: str, summary: str, description: str, examples: str
) -> argparse.ArgumentParser:
    """Add a subcommand with its help, and return its parser."""
    return commands.add_parser(
        name,
        help=summary,
        description=fill(description),
        epilog="examples:\n" + indent(dedent(examples).strip(), "  "),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_players(parser: argparse.ArgumentParser, default: int | None = 4) -> None:
    """Add the option ``--players``."""
    parser.add_argument(
        "--players",
        type=integer(min(SETUPS), max(SETUPS)),
        default=default,
        metavar="N",
        help="number of players, 3 to 6 (default: 4)",
    )


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--seed``."""
    parser.add_argument(
        "--seed",
        type=integer(0, SEEDS - 1),
        metavar="S",
        help="random seed, 0 to 2^64-1 (default: chosen at random, and shown)",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--jobs``."""
    parser.add_argument(
        "--jobs", type=integer(1), default=1, metavar="J", help="number of processes (default: 1)"
    )


def add_language(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--language``."""
    parser.add_argument(
        "--language",
        choices=list(LANGUAGES),
        default=system_language(),
        help="language of the output (default: that of the terminal)",
    )


def add_log(parser: argparse.ArgumentParser, level: str = "warning") -> None:
    """Add the option ``--log`` with this default."""
    parser.add_argument(
        "--log",
        choices=["error", "warning", "debug"],
        default=level,
        help="log level for errors of bots; debug also shows what bot programs (cmd:) write to "
        f"standard error (default: {level})",
    )


def add_on_failure(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--on-failure``."""
    parser.add_argument(
        "--on-failure",
        choices=list(OnFailure),
        type=OnFailure,
        metavar="RULE",
        help="how to score a game in which a bot fails: with 'forfeit' its seat scores nothing, "
        "and the others are ranked without it; with 'fallback' safe actions are played for it, "
        "and the game counts as usual (default: forfeit)",
    )


def add_reports(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options ``--json`` and ``--chart`` for the results, which ``what`` names."""
    parser.add_argument(
        "--json",
        metavar="FILE",
        help=f"write the {what} as JSON to this file; '-' writes to standard output, and the "
        "results are then printed to standard error",
    )
    parser.add_argument(
        "--chart", type=file_path, metavar="FILE.svg", help=f"draw the {what} to this file"
    )


def check_same_settings(options: argparse.Namespace, found: League | Cross) -> None:
    """Raise CommandError if an option differs from the settings of the deals in ``--out``."""
    for name in ("players", "seed", "bots", "on_failure"):
        asked, there = getattr(options, name), getattr(found, name)
        if asked is not None and asked != there:
            option = "--" + name.replace("_", "-")
            was = ",".join(there) if name == "bots" else there
            kept = "folder" if options.out.is_dir() else "file"
            raise CommandError(f"{options.out} was played with {option} {was}; use another {kept}")


def integer(minimum: int, maximum: int | None = None) -> Callable[[str], int]:
    """Return a function that parses whole numbers within bounds."""
    bounds = f"a whole number from {minimum}" + ("" if maximum is None else f" to {maximum}")

    def parse(text: str) -> int:
        if re.fullmatch("[0-9]{1,20}", text) and minimum <= int(text) <= (maximum or int(text)):
            return int(text)
        raise argparse.ArgumentTypeError(f"expected {bounds}, not '{text}'")

    return parse


def file_path(text: str) -> str:
    """Parse the name of a file; ``-`` for standard output is not allowed."""
    if text == "-":
        raise argparse.ArgumentTypeError("expected a file, not standard output")
    return text


def bot_list(text: str) -> tuple[str, ...]:
    """Parse a list of bots."""
    listed = split_bots(text)
    try:
        check_bots(listed)
        refuse_unused_budgets(listed)
    except (UnknownBot, ValueError) as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    if not listed:
        raise argparse.ArgumentTypeError("expected at least one bot")
    return listed


def different_bots(text: str) -> tuple[str, ...]:
    """Parse a list of bots in which each may be named only once."""
    listed = bot_list(text)
    for name, count in Counter(listed).items():
        if count > 1:
            raise argparse.ArgumentTypeError(f"name '{name}' once, not {count} times")
    return listed


def refuse_surplus_bots(bots: Sequence[str], seats: int) -> None:
    """Raise CommandError if there are more bots than seats for them."""
    if len(bots) > seats:
        raise CommandError(f"{len(bots)} bots cannot sit on {seats} seats; name at most {seats}")


def refuse_unused_budgets(bots: Iterable[str]) -> None:
    """Raise ValueError if a bot that does not search has a budget, which it would ignore."""
    for text in bots:
        spec = Spec.parse(text)
        if spec.budget is not None and spec.name in BOTS and spec.name not in SEARCHING_BOTS:
            raise ValueError(
                f"{spec.name} does not search, so it has no use for a budget: write "
                f"'{spec.name}' instead of '{text}'"
            )


def extra_hint(extra: str) -> str:
    """Return a sentence that says how to install an extra of this project."""
    return f"in the project's folder, run: .venv/bin/pip install -c constraints.txt -e '.[{extra}]'"


BOTS_HELP = (
    f"bots, separated by commas: {', '.join([name for name in BOTS if name not in LEVELS])}, "
    "level1 to level10; NAME@2s limits the thinking time and NAME@800it the iterations of each "
    "decision; NAME*3 is three copies of a bot; py:FILE.py:CLASS is a Python class, cmd:COMMAND a "
    "program, net:FILE a network of your own"
)
DASH_HELP = "if it begins with '-', write it last and '--' before it"
