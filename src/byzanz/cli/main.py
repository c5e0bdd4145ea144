"""One command from its arguments to its exit status."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from byzanz import __version__

from . import arena, calibrate, check, cross, data, imitate, play, serve, show, simulate, train
from .arguments import Parser
from .exit_codes import INTERRUPTED, UNUSABLE, Unusable

COMMANDS = (serve, play, simulate, arena, cross, check, show, data, train, imitate, calibrate)
"""The commands, in the order that help lists them."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status of one command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name may hold what the terminal cannot show
    options = make_parser().parse_args(arguments)
    if "log" in options:
        logging.basicConfig(format="%(message)s")
        logging.getLogger("byzanz.bots").setLevel(options.log.upper())
    try:
        status: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except Unusable as error:
        print(f"byzanz {options.command}: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        _hush()  # whoever read our output has gone
        return UNUSABLE
    except OSError as error:
        _hush()
        what = f"cannot use '{error.filename}': " if error.filename else ""
        print(f"byzanz {options.command}: {what}{error.strerror or error}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    return status


def make_parser() -> Parser:
    """A parser that knows every command."""
    parser = Parser(
        prog="byzanz",
        description="Byzanz, the auction card game by Emanuele Ornella, for 3 to 6 players.",
        epilog="'byzanz COMMAND --help' tells more about each command, with examples.",
    )
    parser.add_argument("--version", action="version", version=f"byzanz {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser


def _hush() -> None:
    """Nothing more is written to standard output, not even what is left in its buffer."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
