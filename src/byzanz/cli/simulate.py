"""``byzanz simulate``: let bots play many games."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from byzanz.arena import FAST_POLICIES, Simulation, WorkersLost
from byzanz.bots import UnknownBot, split_bots
from byzanz.locale import load_translations
from byzanz.terminal import run_simulation
from byzanz.terminal.compilation import prepare_simulation

from .arguments import (
    BOTS_HELP,
    add_command,
    add_jobs,
    add_language,
    add_log,
    add_players,
    add_seed,
    integer,
)
from .console import CommandConsole
from .exit_codes import OK, CommandError
from .files import open_output

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "simulate",
        "let bots play many games",
        "Let bots play games, and print how often each of them wins. The same seed gives the same "
        "games, byte for byte, with any number of processes, unless a bot's thinking is limited by "
        "time. The seed in a record's header reproduces that one game.",
        """
        byzanz simulate --players 4 --games 100 --seed 7
        byzanz simulate --bots greedy,random --games 50 --jobs 2
        byzanz simulate --games 1000 --seed 7 --record - | byzanz check
        byzanz simulate --engine fast --bots sensible,random --games 100000
        """,
    )
    add_players(parser)
    parser.add_argument(
        "--games", type=integer(1), default=100, metavar="K", help="number of games (default: 100)"
    )
    add_seed(parser)
    parser.add_argument(
        "--bots",
        type=split_bots,
        default=("random",),
        metavar="A,B,...",
        help=f"{BOTS_HELP}; in seat order, repeated if there are fewer bots than seats; on the "
        f"fast engine: {', '.join(FAST_POLICIES)} (default: random)",
    )
    parser.add_argument(
        "--engine",
        choices=["readable", "fast"],
        default="readable",
        help="readable: the rules in Python, with bots; fast: the compiled engine, with its own "
        "policies (default: readable)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="write the games' records to this file; '-' is standard output, and the table then "
        "goes to standard error",
    )
    add_jobs(parser)
    add_language(parser)
    add_log(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    try:
        simulation = Simulation(
            players=options.players,
            games=options.games,
            seed=secrets.randbits(53) if options.seed is None else options.seed,
            bots=options.bots,
            record=options.record is not None,
            fast=options.engine == "fast",
        )
    except (UnknownBot, ValueError) as error:
        raise CommandError(str(error)) from None
    translations = load_translations(options.language)
    table = CommandConsole(stderr=options.record == "-")
    try:
        with ExitStack() as stack:
            write: Callable[[str], object] = len
            if options.record is not None:
                write = stack.enter_context(open_output(options.record)).write
            prepare_simulation(simulation)
            run_simulation(simulation, options.jobs, write, table, translations)
    except WorkersLost as error:
        raise CommandError(str(error)) from None
    return OK
