"""``byzanz cross``: every bot alone among every other."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.arena import BadLedger, Cross, League, Ledger, PlayersLost, play_leagues, read_cross
from byzanz.bots import UnknownBot, split_bots
from byzanz.terminal.matrix import show_matrix
from byzanz.terminal.standings import with_progress

from .arguments import (
    BOTS_HELP,
    add_jobs,
    add_log,
    add_players,
    add_reports,
    add_seed,
    bots,
    check_agreement,
    command,
    whole,
)
from .console import Screen
from .exit_codes import GOOD, INTERRUPTED, Unusable
from .files import check_writable, writing

if TYPE_CHECKING:
    from byzanz.arena.matrix import CrossTally

    from .arguments import Commands

RUNGS = "random,novice,greedy,trader,strategist@0.1s,emperor"
"""Who meets if nothing is said."""


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "cross",
        "measure every bot alone among every other",
        "For every ordered pair of different bots, one of the first sits alone among as many of "
        "the second as fill the table. All pairs are dealt the same deals, in duplicate as in "
        "the arena. A cell is the share of the win of the one alone, with half of its 95 % "
        "interval.",
        """
        byzanz cross --bots random,novice,greedy,trader --deals 50 --chart cross.svg
        byzanz cross --jobs 2 --out crossed                  all rungs, kept in a folder
        byzanz cross --out crossed --deals 40 --jobs 2       go on, or add more deals
        """,
    )
    parser.add_argument(
        "--bots", type=bots, metavar="A,B,...", help=f"{BOTS_HELP} (default: {RUNGS})"
    )
    add_players(parser, default=None)
    parser.add_argument(
        "--deals",
        type=whole(1),
        default=20,
        metavar="D",
        help="how many deals for each pair (default: 20)",
    )
    add_seed(parser)
    add_jobs(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="keep every finished deal in this folder, a file for each pair, and go on with "
        "those in it; what else is not given is taken from it",
    )
    add_reports(parser, "matrix")
    add_log(parser, "error")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here: the other commands need not wait for NumPy.
    from byzanz.arena.matrix import CrossTally  # noqa: PLC0415

    check_writable(options.json, options.chart)
    try:
        cross = _cross(options)
        tally = CrossTally(cross)
        with _keeping(options.out, cross, tally) as kept:
            stopped = _play(options, tally, kept)
    except (BadLedger, PlayersLost, UnknownBot, ValueError) as error:
        raise Unusable(str(error)) from None
    if tally.played:
        _show(options, tally)
    if stopped:
        later = "; the same command goes on" if options.out else ""
        total = tally.total(options.deals)
        print(f"Stopped after {tally.played} of {total} deals{later}.", file=sys.stderr)
        return INTERRUPTED
    return GOOD


def _cross(options: argparse.Namespace) -> Cross:
    """The cross asked for; what was not said is what the folder says."""
    found = None if options.out is None else read_cross(options.out)
    if found is None:
        seed = secrets.randbits(53) if options.seed is None else options.seed
        return Cross(options.players or 4, seed, options.bots or split_bots(RUNGS))
    check_agreement(options, found)
    return found


@contextmanager
def _keeping(
    folder: Path | None, cross: Cross, tally: CrossTally
) -> Iterator[dict[League, Ledger]]:
    """Where finished deals are kept, by league, those in it counted; nowhere if in no folder."""
    kept = dict[League, Ledger]()
    with ExitStack() as stack:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for league in cross.leagues:
                kept[league] = Ledger(folder / cross.file(league), league)
                stack.callback(kept[league].close)
            for league, ledger in kept.items():
                for played in ledger.deals():
                    tally.count(league, played)
        yield kept


def _play(options: argparse.Namespace, tally: CrossTally, kept: dict[League, Ledger]) -> bool:
    """Plays what is missing; whether Ctrl-C stopped it."""
    played = play_leagues(tally.missing(options.deals), jobs=options.jobs)
    total = tally.total(options.deals)
    try:
        for league, deal in with_progress(played, tally.played, total):
            if league in kept:
                kept[league].add(deal)
            tally.count(league, deal)
    except KeyboardInterrupt:
        return True
    return False


def _show(options: argparse.Namespace, tally: CrossTally) -> None:
    from byzanz.arena.matrix_chart import drawn_matrix  # noqa: PLC0415

    matrix = tally.matrix()
    if options.json is not None:
        with writing(options.json) as file:
            file.write(json.dumps(matrix.data(), indent=1, ensure_ascii=False) + "\n")
    if options.chart is not None:
        with writing(options.chart) as file:
            file.write(drawn_matrix(matrix))
    show_matrix(Screen(stderr=options.json == "-"), matrix)
