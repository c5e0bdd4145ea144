"""``byzanz cross``: compare bots in pairs, one copy of a bot among copies of another."""

from __future__ import annotations

import argparse
import json
import secrets
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.arena import (
    BadLedger,
    Cross,
    League,
    Ledger,
    OnFailure,
    WorkersLost,
    play_leagues,
    read_cross,
)
from byzanz.bots import UnknownBot, split_bots
from byzanz.terminal.compilation import prepare_bots
from byzanz.terminal.matrix import show_matrix
from byzanz.terminal.progress import with_progress

from .arguments import (
    BOTS_HELP,
    add_command,
    add_jobs,
    add_log,
    add_on_failure,
    add_players,
    add_reports,
    add_seed,
    bot_list,
    check_same_settings,
    integer,
)
from .console import CommandConsole
from .exit_codes import INTERRUPTED, OK, CommandError
from .files import check_writable, open_output

if TYPE_CHECKING:
    from byzanz.arena.matrix import CrossTally

    from .arguments import Commands

DEFAULT_BOTS = "random,novice,greedy,trader,strategist@0.1s,emperor"
"""The bots that play if none are named."""


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "cross",
        "compare bots in pairs: one copy of a bot among copies of another",
        "For every ordered pair of different bots, one copy of the first plays against copies of "
        "the second in all other seats. All pairs play the same deals, in duplicate as in the "
        "arena. A cell of the matrix shows the first bot's share of the wins and its 95 % "
        "interval.",
        """
        byzanz cross --bots random,novice,greedy,trader --deals 50 --chart cross.svg
        byzanz cross --jobs 2 --out crossed                  the default bots
        byzanz cross --out crossed --deals 40 --jobs 2       continue, or add deals
        """,
    )
    parser.add_argument(
        "--bots", type=bot_list, metavar="A,B,...", help=f"{BOTS_HELP} (default: {DEFAULT_BOTS})"
    )
    add_players(parser, default=None)
    parser.add_argument(
        "--deals",
        type=integer(1),
        default=20,
        metavar="D",
        help="number of deals for each pair (default: 20)",
    )
    add_seed(parser)
    add_jobs(parser)
    add_on_failure(parser)
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FOLDER",
        help="save every finished deal to this folder, one file for each pair; if the folder has "
        "such files, keep their deals and settings, and play the missing deals",
    )
    add_reports(parser, "matrix")
    add_log(parser, "error")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here so that other commands do not load NumPy.
    from byzanz.arena.matrix import CrossTally  # noqa: PLC0415

    check_writable(options.json, options.chart)
    try:
        cross = _cross(options)
        tally = CrossTally(cross)
        with _keeping(options.out, cross, tally) as kept:
            stopped = _play(options, cross, tally, kept)
    except (BadLedger, WorkersLost, UnknownBot, ValueError) as error:
        raise CommandError(str(error)) from None
    if tally.played:
        _show(options, tally)
    if stopped:
        later = "; run the same command to continue" if options.out else ""
        total = tally.total(options.deals)
        print(f"Stopped after {tally.played} of {total} deals{later}.", file=sys.stderr)
        return INTERRUPTED
    return OK


def _cross(options: argparse.Namespace) -> Cross:
    """Return the cross-play that the options describe; missing options come from the folder."""
    found = None if options.out is None else read_cross(options.out)
    if found is None:
        seed = secrets.randbits(53) if options.seed is None else options.seed
        bots = options.bots or split_bots(DEFAULT_BOTS)
        rule = options.on_failure or OnFailure.FORFEIT
        return Cross(options.players or 4, seed, bots, rule)
    check_same_settings(options, found)
    return found


@contextmanager
def _keeping(
    folder: Path | None, cross: Cross, tally: CrossTally
) -> Iterator[dict[League, Ledger]]:
    """Open each league's file of finished deals, if there is a folder, and count the deals."""
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


def _play(
    options: argparse.Namespace, cross: Cross, tally: CrossTally, kept: dict[League, Ledger]
) -> bool:
    """Play the missing deals, and return whether Ctrl-C interrupted play."""
    played = play_leagues(tally.missing(options.deals), jobs=options.jobs)
    total = tally.total(options.deals)
    try:
        if tally.played < total:
            prepare_bots(cross.bots)
        for league, deal in with_progress(played, "Playing", "deals", total, tally.played):
            if league in kept:
                kept[league].add(deal)
            tally.count(league, deal)
    except KeyboardInterrupt:
        return True
    return False


def _show(options: argparse.Namespace, tally: CrossTally) -> None:
    from byzanz.arena.charts import matrix_chart  # noqa: PLC0415

    matrix = tally.matrix()
    if options.json is not None:
        with open_output(options.json) as file:
            file.write(json.dumps(matrix.data(), indent=1, ensure_ascii=False) + "\n")
    if options.chart is not None:
        with open_output(options.chart) as file:
            file.write(matrix_chart(matrix))
    show_matrix(CommandConsole(stderr=options.json == "-"), matrix)
