"""``byzanz show``: a recorded game as a story, or a position drawn."""

from __future__ import annotations

import argparse
import sys
from gettext import NullTranslations
from typing import TYPE_CHECKING

from byzanz.locale import translations
from byzanz.messages import explain, story
from byzanz.notation import Malformed, Verdict, is_position, judge, parse_state, parse_view
from byzanz.terminal import draw_position

from .arguments import add_language, command, whole
from .check import described
from .console import Screen
from .exit_codes import FLAWED, GOOD, Unusable
from .files import reading

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "show",
        "tell a recorded game as a story, or draw a position",
        "Tell a record as a story, auction by auction; or draw the table of a position text "
        "(state/1 ... or view/1 ...), given in a file or outright.",
        """
        byzanz show my-game.jsonl
        byzanz show games.jsonl --game 12 --language hu
        byzanz show "$(tail -n 1 positions.txt)"
        """,
    )
    parser.add_argument(
        "file", metavar="FILE", help="a record or a position text; '-' is standard input"
    )
    parser.add_argument(
        "--game", type=whole(1), default=1, metavar="N", help="which game of the file (default: 1)"
    )
    add_language(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    words = translations(options.language)
    if is_position(options.file):
        _show_position(options.file, words)
        return GOOD
    with reading(options.file) as stream:
        head = stream.peek(8)[:8].decode("ascii", "replace")
        if is_position(head):
            _show_position(stream.readline(1 << 16).decode("utf-8", "replace").strip(), words)
            return GOOD
        for number, verdict in enumerate(judge(stream), start=1):
            if number == options.game:
                return _tell(verdict, words)
    raise Unusable(f"{options.file} holds no game {options.game}")


def _show_position(text: str, words: NullTranslations) -> None:
    try:
        position = parse_state(text) if text.startswith("state") else parse_view(text)
    except Malformed as error:
        raise Unusable(explain(error, words)) from None
    draw_position(Screen(highlight=False), position, words=words)


def _tell(verdict: Verdict, words: NullTranslations) -> int:
    if verdict.record is not None:
        for line in story(verdict.record.game, verdict.record.names, words):
            print(line)
    if verdict.error is None:
        return GOOD
    sys.stdout.flush()
    print(f"byzanz show: line {verdict.line}: {described(verdict, words)}", file=sys.stderr)
    return FLAWED
