"""``byzanz odds``: what a player can work out about the unseen cards."""

from __future__ import annotations

import argparse
import dataclasses
import json
from gettext import NullTranslations
from typing import TYPE_CHECKING

from byzanz.coach import odds
from byzanz.locale import load_translations
from byzanz.messages import explain
from byzanz.notation import Malformed, is_position, parse_state, parse_view
from byzanz.rules import View, view
from byzanz.terminal.odds import show_odds

from .arguments import add_command, add_language, integer
from .console import CommandConsole
from .exit_codes import OK, CommandError
from .files import open_input

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "odds",
        "count the unseen cards in a position, and compute what others can bid",
        "Print what a player can work out in a position: the unseen cards; for each opponent, the "
        "probability of being able to bid each total; and the next offer. The figures are exact, "
        "assuming that every way to deal the unseen cards is equally likely.",
        """
        byzanz odds "$(tail -n 1 positions.txt)"
        byzanz odds position.txt --seat 2 --language it
        byzanz odds position.txt --json
        """,
    )
    parser.add_argument(
        "position",
        metavar="POSITION",
        help="a position (view/1 ... or state/1 ...) or a file with one; '-' is standard input",
    )
    parser.add_argument(
        "--seat",
        type=integer(0, 5),
        metavar="N",
        help="compute the odds for the player at this seat; required for a state, which contains "
        "all hands",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_language(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    translations = load_translations(options.language)
    text = options.position
    if not is_position(text):
        with open_input(text) as stream:
            text = stream.readline(1 << 16).decode("utf-8", "replace").strip()
    found = odds(_view(text, options.seat, translations))
    if options.json:
        print(json.dumps(dataclasses.asdict(found), separators=(",", ":")))
    else:
        show_odds(CommandConsole(highlight=False), found, translations=translations)
    return OK


def _view(text: str, seat: int | None, translations: NullTranslations) -> View:
    """Return the view that the text describes, or the seat's view of a state."""
    try:
        if not text.startswith("state"):
            seen = parse_view(text)
            if seen.seat is None:
                raise CommandError("expected the view of a seat, not of a spectator")
            if seat not in (None, seen.seat):
                raise CommandError(f"the position is the view of seat {seen.seat}, not {seat}")
            return seen
        state = parse_state(text)
    except Malformed as error:
        raise CommandError(explain(error, translations)) from None
    if seat is None or seat >= len(state.players):
        last = len(state.players) - 1
        raise CommandError(f"a state shows all cards: choose a seat with --seat, 0 to {last}")
    return view(state, seat)
