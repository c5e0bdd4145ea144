"""``byzanz check``: whether recorded games are legal."""

from __future__ import annotations

import argparse
import json
import sys
from gettext import NullTranslations
from typing import TYPE_CHECKING

from byzanz.locale import ENGLISH
from byzanz.messages import explain
from byzanz.notation import Verdict, judge

from .arguments import command
from .exit_codes import FLAWED, GOOD, UNUSABLE, Unusable
from .files import reading

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "check",
        "say whether recorded games are legal",
        "Replay records and judge each game: whether it kept every rule, and where it first did "
        "not. Exit status: 0 if all games are legal, 1 if one is not, 2 if a file cannot be read.",
        """
        byzanz check my-game.jsonl
        byzanz check --json *.jsonl
        cat games.jsonl | byzanz check
        """,
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="records; '-' or none is standard input"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="one JSON object for each game, in order; the reasons are listed in docs/notation.md",
    )
    parser.set_defaults(run=_run)


def described(verdict: Verdict, words: NullTranslations = ENGLISH) -> str:
    """What is wrong with a game, with its code and rule."""
    error = verdict.error
    rule = f", {verdict.rule}" if verdict.rule else ""
    return f"{explain(error, words)} [{verdict.reason}{rule}]" if error else "legal"


def _run(options: argparse.Namespace) -> int:
    games = flawed = 0
    unread = False
    for name in options.files or ["-"]:
        try:
            with reading(name) as stream:
                for verdict in judge(stream):
                    games += 1
                    flawed += verdict.error is not None
                    where = name if len(options.files) > 1 else None
                    _report(verdict, games, where, as_json=options.json)
        except Unusable as error:
            print(f"byzanz check: {error}", file=sys.stderr)
            unread = True
    if not options.json:
        legal = games - flawed
        print(f"{games} {'game' if games == 1 else 'games'}: {legal} legal, {flawed} flawed.")
    return UNUSABLE if unread else FLAWED if flawed else GOOD


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
        print(f"{where}game {game}, line {verdict.line}: {described(verdict)}")
