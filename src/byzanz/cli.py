"""The door: ``byzanz`` and its commands. Nothing imports it."""

from __future__ import annotations

import argparse
import json
import os
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from textwrap import dedent, fill, indent
from typing import TYPE_CHECKING, NoReturn

from rich.console import Console

from byzanz import __version__
from byzanz.arena import FAST_POLICIES, Simulation
from byzanz.bots import BOTS, UnknownBot, check_bot, make_bot
from byzanz.notation import (
    Malformed,
    Verdict,
    is_position,
    judge,
    parse_state,
    parse_view,
    write_record,
)
from byzanz.rules import SEEDS, SETUPS, Deal, Game, branch
from byzanz.telling import explain, printable, story
from byzanz.terminal import Seating, draw_position, play_at_terminal, run_simulation

GOOD, FLAWED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: all is well; a record is flawed; what was asked cannot be done; Ctrl-C."""

_BOT_NAMES = ("Theodora", "Justinian", "Irene", "Basil", "Zoe")


class Unusable(Exception):
    """What was asked cannot be done; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status of one command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a name may hold what the terminal cannot show
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        if sys.stdout is not None:
            sys.stdout.flush()
    except Unusable as error:
        print(f"byzanz {options.command}: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        _hush()  # whoever read our output has gone
        return UNUSABLE
    except OSError as error:
        _hush()
        print(f"byzanz {options.command}: {error.strerror or error}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    return status


def _hush() -> None:
    """Nothing more is written to standard output, not even what is left in its buffer."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _play(options: argparse.Namespace) -> int:
    seed = options.seed
    deal = (
        Deal.from_system(options.players) if seed is None else Deal.from_seed(options.players, seed)
    )
    luck = secrets.randbits(64) if seed is None else seed
    others = [seat for seat in range(options.players) if seat != options.seat]
    if options.seat >= options.players:
        raise Unusable(f"there is no seat {options.seat}; seats are 0 to {options.players - 1}")
    names = dict(zip(others, _BOT_NAMES, strict=False)) | {options.seat: options.name}
    kinds = {seat: options.bots[at % len(options.bots)] for at, seat in enumerate(others)}
    bots = {seat: make_bot(kind, branch(luck, seat)) for seat, kind in kinds.items()}
    seating = Seating(tuple(names[seat] for seat in range(options.players)), bots, options.seat)
    if sys.stdin is None:
        raise Unusable("standard input is closed: there is nobody to play")
    console = Console(highlight=False)
    if options.record is None:
        play_at_terminal(console, Game.start(deal), seating, step=options.step)
        return GOOD
    with _writing(options.record) as file:  # before the game, so that it is not played in vain
        game = play_at_terminal(console, Game.start(deal), seating, step=options.step)
        file.write(write_record(game, seating.names, {} if seed is None else {"seed": seed}))
    print(f"The record is in {options.record}; 'byzanz show {options.record}' tells it.")
    return GOOD


def _simulate(options: argparse.Namespace) -> int:
    try:
        simulation = Simulation(
            players=options.players,
            games=options.games,
            seed=secrets.randbits(53) if options.seed is None else options.seed,
            bots=options.bots,
            record=options.record is not None,
            fast=options.engine == "fast",
        )
    except UnknownBot as error:
        raise Unusable(str(error)) from None
    table = Console(stderr=options.record == "-")
    if options.record is None:
        run_simulation(simulation, options.jobs, len, table)
    else:
        with _writing(options.record) as file:
            run_simulation(simulation, options.jobs, file.write, table)
    return GOOD


def _check(options: argparse.Namespace) -> int:
    games = flawed = 0
    unread = False
    for name in options.files or ["-"]:
        try:
            with _reading(name) as stream:
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
        print(f"{where}game {game}, line {verdict.line}: {_described(verdict)}")


def _described(verdict: Verdict) -> str:
    error = verdict.error
    rule = f", {verdict.rule}" if verdict.rule else ""
    return f"{explain(error)} [{verdict.reason}{rule}]" if error else "legal"


def _show(options: argparse.Namespace) -> int:
    console = Console(highlight=False)
    if is_position(options.file):
        _show_position(console, options.file)
        return GOOD
    with _reading(options.file) as stream:
        head = stream.peek(8)[:8].decode("ascii", "replace")
        if is_position(head):
            _show_position(console, stream.readline(1 << 16).decode("utf-8", "replace").strip())
            return GOOD
        for number, verdict in enumerate(judge(stream), start=1):
            if number == options.game:
                return _tell(verdict)
    raise Unusable(f"{options.file} holds no game {options.game}")


def _show_position(console: Console, text: str) -> None:
    try:
        draw_position(console, parse_state(text) if text.startswith("state") else parse_view(text))
    except Malformed as error:
        raise Unusable(explain(error)) from None


def _tell(verdict: Verdict) -> int:
    if verdict.record is not None:
        for line in story(verdict.record.game, verdict.record.names):
            print(line)
    if verdict.error is None:
        return GOOD
    sys.stdout.flush()
    print(f"byzanz show: line {verdict.line}: {_described(verdict)}", file=sys.stderr)
    return FLAWED


@contextmanager
def _reading(name: str) -> Iterator[BufferedReader]:
    """The named file for reading, standard input for ``-``."""
    if name == "-" and sys.stdin is None:
        raise Unusable("standard input is closed")
    try:
        # A copy of standard input, so that it can be closed like any other file.
        file = os.fdopen(os.dup(sys.stdin.fileno()), "rb") if name == "-" else open(name, "rb")  # noqa: PTH123, SIM115
    except OSError as error:
        raise Unusable(f"cannot read '{name}': {error.strerror or error}") from None
    with file:
        yield file


@contextmanager
def _writing(name: str) -> Iterator[TextIOWrapper]:
    """The named file for writing, standard output for ``-``."""
    try:
        file = os.fdopen(os.dup(sys.stdout.fileno()), "wb") if name == "-" else open(name, "wb")  # noqa: PTH123, SIM115
    except OSError as error:
        raise Unusable(f"cannot write '{name}': {error.strerror or error}") from None
    with TextIOWrapper(file, encoding="utf-8", newline="\n") as text:
        yield text


class _Parser(argparse.ArgumentParser):
    """A parser whose errors say where help is."""

    def error(self, message: str) -> NoReturn:
        self.exit(UNUSABLE, f"{self.prog}: {message}\nTry '{self.prog} --help'.\n")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="byzanz",
        description="Byzanz, the auction card game by Emanuele Ornella, for 3 to 6 players.",
        epilog="'byzanz COMMAND --help' tells more about each command, with examples.",
    )
    parser.add_argument("--version", action="version", version=f"byzanz {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_play(commands)
    _add_simulate(commands)
    _add_check(commands)
    _add_show(commands)
    return parser


if TYPE_CHECKING:
    _Commands = argparse._SubParsersAction["_Parser"]


def _add_play(commands: _Commands) -> None:
    parser = _command(
        commands,
        "play",
        "play against bots in this terminal",
        "Play a whole game at a prompt. Type 'help' there to learn what you can do.",
        """
        byzanz play                          you and three bots
        byzanz play --players 3 --bots random
        byzanz play --seed 7 --record my-game.jsonl
        """,
    )
    _add_players(parser)
    parser.add_argument(
        "--bots", type=_bots, default=("greedy",), metavar="A,B,...", help=_BOTS_HELP
    )
    parser.add_argument(
        "--name", type=printable, default="Guest", help="what the story calls you (default: Guest)"
    )
    parser.add_argument(
        "--seat", type=_whole(0, 5), default=0, help="your seat; seat 0 starts (default: 0)"
    )
    parser.add_argument(
        "--seed", type=_whole(0, SEEDS - 1), help="deal this seed's cards (default: chance)"
    )
    parser.add_argument(
        "--step", action="store_true", help="stop after every action of a bot; you may sell there"
    )
    parser.add_argument(
        "--record", type=_file, metavar="FILE", help="write the game's record to this file"
    )
    parser.set_defaults(run=_play)


def _add_simulate(commands: _Commands) -> None:
    parser = _command(
        commands,
        "simulate",
        "let bots play many games",
        "Let bots play, and see how they fare. The same seed gives the same games, byte for byte, "
        "however many processes play them; the seed in a record's header gives that game alone.",
        """
        byzanz simulate --players 4 --games 100 --seed 7
        byzanz simulate --bots greedy,random --games 50 --jobs 2
        byzanz simulate --games 1000 --seed 7 --record - | byzanz check
        byzanz simulate --engine fast --bots sensible,random --games 100000
        """,
    )
    _add_players(parser)
    parser.add_argument(
        "--games", type=_whole(1), default=100, metavar="K", help="how many games (default: 100)"
    )
    parser.add_argument(
        "--seed",
        type=_whole(0, SEEDS - 1),
        metavar="S",
        help="what decides all chance, from 0 to 2^64-1 (default: drawn, and shown)",
    )
    parser.add_argument(
        "--bots",
        type=lambda text: tuple(text.split(",")),
        default=("random",),
        metavar="A,B,...",
        help=f"{_BOTS_HELP}; on the fast engine: {', '.join(FAST_POLICIES)} (default: random)",
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
    parser.add_argument(
        "--jobs", type=_whole(1), default=1, metavar="J", help="processes that play (default: 1)"
    )
    parser.set_defaults(run=_simulate)


def _add_check(commands: _Commands) -> None:
    parser = _command(
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
    parser.set_defaults(run=_check)


def _add_show(commands: _Commands) -> None:
    parser = _command(
        commands,
        "show",
        "tell a recorded game as a story, or draw a position",
        "Tell a record as a story, auction by auction; or draw the table of a position text "
        "(state/1 ... or view/1 ...), given in a file or outright.",
        """
        byzanz show my-game.jsonl
        byzanz show games.jsonl --game 12
        byzanz show "$(tail -n 1 positions.txt)"
        """,
    )
    parser.add_argument(
        "file", metavar="FILE", help="a record or a position text; '-' is standard input"
    )
    parser.add_argument(
        "--game", type=_whole(1), default=1, metavar="N", help="which game of the file (default: 1)"
    )
    parser.set_defaults(run=_show)


_BOTS_HELP = f"bots in seat order, repeated if too few: {', '.join(BOTS)}"


def _command(
    commands: _Commands, name: str, summary: str, description: str, examples: str
) -> argparse.ArgumentParser:
    return commands.add_parser(
        name,
        help=summary,
        description=fill(description),
        epilog="examples:\n" + indent(dedent(examples).strip(), "  "),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def _add_players(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players",
        type=_whole(min(SETUPS), max(SETUPS)),
        default=4,
        metavar="N",
        help="how many players, 3 to 6 (default: 4)",
    )


def _whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """A reader of whole numbers within bounds."""
    bounds = f"a whole number from {least}" + ("" if most is None else f" to {most}")

    def read(text: str) -> int:
        if re.fullmatch("[0-9]{1,20}", text) and least <= int(text) <= (most or int(text)):
            return int(text)
        raise argparse.ArgumentTypeError(f"expected {bounds}, not '{text}'")

    return read


def _file(text: str) -> str:
    """A reader of file names, for what cannot go to standard output."""
    if text == "-":
        raise argparse.ArgumentTypeError("expected a file: standard output shows the game")
    return text


def _bots(text: str) -> tuple[str, ...]:
    """A reader of bots' names."""
    names = tuple(text.split(","))
    try:
        for name in names:
            check_bot(name)
    except UnknownBot as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return names
