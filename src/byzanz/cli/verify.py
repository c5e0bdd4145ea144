"""``byzanz verify``: check that a server dealt recorded games fairly."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from byzanz.messages import explain, explain_proof
from byzanz.notation import ProofFault, check_proof, drawn_by_server, judge
from byzanz.rules.proven_deal import NONCE_DIGITS, SECRET_DIGITS

from .arguments import add_command
from .exit_codes import ERROR, INVALID, OK, CommandError
from .files import open_input

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "verify",
        "check that a server dealt games fairly",
        "Check that a server dealt recorded games fairly. The server's secret must match the hash "
        "published before the game, and the cards must follow from the secret and the players' "
        "random numbers. Games that began without an open seat, for example against bots, have no "
        "proof. docs/dealing.md says what a proof shows and what it does not. Exit status: 0 if "
        "all deals are proven, 1 if one is not, 2 if the file cannot be read.",
        """
        byzanz verify byzanz.jsonl
        byzanz verify byzanz.jsonl --commitment 0b1f...
        """,
    )
    parser.add_argument(
        "file",
        nargs="?",
        default="-",
        metavar="FILE",
        help="records; '-' or none is standard input",
    )
    parser.add_argument(
        "--commitment",
        metavar="HASH",
        help="the hash that the table showed before the game, if you noted it",
    )
    parser.add_argument(
        "--nonce",
        metavar="NUMBER",
        help="the random number that your browser contributed to the deal, if you saved it",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    _check_digits("--commitment", options.commitment, SECRET_DIGITS)
    _check_digits("--nonce", options.nonce, NONCE_DIGITS)
    games = failed = 0
    with open_input(options.file) as stream:
        for verdict in judge(stream):
            games += 1
            record = verdict.record
            if record is None or verdict.error is not None:
                failed += 1
                reason = "" if verdict.error is None else explain(verdict.error)
                print(f"game {games}, line {verdict.line}: {reason} [{verdict.reason}]")
                continue
            fault = check_proof(
                record.deal, record.extra, published=options.commitment, nonce=options.nonce
            )
            failed += fault is not None
            code = "" if fault is None else f" [{fault}]"
            print(f"game {games}: {explain_proof(fault)}{code}")
            if fault is None:
                _note_drawn(drawn_by_server(record.extra), record.names)
    if not games:
        print(f"There is no game in the file. [{ProofFault.MISSING}]")
        return ERROR
    return INVALID if failed else OK


def _note_drawn(seats: tuple[int, ...], names: tuple[str, ...]) -> None:
    for seat in seats:
        print(f"  The server drew the number of seat {seat} ({names[seat]}), who sent none.")


def _check_digits(option: str, given: str | None, digits: int) -> None:
    if given is not None and re.fullmatch(f"[0-9a-f]{{{digits}}}", given) is None:
        raise CommandError(f"{option} needs {digits} hexadecimal digits, not '{given}'")
