"""``byzanz review``: grade the decisions of a recorded game."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.locale import load_translations
from byzanz.notation import Record, Verdict, judge
from byzanz.terminal.compilation import prepare_coach
from byzanz.terminal.progress import counted_progress

from .arguments import add_command, add_jobs, add_language, file_path, integer
from .check import describe_verdict
from .exit_codes import OK, CommandError
from .files import check_writable, open_input

if TYPE_CHECKING:
    from byzanz.coach.results import Review

    from .arguments import Commands

_WORLDS = 128


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "review",
        "grade the decisions of recorded games, and measure luck",
        "For each action of a recorded game, compute how much win probability it lost compared "
        "with the best alternative. Only what the player knew at the time is used. Print the sum "
        "and the mistakes of each player, with the reasons; for a finished game, also print how "
        "much of the result was luck. docs/coach.md explains the figures.",
        """
        byzanz review my-game.jsonl
        byzanz review games.jsonl --game 12 --seat 2
        byzanz review my-game.jsonl --seat 0 --language de --html review.html
        byzanz review my-game.jsonl --json > review.json
        byzanz review games.jsonl --all --jobs 4 --json > reviews.jsonl
        """,
    )
    parser.add_argument("file", metavar="FILE", help="a file of records; '-' is standard input")
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "--game", type=integer(1), default=1, metavar="N",
        help="number of the game in the file (default: 1)",
    )  # fmt: skip
    which.add_argument(
        "--all", action="store_true",
        help="review every game of the file; --json prints each review on its own line",
    )  # fmt: skip
    parser.add_argument(
        "--seat", type=integer(0, 5), action="append", dest="seats", metavar="S",
        help="seat to review, from 0; can be given several times (default: all seats)",
    )  # fmt: skip
    parser.add_argument(
        "--worlds", type=integer(2, 100_000), default=_WORLDS, metavar="N",
        help="maximum number of random deals of the hidden cards (worlds) for each alternative "
        f"(default: {_WORLDS})",
    )  # fmt: skip
    add_jobs(parser)
    parser.add_argument(
        "--device", choices=("cpu", "cuda"), default="cpu",
        help="where the network runs; 'cuda' needs a GPU and the extra 'train' (default: cpu)",
    )  # fmt: skip
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the review as JSON")
    form.add_argument(
        "--html", type=file_path, metavar="FILE.html", help="write the review to this HTML file"
    )
    add_language(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    if options.all and options.html:
        raise CommandError("--html writes one review; it cannot be used with --all")
    records = [*_read(options.file)] if options.all else [_read_one(options.file, options.game)]
    for seat in options.seats or ():
        for number, record in enumerate(records, start=1):
            if seat >= len(record.names):
                where = f" in game {number}" if options.all else ""
                most = len(record.names) - 1
                raise CommandError(f"expected a seat from 0 to {most}{where}, not {seat}")
    check_writable(options.html)
    _check_device(options.device)
    prepare_coach()
    if not options.all:
        _print(options, records[0], _review(options, records[0]))
        return OK
    # Imported here, because only this command needs the compiler.
    from byzanz.coach.many_reviews import review_many  # noqa: PLC0415

    chosen = {"worlds": options.worlds, "jobs": options.jobs, "device": options.device}
    with (
        counted_progress("Reviewing", "games") as progress,
        closing(review_many(records, options.seats, **chosen)) as reviews,
    ):
        progress(0, len(records))
        for number, (record, found) in enumerate(zip(records, reviews, strict=True), start=1):
            if not options.json:
                print(f"Game {number}")
            _print(options, record, found)
            progress(number, len(records))
    return OK


def _check_device(device: str) -> None:
    if device == "cpu":
        return
    try:
        from byzanz.network.torch_forward import check_device  # noqa: PLC0415 - loads PyTorch

        check_device(device)
    except ModuleNotFoundError as error:
        raise CommandError("--device needs PyTorch: install the extra 'train'") from error
    except ValueError as error:
        raise CommandError(str(error)) from error


def _review(options: argparse.Namespace, record: Record) -> Review:
    # Imported here, because only this command needs the compiler.
    from byzanz.coach.game_review import review_game  # noqa: PLC0415

    with counted_progress("Reviewing", "decisions") as progress:
        return review_game(
            record, options.seats, worlds=options.worlds, progress=progress, device=options.device
        )


def _print(options: argparse.Namespace, record: Record, found: Review) -> None:
    from byzanz.coach.report import Report  # noqa: PLC0415

    if options.json:
        print(found.to_json().decode())
        return
    report = Report(record.names, options.language, load_translations(options.language))
    if options.html:
        Path(options.html).write_text(report.html(found), encoding="utf-8")
        return
    for line in report.text(found):
        print(line)


def _read(file: str) -> Iterator[Record]:
    """Yield the games of the file; raise CommandError at the first that is not legal."""
    with open_input(file) as stream:
        for verdict in judge(stream):
            yield _legal(file, verdict)


def _read_one(file: str, game: int) -> Record:
    """Return the game with this number, which must be legal; later games are not read."""
    with open_input(file) as stream:
        for number, verdict in enumerate(judge(stream), start=1):
            if number == game:
                return _legal(file, verdict)
    raise CommandError(f"{file} contains no game {game}")


def _legal(file: str, verdict: Verdict) -> Record:
    if verdict.error is not None or verdict.record is None:
        what = describe_verdict(verdict, load_translations("en"))
        raise CommandError(f"{file}, line {verdict.line}: {what}")
    return verdict.record
