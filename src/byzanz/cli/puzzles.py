"""``byzanz puzzles``: list the puzzles, check their answers, or search games for new ones."""

from __future__ import annotations

import argparse
import secrets
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from time import time
from typing import TYPE_CHECKING

from byzanz.arena import WorkersLost
from byzanz.coach.puzzles import (
    THEMES,
    BadPuzzle,
    Puzzle,
    load_puzzles,
    read_puzzles,
    select,
    write_puzzle,
)
from byzanz.coach.puzzles.selection import without_duplicates
from byzanz.locale import load_translations
from byzanz.notation import judge
from byzanz.rules import SETUPS
from byzanz.terminal.progress import with_progress

from .arguments import add_command, add_jobs, add_seed, integer
from .check import describe_verdict
from .exit_codes import INVALID, OK, CommandError
from .files import check_writable, open_input, open_output

if TYPE_CHECKING:
    from byzanz.coach.puzzles.mining import Source

    from .arguments import Commands

_WORLDS = 2000
_REPORT_SECONDS = 15.0


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "puzzles",
        "list and check puzzles, or search games for new ones",
        "List the puzzles on the page /puzzles, check their answers, or search games for new ones. "
        "A puzzle has one best action: its win probability is at least 8 points and five standard "
        "errors above that of every other action, measured in up to 2,000 random deals of the "
        "hidden cards (worlds). docs/puzzles.md describes puzzles. Exit status of check: 0 if "
        "every answer is confirmed, 1 if one is not, 2 if a file cannot be read.",
        """
        byzanz puzzles list
        byzanz puzzles check --first 20
        byzanz puzzles check mined.jsonl --seed 5
        byzanz puzzles mine --games 100 --seed 1 --jobs 2 --out mined.jsonl
        byzanz puzzles mine my-games.jsonl --games 0 --out mined.jsonl
        byzanz puzzles select mined.jsonl more.jsonl --count 300 --out puzzles.jsonl
        """,
    )
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    listing = tasks.add_parser(
        "list",
        help="print puzzles",
        description="Print the id, difficulty, lead, theme, tags and answer of each puzzle, and "
        "the number of puzzles of each theme. The lead is in points of win probability.",
    )
    _add_files(listing)
    check = tasks.add_parser(
        "check",
        help="check the answers of puzzles",
        description="Check the answers of puzzles: compare the candidate actions of each puzzle "
        "again, and print the puzzles whose answer does not lead as far as it must.",
    )
    _add_files(check)
    check.add_argument("--first", type=integer(1), metavar="N", help="only the first N puzzles")
    check.add_argument(
        "--worlds", type=integer(2), default=_WORLDS, metavar="N",
        help="maximum number of random deals of the hidden cards (worlds) for each action "
        f"(default: {_WORLDS})",
    )  # fmt: skip
    check.add_argument(
        "--seed", type=integer(0), default=0, metavar="S",
        help="random seed; 0 uses the same random deals as when the puzzle was found (default: 0)",
    )  # fmt: skip
    _add_mine(tasks)
    choose = tasks.add_parser(
        "select",
        help="select from mined puzzles, so that no theme dominates",
        description="Select puzzles from files that 'byzanz puzzles mine' has written, so that no "
        "theme dominates and the difficulties take turns. Duplicates are left out.",
    )
    choose.add_argument("files", nargs="+", metavar="FILE", help="files of puzzles")
    choose.add_argument(
        "--count", type=integer(1), default=400, metavar="N",
        help="maximum number of puzzles; no theme gets more than 30 %% of it (default: 400)",
    )  # fmt: skip
    choose.add_argument("--out", required=True, metavar="FILE", help="the file to write")
    parser.set_defaults(run=_run)


def _add_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files of puzzles (default: those of the package)"
    )


