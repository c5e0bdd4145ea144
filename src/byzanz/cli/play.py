"""``byzanz play``: a game against bots in this terminal."""

from __future__ import annotations

import argparse
import secrets
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from byzanz.bots import Bot, make_bot
from byzanz.locale import translations
from byzanz.messages import BOT_PERSONS, printable
from byzanz.notation import write_record
from byzanz.rules import SEEDS, Deal, Game, branch
from byzanz.terminal import Seating, play_at_terminal

from .arguments import BOTS_HELP, a_file, add_language, add_log, add_players, bots, command, whole
from .console import Screen
from .exit_codes import GOOD, Unusable
from .files import writing

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "play",
        "play against bots in this terminal",
        "Play a whole game at a prompt. Type 'help' there to learn what you can do.",
        """
        byzanz play                          you and three novices
        byzanz play --players 3 --bots random
        byzanz play --bots "trader,cmd:python examples/line_bot.py"
        byzanz play --language de
        byzanz play --seed 7 --record my-game.jsonl
        """,
    )
    add_players(parser)
    parser.add_argument(
        "--bots",
        type=bots,
        default=("novice",),
        metavar="A,B,...",
        help=f"{BOTS_HELP}; in seat order, repeated if too few",
    )
    parser.add_argument("--name", type=printable, help="what the story calls you (default: Guest)")
    parser.add_argument(
        "--seat", type=whole(0, 5), default=0, help="your seat; seat 0 starts (default: 0)"
    )
    parser.add_argument(
        "--seed", type=whole(0, SEEDS - 1), help="deal this seed's cards (default: chance)"
    )
    parser.add_argument(
        "--step", action="store_true", help="stop after every action of a bot; you may sell there"
    )
    parser.add_argument(
        "--record", type=a_file, metavar="FILE", help="write the game's record to this file"
    )
    add_language(parser)
    add_log(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    seed, words = options.seed, translations(options.language)
    deal = (
        Deal.from_system(options.players) if seed is None else Deal.from_seed(options.players, seed)
    )
    luck = secrets.randbits(64) if seed is None else seed
    others = [seat for seat in range(options.players) if seat != options.seat]
    if options.seat >= options.players:
        raise Unusable(f"there is no seat {options.seat}; seats are 0 to {options.players - 1}")
    own = options.name or words.gettext("Guest")
    persons = [person for person in BOT_PERSONS if person != own]
    names = dict(zip(others, persons, strict=False)) | {options.seat: own}
    kinds = {seat: options.bots[at % len(options.bots)] for at, seat in enumerate(others)}
    players: dict[int, Bot] = {
        seat: make_bot(kind, branch(luck, seat)) for seat, kind in kinds.items()
    }
    seating = Seating(tuple(names[seat] for seat in range(options.players)), players, options.seat)
    if sys.stdin is None:
        raise Unusable("standard input is closed: there is nobody to play")
    console = Screen(highlight=False)
    with ExitStack() as stack:
        for bot in players.values():
            stack.callback(bot.close)
        if options.record is None:
            play_at_terminal(console, Game.start(deal), seating, words, step=options.step)
            return GOOD
        # Before the game, so that it is not played in vain.
        file = stack.enter_context(writing(options.record))
        game = play_at_terminal(console, Game.start(deal), seating, words, step=options.step)
        file.write(write_record(game, seating.names, {} if seed is None else {"seed": seed}))
    told = words.gettext("The record is in {file}; 'byzanz show {file}' tells it.")
    print(told.format(file=options.record))
    return GOOD
