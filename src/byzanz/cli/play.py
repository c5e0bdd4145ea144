"""``byzanz play``: play against bots in this terminal."""

from __future__ import annotations

import argparse
import secrets
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from byzanz.bots import Bot, make_bot
from byzanz.locale import load_translations
from byzanz.messages import BOT_PERSONS, printable
from byzanz.notation import write_record
from byzanz.rules import SEEDS, Deal, Game, branch
from byzanz.terminal import Seating, play_at_terminal
from byzanz.terminal.compilation import prepare_bots

from .arguments import (
    BOTS_HELP,
    add_command,
    add_language,
    add_log,
    add_players,
    bot_list,
    file_path,
    integer,
    refuse_surplus_bots,
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
        "play",
        "play against bots in this terminal",
        "Play a game in the terminal. Type 'help' at the prompt for a list of commands.",
        """
        byzanz play                          you and three bots of level 1
        byzanz play --players 3 --bots random
        byzanz play --bots "trader,cmd:python examples/line_bot.py"
        byzanz play --language de
        byzanz play --seed 7 --record my-game.jsonl
        """,
    )
    add_players(parser)
    parser.add_argument(
        "--bots",
        type=bot_list,
        default=("level1",),
        metavar="A,B,...",
        help=f"{BOTS_HELP}. The bots fill the other seats in order; a list that is too short is "
        "repeated (default: level1)",
    )
    parser.add_argument("--name", type=printable, help="your name (default: Guest)")
    parser.add_argument(
        "--seat",
        type=integer(0, 5),
        default=0,
        help="your seat; seat 0 starts (default: 0)",
    )
    parser.add_argument(
        "--seed", type=integer(0, SEEDS - 1), help="random seed (default: chosen at random)"
    )
    parser.add_argument(
        "--step",
        action="store_true",
        help="pause after every action of a bot, so that you can sell out of turn",
    )
    parser.add_argument(
        "--record", type=file_path, metavar="FILE", help="write the game's record to this file"
    )
    add_language(parser)
    add_log(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    seed, translations = options.seed, load_translations(options.language)
    if options.seat >= options.players:
        raise CommandError(f"there is no seat {options.seat}; seats are 0 to {options.players - 1}")
    refuse_surplus_bots(options.bots, options.players - 1)
    if sys.stdin is None:
        raise CommandError("standard input is closed")
    deal = (
        Deal.from_system(options.players) if seed is None else Deal.from_seed(options.players, seed)
    )
    console = CommandConsole(highlight=False)
    with ExitStack() as stack:
        file = None
        if options.record is not None:  # opened first, so that an error does not lose the game
            file = stack.enter_context(open_output(options.record))
        prepare_bots(options.bots)
        seating = _seating(options, translations.gettext("Guest"))
        for bot in seating.bots.values():
            stack.callback(bot.close)
        game = play_at_terminal(console, Game.start(deal), seating, translations, step=options.step)
        if file is None:
            return OK
        file.write(write_record(game, seating.names, {} if seed is None else {"seed": seed}))
    say = translations.gettext
    message = say("The game record is in {file}; view it with 'byzanz show {file}'.")
    print(message.format(file=options.record))
    return OK


def _seating(options: argparse.Namespace, guest: str) -> Seating:
    """Return a seating of the player and new bots."""
    name = options.name or guest
    others = [seat for seat in range(options.players) if seat != options.seat]
    bot_names = [person for person in BOT_PERSONS if person != name]
    names = dict(zip(others, bot_names, strict=False)) | {options.seat: name}
    seed = secrets.randbits(64) if options.seed is None else options.seed
    bots: dict[int, Bot] = {
        seat: make_bot(options.bots[place % len(options.bots)], branch(seed, seat))
        for place, seat in enumerate(others)
    }
    return Seating(tuple(names[seat] for seat in range(options.players)), bots, options.seat)
