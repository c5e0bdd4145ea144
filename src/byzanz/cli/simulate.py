"""``byzanz simulate``: bots play many games."""

from __future__ import annotations

import argparse
import secrets
from typing import TYPE_CHECKING

from byzanz.arena import FAST_POLICIES, PlayersLost, Simulation
from byzanz.bots import UnknownBot, split_bots
from byzanz.locale import translations
from byzanz.terminal import run_simulation

from .arguments import (
    BOTS_HELP,
    add_jobs,
    add_language,
    add_log,
    add_players,
    add_seed,
    command,
    whole,
)
from .console import Screen
from .exit_codes import GOOD, Unusable
from .files import writing

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "simulate",
        "let bots play many games",
        "Let bots play, and see how they fare. The same seed gives the same games, byte for byte, "
        "however many processes play them and unless bots think by the clock; the seed in a "
        "record's header gives that game alone.",
        """
        byzanz simulate --players 4 --games 100 --seed 7
        byzanz simulate --bots greedy,random --games 50 --jobs 2
        byzanz simulate --games 1000 --seed 7 --record - | byzanz check
        byzanz simulate --engine fast --bots sensible,random --games 100000
        """,
    )
    add_players(parser)
    parser.add_argument(
        "--games", type=whole(1), default=100, metavar="K", help="how many games (default: 100)"
    )
    add_seed(parser)
    parser.add_argument(
        "--bots",
        type=split_bots,
        default=("random",),
        metavar="A,B,...",
        help=f"{BOTS_HELP}; in seat order, repeated if too few; on the fast engine: "
        f"{', '.join(FAST_POLICIES)} (default: random)",
    )
    parser.add_argument(
        "--engine",
        choices=["readable", "fast"],
        default="readable",
        help="the readable rules with bots, or the compiled engine with its own policies",
    )
    parser.add_argument(
        "--record",
        metavar="FILE",
        help="write the games' records here; '-' is standard output, the table then goes to "
        "standard error",
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
        raise Unusable(str(error)) from None
    words = translations(options.language)
    table = Screen(stderr=options.record == "-")
    try:
        if options.record is None:
            run_simulation(simulation, options.jobs, len, table, words)
        else:
            with writing(options.record) as file:
                run_simulation(simulation, options.jobs, file.write, table, words)
    except PlayersLost as error:
        raise Unusable(str(error)) from None
    return GOOD
