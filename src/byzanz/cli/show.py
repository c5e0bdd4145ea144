"""``byzanz show``: print a recorded game, or draw a position."""

from __future__ import annotations

import argparse
import sys
from gettext import NullTranslations
from typing import TYPE_CHECKING

from byzanz.locale import load_translations
from byzanz.messages import describe_game, explain
from byzanz.notation import Malformed, Verdict, is_position, judge, parse_state, parse_view
from byzanz.terminal import draw_position

from .arguments import add_command, add_language, integer
from .check import describe_verdict
from .console import CommandConsole
from .exit_codes import INVALID, OK, CommandError
from .records import open_record_input, read_lines

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "show",
        "print a recorded game event by event, or draw a position",
        "Print what happened in a recorded game, auction by auction, or draw a position. FILE is a "
        "file, or the position itself: a line that begins with state/1 or view/1.",
        """
        byzanz show my-game.jsonl
        byzanz show games.jsonl --game 12 --language hu
        byzanz show "$(tail -n 1 positions.txt)"
        """,
    )
    parser.add_argument(
        "file",
        metavar="FILE",
        help="a file of records in any format, a file with a position, or a position; '-' is "
        "standard input",
    )
    parser.add_argument(
        "--game",
        type=integer(1),
        default=1,
        metavar="N",
        help="number of the game in the file (default: 1)",
    )
    add_language(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    translations = load_translations(options.language)
    if is_position(options.file):
        _show_position(options.file, translations)
        return OK
    with open_record_input(options.file) as stream:
        head = stream.peek(8)[:8].decode("ascii", "replace")
        if is_position(head):
            _show_position(
                stream.readline(1 << 16).decode("utf-8", "replace").strip(), translations
            )
            return OK
        for number, verdict in enumerate(judge(read_lines(stream)), start=1):
            if number == options.game:
                return _print_game(verdict, translations)
    raise CommandError(f"{options.file} contains no game {options.game}")


def _show_position(text: str, translations: NullTranslations) -> None:
    try:
        position = parse_state(text) if text.startswith("state") else parse_view(text)
    except Malformed as error:
        raise CommandError(explain(error, translations)) from None
    draw_position(CommandConsole(highlight=False), position, translations=translations)


def _print_game(verdict: Verdict, translations: NullTranslations) -> int:
    if verdict.record is not None:
        for line in describe_game(verdict.record.game, verdict.record.names, translations):
            print(line)
    if verdict.error is None:
        return OK
    sys.stdout.flush()
    print(
        f"byzanz show: line {verdict.line}: {describe_verdict(verdict, translations)}",
        file=sys.stderr,
    )
    return INVALID
