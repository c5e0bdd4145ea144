"""``byzanz simulate``: let bots play many games."""

from __future__ import annotations

import argparse
import os
import secrets
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
    add_language,
    add_log,
    add_players,
    add_seed,
    integer,
    refuse_unused_budgets,
)
from .console import CommandConsole
from .exit_codes import OK, CommandError
from .records import open_record_output

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
        "time. Each record names the seed and the bots of its game: '--games 1' with this seed, "
        "these bots and the same --players and --engine plays that game again.",
        """
        byzanz simulate --players 4 --games 100 --seed 7
        byzanz simulate --bots greedy,random --games 50 --jobs 2
        byzanz simulate --games 1000 --seed 7 --record - | byzanz check
        byzanz simulate --engine fast --bots sensible,random --games 100000
        byzanz simulate --engine fast --games 1000000 --seed 1 --record million.byz
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
        help=f"{BOTS_HELP}. The bots fill the seats in order; a list that is too short is repeated "
        "(default: random)",
    )
    parser.add_argument(
        "--engine",
        choices=["readable", "fast"],
        default="readable",
        help="readable: the engine in Python, which plays all bots; fast: the compiled engine, "
        f"which plays only {', '.join(FAST_POLICIES)} (default: readable)",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="write the games' records to this file, in the format of its extension: .byz is "
        "binary, .gz and .zst are compressed JSON Lines, all others are JSON Lines; '-' writes to "
        "standard output, and the results are then printed to standard error",
    )
    parser.add_argument(
        "--mixed",
        action="store_true",
        help="choose a random bot from the list for every seat of every game",
    )
    parser.add_argument(
        "--jobs",
        type=integer(1),
        metavar="J",
        help="number of processes, or of threads on the fast engine (default: 1; on the fast "
        "engine, the number of cores)",
    )
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
            mixed=options.mixed,
        )
        refuse_unused_budgets(options.bots)
    except (UnknownBot, ValueError) as error:
        raise CommandError(str(error)) from None
    translations = load_translations(options.language)
    table = CommandConsole(stderr=options.record == "-")
    try:
        with ExitStack() as stack:
            output = None
            if options.record is not None:
                output = stack.enter_context(open_record_output(options.record))
            prepare_simulation(simulation)
            jobs = options.jobs or ((os.cpu_count() or 1) if simulation.fast else 1)
            run_simulation(simulation, jobs, output, table, translations)
    except WorkersLost as error:
        raise CommandError(str(error)) from None
    return OK
