"""``byzanz review``: grade the decisions of a recorded game."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.locale import load_translations
from byzanz.notation import Record, judge
from byzanz.terminal.compilation import prepare_coach
from byzanz.terminal.progress import counted_progress

from .arguments import add_command, file_path, integer
from .check import describe_verdict
from .exit_codes import OK, CommandError
from .files import check_writable, open_input

if TYPE_CHECKING:
    from .arguments import Commands

_WORLDS = 128


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "review",
        "grade the decisions of a recorded game, and measure luck",
        "Compare each action of a recorded game with the alternatives, using only what the player "
        "knew at the time, and say what it lost in points of win probability. For a finished game, "
        "also say how much was luck. docs/coach.md explains the figures.",
        """
        byzanz review my-game.jsonl
        byzanz review games.jsonl --game 12 --seat 2
        byzanz review my-game.jsonl --seat 0 --html review.html
        byzanz review my-game.jsonl --json > review.json
        """,
    )
    parser.add_argument("file", metavar="FILE", help="a file of records; '-' is standard input")
    parser.add_argument(
        "--game", type=integer(1), default=1, metavar="N",
        help="number of the game in the file (default: 1)",
    )  # fmt: skip
    parser.add_argument(
        "--seat", type=integer(0, 5), action="append", dest="seats", metavar="S",
        help="seat to review, from 0; can be given several times (default: all seats)",
    )  # fmt: skip
    parser.add_argument(
        "--worlds", type=integer(2, 100_000), default=_WORLDS, metavar="N",
        help=f"maximum number of sampled worlds for each alternative (default: {_WORLDS})",
    )  # fmt: skip
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the review as JSON")
    form.add_argument(
        "--html", type=file_path, metavar="FILE.html", help="write the review to this page"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    record = _read(options.file, options.game)
    for seat in options.seats or ():
        if seat >= len(record.names):
            raise CommandError(f"expected a seat from 0 to {len(record.names) - 1}, not {seat}")
    check_writable(options.html)
    # Imported here, because only this command needs the compiler.
    from byzanz.coach import review  # noqa: PLC0415
    from byzanz.coach.report import write_html, write_text  # noqa: PLC0415

    prepare_coach()
    with counted_progress("Reviewing", "decisions") as progress:
        found = review(record, options.seats, worlds=options.worlds, progress=progress)
    if options.json:
        print(found.to_json().decode())
    elif options.html:
        Path(options.html).write_text(write_html(found, record.names), encoding="utf-8")
    else:
        for line in write_text(found, record.names):
            print(line)
    return OK


def _read(file: str, game: int) -> Record:
    """Return a legal game of the file."""
    with open_input(file) as stream:
        for number, verdict in enumerate(judge(stream), start=1):
            if number == game:
                if verdict.error is not None or verdict.record is None:
                    what = describe_verdict(verdict, load_translations("en"))
                    raise CommandError(f"{file}, line {verdict.line}: {what}")
                return verdict.record
    raise CommandError(f"{file} contains no game {game}")