def _add_mine(tasks: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = tasks.add_parser(
        "mine",
        help="search games for puzzles",
        description="Search for puzzles in games between bots of mixed levels, and in the games of "
        "the given files. The puzzles of a game are written to the file as soon as the game has "
        "been searched. The same seed gives the same puzzles with any number of processes, unless "
        "--minutes ends the search. In our tests a game took about two minutes of processor time, "
        "and one decision in 14 gave a puzzle. If you press Ctrl-C, the file keeps what was found.",
    )
    parser.add_argument("files", nargs="*", metavar="FILE", help="files of records to search")
    parser.add_argument(
        "--games", type=integer(0), default=100, metavar="N",
        help="number of games between bots (default: 100)",
    )  # fmt: skip
    parser.add_argument(
        "--players", type=integer(min(SETUPS), max(SETUPS)), nargs="+", default=[*SETUPS],
        metavar="N", help="player counts of these games (default: 3 4 5 6)",
    )  # fmt: skip
    add_seed(parser)
    add_jobs(parser)
    parser.add_argument("--minutes", type=float, metavar="M", help="end the search after this time")
    parser.add_argument("--out", required=True, metavar="FILE", help="the file to write")


def _run(options: argparse.Namespace) -> int:
    match options.task:
        case "list":
            return _list(_read(options.files))
        case "check":
            puzzles = _read(options.files)
            return _check(puzzles[: options.first], options.worlds, options.seed)
        case "select":
            return _select(_read(options.files), options.count, options.out)
        case _:
            return _mine(options)


def _read(files: Sequence[str]) -> list[Puzzle]:
    """Return the puzzles of files, or those of the package."""
    if not files:
        return [*load_puzzles().values()]
    found: list[Puzzle] = []
    for file in files:
        with open_input(file) as stream:
            try:
                found += read_puzzles(stream)
            except BadPuzzle as error:
                raise CommandError(f"{file}, {error}") from None
    return found


def _list(puzzles: Sequence[Puzzle]) -> int:
    for one in puzzles:
        about = " ".join((one.theme, *one.tags))
        print(f"{one.id}  {one.difficulty:>2}  {one.lead:4.1f}  {about:<22}  {one.answer}")
    _print_counts(puzzles)
    return OK


def _counted(count: int) -> str:
    return f"{count} {'puzzle' if count == 1 else 'puzzles'}"


def _print_counts(puzzles: Sequence[Puzzle]) -> None:
    counts = Counter(one.theme for one in puzzles)
    parts = ", ".join(f"{theme} {counts[theme]}" for theme in THEMES)
    print(f"{_counted(len(puzzles))}: {parts}.")


def _check(puzzles: Sequence[Puzzle], worlds: int, seed: int) -> int:
    # Imported here so that other commands start quickly.
    from byzanz.coach.puzzles.proof import Comparer, is_proved  # noqa: PLC0415

    comparer, faults = Comparer(), 0
    for puzzle in with_progress(puzzles, "Checking", "puzzles", len(puzzles)):
        found = comparer.prove(puzzle, worlds, seed)
        if found[0].action == puzzle.answer and is_proved(found):
            continue
        faults += 1
        what = ", ".join(
            f"{one.action} {100 * one.win_probability:.1f} (± {one.standard_error:.1f})"
            for one in found[:3]
        )
        print(f"{puzzle.id}: expected {puzzle.answer} to lead by 8 points, but found {what}")
    print(f"{_counted(len(puzzles))} searched: {faults or 'no'} faults.")
    return INVALID if faults else OK


def _select(puzzles: Sequence[Puzzle], count: int, out: str) -> int:
    chosen = select(without_duplicates(puzzles), count)
    with open_output(out) as stream:
        stream.writelines(f"{write_puzzle(one)}\n" for one in chosen)
    if out != "-":
        _print_counts(chosen)
    return OK


def _mine(options: argparse.Namespace) -> int:
    start = time()
    check_writable(options.out)
    # Imported here, because only this task needs the compiler.
    from byzanz.coach.puzzles.mining import mine, prepare, self_play  # noqa: PLC0415

    seed = secrets.randbits(53) if options.seed is None else options.seed
    sources = [*_recorded(options.files), *self_play(options.games, seed, options.players)]
    until = None if options.minutes is None else start + 60 * options.minutes
    prepare()
    games = decisions = 0
    found: list[Puzzle] = []
    reported = time()
    try:
        with open_output(options.out) as out, closing(mine(sources, options.jobs, until)) as mined:
            for each in with_progress(mined, "Searching", "games", len(sources)):
                games, decisions = games + 1, decisions + each.decisions
                found += each.puzzles
                out.writelines(f"{write_puzzle(one)}\n" for one in each.puzzles)
                out.flush()
                if time() - reported > _REPORT_SECONDS:
                    reported = time()
                    _report(games, decisions, len(found), reported - start)
    except WorkersLost as error:
        raise CommandError(str(error)) from None
    except KeyboardInterrupt:
        print(f"Interrupted; {options.out} has what was found.", file=sys.stderr)
    _report(games, decisions, len(found), time() - start)
    print(f"Seed {seed}.", file=sys.stderr)
    if options.out != "-":
        _print_counts(found)
    return OK


def _report(games: int, decisions: int, puzzles: int, seconds: float) -> None:
    what = f"{games} games, {decisions} decisions, {puzzles} puzzles in {seconds:.0f} s"
    print(what, file=sys.stderr, flush=True)


def _recorded(files: Sequence[str]) -> Iterator[Source]:
    """Yield the games recorded in files."""
    from byzanz.coach.puzzles.mining import Source  # noqa: PLC0415

    for file in files:
        with open_input(file) as stream:
            for verdict in judge(stream):
                if verdict.error is not None or verdict.record is None:
                    what = describe_verdict(verdict, load_translations("en"))
                    raise CommandError(f"{file}, line {verdict.line}: {what}")
                game = verdict.record.game
                yield Source(0, len(game.state.players), game)
