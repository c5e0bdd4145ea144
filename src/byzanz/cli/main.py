"""The entry point: parse the arguments, run the subcommand, return its exit status."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from byzanz import __version__
from byzanz.terminal.compilation import show_compilation

from . import (
    arena,
    calibrate,
    check,
    cross,
    data,
    export,
    hint,
    imitate,
    lessons,
    odds,
    play,
    puzzles,
    review,
    serve,
    show,
    simulate,
    train,
    verify,
    worker,
)
from .arguments import Parser
from .exit_codes import ERROR, INTERRUPTED, CommandError

COMMANDS = (
    serve,
    worker,
    play,
    simulate,
    arena,
    cross,
    check,
    verify,
    show,
    review,
    hint,
    odds,
    export,
    lessons,
    puzzles,
    data,
    train,
    imitate,
    calibrate,
)
"""The subcommands, in the order in which help lists them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with these arguments (default: the process's own) and return its status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # the terminal may lack a character of a name
    options = make_parser().parse_args(arguments)
    if "log" in options:
        logging.basicConfig(format="%(message)s")
        logging.getLogger("byzanz.bots").setLevel(options.log.upper())
    show_compilation()
    try:
        status: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except CommandError as error:
        print(f"byzanz {options.command}: {error}", file=sys.stderr)
        return ERROR
    except BrokenPipeError:
        _discard_output()  # nobody reads our output any more
        return ERROR
    except OSError as error:
        _discard_output()
        what = f"cannot use '{error.filename}': " if error.filename else ""
        print(f"byzanz {options.command}: {what}{error.strerror or error}", file=sys.stderr)
        return ERROR
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    return status


def make_parser() -> Parser:
    """Return a parser with all subcommands."""
    parser = Parser(
        prog="byzanz",
        description="Byzanz, the auction card game by Emanuele Ornella, for 3 to 6 players.",
        epilog="'byzanz COMMAND --help' explains a command and gives examples.",
    )
    parser.add_argument("--version", action="version", version=f"byzanz {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser


def _discard_output() -> None:
    """Discard standard output from now on, including what is left in its buffer."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
