"""``byzanz check``: check whether recorded games are legal."""

from __future__ import annotations

import argparse
import json
import sys
from gettext import NullTranslations
from typing import TYPE_CHECKING

from byzanz.locale import ENGLISH
from byzanz.messages import explain
from byzanz.notation import Verdict

from .arguments import add_command
from .exit_codes import ERROR, INVALID, OK, CommandError
from .records import check_games, open_record_input

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "check",
        "check whether recorded games are legal",
        "Replay records and report each game that breaks a rule, with the line of its first error. "
        "The files may be compressed (.gz, .zst) or in the binary format (.byz). "
        "Exit status: 0 if all games are legal, 1 if one is not, 2 if a file cannot be read.",
        """
        byzanz check my-game.jsonl
        byzanz check --json *.jsonl
        byzanz check million.byz
        cat games.jsonl | byzanz check
        """,
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="files of records; '-' or none is standard input"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object for each game, in order; docs/notation.md lists its error "
        "codes",
    )
    parser.set_defaults(run=_run)


def describe_verdict(verdict: Verdict, translations: NullTranslations = ENGLISH) -> str:
    """Return what is wrong with a game, with the reason's code and rule, or 'legal'."""
    error = verdict.error
    rule = f", {verdict.rule}" if verdict.rule else ""
    return f"{explain(error, translations)} [{verdict.reason}{rule}]" if error else "legal"


def _run(options: argparse.Namespace) -> int:
    games = invalid = 0
    unread = False
    for name in options.files or ["-"]:
        try:
            before = games
            with open_record_input(name) as stream:
                for verdict in check_games(stream):
                    games += 1
                    invalid += verdict.error is not None
                    where = name if len(options.files) > 1 else None
                    _report(verdict, games, where, as_json=options.json)
            if games == before:
                what = "standard input" if name == "-" else f"'{name}'"
                print(f"byzanz check: {what} has no games", file=sys.stderr)
        except CommandError as error:
            print(f"byzanz check: {error}", file=sys.stderr)
            unread = True
    if not options.json:
        legal = games - invalid
        print(f"{games} {'game' if games == 1 else 'games'}: {legal} legal, {invalid} with errors.")
    return ERROR if unread else INVALID if invalid else OK


def _report(verdict: Verdict, game: int, file: str | None, *, as_json: bool) -> None:
    if as_json:
        found: dict[str, object] = {"game": game, "ok": verdict.error is None}
        if file is not None:
            found["file"] = file
        if verdict.error is not None:
            found |= {"line": verdict.line, "reason": verdict.reason, "rule": verdict.rule}
            found["message"] = explain(verdict.error)
        print(json.dumps(found, separators=(",", ":")))
    elif verdict.error is not None:
        where = f"{file}, " if file is not None else ""
        print(f"{where}game {game}, line {verdict.line}: {describe_verdict(verdict)}")
