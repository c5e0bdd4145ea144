"""``byzanz arena``: bots measured against each other."""

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
    League,
    Ledger,
    PlayedDeal,
    PlayersLost,
    missing_deals,
    play_deals,
    read_league,
)
from byzanz.bots import UnknownBot
from byzanz.terminal.standings import show_standings, with_progress

from .arguments import (
    BOTS_HELP,
    a_file,
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
    from byzanz.arena.standings import Tally

    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "arena",
        "measure bots against each other",
        "Play deals in duplicate: each is played again with the bots rotated over all seats, so "
        "that luck of the deal and of the seat cancels. As many bots as players make one table; "
        "of more, every choice makes one; fewer all sit at every table, and fill the seats left "
        "in every way. One against the rest is written strategist,trader*3.",
        """
        byzanz arena --bots greedy,random*3 --deals 100
        byzanz arena --bots greedy,random --players 3 --deals 50 --jobs 2 --chart standings.svg
        byzanz arena --bots "greedy*3,cmd:./mybot" --out results.jsonl
        byzanz arena --out results.jsonl --deals 500         go on, or add more deals
        """,
    )
    parser.add_argument("--bots", type=bots, metavar="A,B,...", help=BOTS_HELP)
    add_players(parser, default=None)
    parser.add_argument(
        "--deals", type=whole(1), default=100, metavar="D", help="how many deals (default: 100)"
    )
    add_seed(parser)
    add_jobs(parser)
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on the Ray cluster there instead of here; 'local' starts one of this machine",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="keep every finished deal in this file, and go on with those in it; "
        "what else is not given is taken from it",
    )
    parser.add_argument(
        "--records", type=a_file, metavar="FILE", help="add the games' records to this file"
    )
    add_reports(parser, "standings")
    add_log(parser, "error")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here: the other commands need not wait for NumPy.
    from byzanz.arena.standings import Tally  # noqa: PLC0415

    check_writable(options.json, options.chart)
    try:
        league = _league(options)
        tally = Tally(league)
        with _keeping(options.out, league, tally) as keep:
            stopped = _play(options, league, tally, keep)
    except (BadLedger, PlayersLost, UnknownBot, ValueError) as error:
        raise Unusable(str(error)) from None
    if tally.played:
        _show(options, tally)
    if stopped:
        later = "; the same command goes on" if options.out else ""
        print(
            f"Stopped after {len(tally.played)} of {options.deals} deals{later}.", file=sys.stderr
        )
        return INTERRUPTED
    return GOOD


def _league(options: argparse.Namespace) -> League:
    """The league asked for; what was not said is what the file says."""
    found = None if options.out is None else read_league(options.out)
    if found is None:
        if options.bots is None:
            raise Unusable("say who plays: --bots A,B,...")
        seed = secrets.randbits(53) if options.seed is None else options.seed
        return League(options.players or 4, seed, options.bots)
    check_agreement(options, found)
    return found


@contextmanager
def _keeping(path: Path | None, league: League, tally: Tally) -> Iterator[Ledger | None]:
    """Where finished deals are kept, those in it counted."""
    if path is None:
        yield None
        return
    ledger = Ledger(path, league)
    try:
        for played in ledger.deals():
            tally.count(played)
        yield ledger
    finally:
        ledger.close()


def _play(options: argparse.Namespace, league: League, tally: Tally, keep: Ledger | None) -> bool:
    """Plays what is missing; whether Ctrl-C stopped it."""
    done = tally.played
    with ExitStack() as stack:
        records = None
        if options.records is not None:
            records = stack.enter_context(writing(options.records, add=True))
        played = _played(options, league, missing_deals(options.deals, done))
        total = max(options.deals, len(done))
        try:
            for deal in with_progress(played, len(done), total):
                if records is not None:
                    records.write(deal.records)
                    records.flush()
                if keep is not None:
                    keep.add(deal)
                tally.count(deal)
        except KeyboardInterrupt:
            return True
    return False


def _played(
    options: argparse.Namespace, league: League, numbers: Iterator[int]
) -> Iterator[PlayedDeal]:
    records = options.records is not None
    if options.ray is None:
        return play_deals(league, numbers, jobs=options.jobs, records=records)
    try:
        # Imported here: it takes seconds, and few have it.
        from byzanz.arena.ray_cluster import play_on_ray  # noqa: PLC0415
    except ImportError:
        raise Unusable("Ray is not installed; the extra 'byzanz[ray]' brings it") from None
    return play_on_ray(league, numbers, options.ray, records=records)


def _show(options: argparse.Namespace, tally: Tally) -> None:
    from byzanz.arena.chart import drawn  # noqa: PLC0415

    standings = tally.standings()
    if options.json is not None:
        with writing(options.json) as file:
            file.write(json.dumps(standings.data(), indent=1, ensure_ascii=False) + "\n")
    if options.chart is not None:
        with writing(options.chart) as file:
            file.write(drawn(standings))
    show_standings(Screen(stderr=options.json == "-"), standings)
