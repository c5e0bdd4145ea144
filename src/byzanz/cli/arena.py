"""``byzanz arena``: measure bots against each other."""

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
    OnFailure,
    PlayedDeal,
    WorkersLost,
    missing_deals,
    play_deals,
    read_league,
)
from byzanz.bots import UnknownBot
from byzanz.terminal.compilation import prepare_bots
from byzanz.terminal.progress import with_progress
from byzanz.terminal.standings import show_standings

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
    extra_hint,
    file_path,
    integer,
)
from .console import CommandConsole
from .exit_codes import INTERRUPTED, OK, CommandError
from .files import check_writable, open_output

if TYPE_CHECKING:
    from byzanz.arena.standings import Tally

    from .arguments import Commands


_DEALS, _MAX_DEALS = 100, 1280
"""The default number of deals, without and with ``--until``."""


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "arena",
        "measure bots against each other",
        "Play deals in duplicate: each deal is repeated with the bots rotated through all seats, "
        "so that the luck of the deal and of the seat cancels out. With as many bots as players "
        "there is one table. With more bots there is a table for each combination of them. With "
        "fewer bots, every table has at least one copy of each bot, and there is one table for "
        "each way to fill the remaining seats with more copies. To play one strategist against "
        "three traders, write strategist,trader*3.",
        """
        byzanz arena --bots greedy,random*3 --deals 100
        byzanz arena --bots greedy,random --players 3 --deals 50 --jobs 2 --chart standings.svg
        byzanz arena --bots "greedy*3,cmd:./mybot" --out results.jsonl
        byzanz arena --out results.jsonl --deals 500         continue, or add deals
        byzanz arena --bots trader,novice*3 --until decided
        byzanz arena --bots "py:mybot.py:MyBot,trader*3"
        """,
    )
    parser.add_argument("--bots", type=bot_list, metavar="A,B,...", help=BOTS_HELP)
    add_players(parser, default=None)
    parser.add_argument(
        "--deals",
        type=integer(1),
        metavar="D",
        help=f"number of deals (default: {_DEALS}); with --until, the maximum number of deals "
        f"(default: {_MAX_DEALS})",
    )
    parser.add_argument(
        "--until",
        choices=["decided"],
        help="examine the results after 10, 20, 40, 80, ... deals, and stop when one bot is shown "
        "to be better than every other; the probability of a wrong decision is at most 5 %%",
    )
    add_on_failure(parser)
    add_seed(parser)
    add_jobs(parser)
    parser.add_argument(
        "--ray",
        metavar="ADDRESS",
        help="play on the Ray cluster at this address; 'local' starts one on this machine",
    )
    parser.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        help="save every finished deal to this file; if the file exists, keep its deals and "
        "settings, and play the missing deals",
    )
    parser.add_argument(
        "--records", type=file_path, metavar="FILE", help="append the games' records to this file"
    )
    add_reports(parser, "standings")
    add_log(parser, "error")
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here so that other commands do not load NumPy.
    from byzanz.arena.standings import Tally  # noqa: PLC0415

    check_writable(options.json, options.chart)
    if options.deals is None:
        options.deals = _DEALS if options.until is None else _MAX_DEALS
    try:
        league = _league(options)
        tally = Tally(league)
        with _keeping(options.out, league, tally) as keep:
            stopped = _play_stages(options, league, tally, keep)
    except (BadLedger, WorkersLost, UnknownBot, ValueError) as error:
        raise CommandError(str(error)) from None
    if tally.played:
        _show(options, tally)
    if stopped:
        later = "; run the same command to continue" if options.out else ""
        print(
            f"Stopped after {len(tally.played)} of {options.deals} deals{later}.", file=sys.stderr
        )
        return INTERRUPTED
    if options.until is not None:
        print(_decision(options, tally), file=sys.stderr if options.json == "-" else sys.stdout)
    return OK


def _league(options: argparse.Namespace) -> League:
    """Return the league that the options describe; options not given are read from the file."""
    found = None if options.out is None else read_league(options.out)
    if found is None:
        if options.bots is None:
            raise CommandError("name the bots: --bots A,B,...")
        seed = secrets.randbits(53) if options.seed is None else options.seed
        rule = options.on_failure or OnFailure.FORFEIT
        league = League(options.players or 4, seed, options.bots, rule)
        for name in league.names:
            if (count := league.bots.count(name)) > league.players:
                seats = league.players
                raise CommandError(f"{name} is named {count} times, but a table has {seats} seats")
        return league
    check_same_settings(options, found)
    return found


@contextmanager
def _keeping(path: Path | None, league: League, tally: Tally) -> Iterator[Ledger | None]:
    """Open the file of finished deals, if there is one, and count the deals in it."""
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


def _play_stages(
    options: argparse.Namespace, league: League, tally: Tally, keep: Ledger | None
) -> bool:
    """Play all deals, or those up to the decision; return whether Ctrl-C interrupted play."""
    if options.until is None:
        return _play(options, league, tally, keep, options.deals)
    for look in _looks(options):
        if _play(options, league, tally, keep, look):
            return True
        if tally.decided(look) is not None:
            break
    return False


def _looks(options: argparse.Namespace) -> list[int]:
    """Return the numbers of deals after which ``--until`` looks; raise CommandError if none.

    ``--deals`` only limits the numbers, so raising it later does not add a look in between.
    """
    from byzanz.arena.sequential import FIRST_LOOK, looks  # noqa: PLC0415

    found = list(looks(options.deals))
    if not found:
        raise CommandError(f"--until decided needs --deals {FIRST_LOOK} or more")
    return found


def _decision(options: argparse.Namespace, tally: Tally) -> str:
    """Return the sentence that says what ``--until`` has decided."""
    for look in (numbers := _looks(options)):
        best = tally.decided(look)
        if best is not None:
            return (
                f"Decided after {look} deals: {best} is better than every other bot "
                "(error probability at most 5 %)."
            )
    return f"Not decided after {numbers[-1]} deals; the next look is at {2 * numbers[-1]} deals."


def _play(
    options: argparse.Namespace, league: League, tally: Tally, keep: Ledger | None, deals: int
) -> bool:
    """Play the deals missing among the first ``deals``; return whether Ctrl-C interrupted play."""
    done = tally.played
    with ExitStack() as stack:
        records = None
        if options.records is not None:
            records = stack.enter_context(open_output(options.records, append=True))
        played = _played(options, league, missing_deals(deals, done))
        total = max(deals, len(done))
        try:
            if len(done) < total and options.ray is None:
                prepare_bots(league.bots)
            for deal in with_progress(played, "Playing", "deals", total, len(done)):
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
        # Imported here because importing Ray takes seconds and few people have it.
        from byzanz.arena.ray_cluster import play_on_ray  # noqa: PLC0415
    except ImportError:
        raise CommandError(f"Ray is not installed; {extra_hint('ray')}") from None
    return play_on_ray(league, numbers, options.ray, records=records)


def _show(options: argparse.Namespace, tally: Tally) -> None:
    from byzanz.arena.charts import standings_chart  # noqa: PLC0415

    standings = tally.standings()
    if options.json is not None:
        with open_output(options.json) as file:
            file.write(json.dumps(standings.data(), indent=1, ensure_ascii=False) + "\n")
    if options.chart is not None:
        with open_output(options.chart) as file:
            file.write(standings_chart(standings))
    show_standings(CommandConsole(stderr=options.json == "-"), standings)
