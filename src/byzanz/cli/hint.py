"""``byzanz hint``: suggest an action in a position."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from byzanz.locale import load_translations
from byzanz.messages import explain
from byzanz.notation import Malformed, is_position, parse_state, parse_view
from byzanz.rules import View, view
from byzanz.terminal.compilation import prepare_coach

from .arguments import add_command, add_language, integer
from .exit_codes import OK, CommandError

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "hint",
        "suggest an action in a position",
        "Suggest an action for the seat whose turn it is. Print the reasons for it, and the win "
        "probability of each alternative. The position is a line that begins with view/1 or "
        "state/1. Only what the player at this seat knows is used.",
        """
        byzanz hint "view/1 seat=0 phase=auction ..."
        byzanz hint "$(tail -n 1 positions.txt)" --worlds 500 --json
        """,
    )
    parser.add_argument("position", metavar="POSITION", help="a position as text")
    parser.add_argument(
        "--worlds", type=integer(2, 100_000), metavar="N",
        help="maximum number of random deals of the hidden cards (worlds) for each alternative "
        "(default: as many as fit in a second)",
    )  # fmt: skip
    parser.add_argument("--json", action="store_true", help="print the hint as JSON")
    add_language(parser)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    seen = _view(options.position)
    if seen.seat is None or seen.seat != seen.turn:
        raise CommandError("expected the view of the seat that is to act")
    # Imported here, because only this command needs the compiler.
    from byzanz.coach import hint  # noqa: PLC0415
    from byzanz.coach.advice import explain_hint  # noqa: PLC0415
    from byzanz.coach.report import Report  # noqa: PLC0415

    prepare_coach()  # so that compilation does not count for the second
    found = hint(seen, worlds=options.worlds)
    if options.json:
        print(found.to_json().decode())
    else:
        names = [f"seat {seat}" for seat in range(len(seen.players))]
        report = Report(names, options.language, load_translations(options.language))
        for line in report.hint(explain_hint(found)):
            print(line)
    return OK


def _view(text: str) -> View:
    if not is_position(text):
        raise CommandError("expected a position that begins with view/1 or state/1")
    try:
        if text.startswith("view"):
            return parse_view(text)
        state = parse_state(text)
    except Malformed as error:
        raise CommandError(explain(error)) from None
    return view(state, state.turn)
