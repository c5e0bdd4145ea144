"""``byzanz export``: convert records to another format, or to a table of decisions."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from byzanz.notation import Verdict

from .arguments import add_command, file_path
from .check import describe_verdict
from .exit_codes import OK, CommandError
from .files import check_writable
from .records import game_file_errors, open_record_input, open_record_output

if TYPE_CHECKING:
    from byzanz.datasets import Block

    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "export",
        "convert records to another format, or to a table of decisions",
        "Convert a file of records. The extension of the file after --to chooses the format: "
        ".parquet is a table with one row for each decision (needs PyArrow), .byz the binary "
        "format, .gz and .zst compressed JSON Lines. All games must be legal. "
        "docs/datasets.md describes the columns.",
        """
        byzanz export games.jsonl --to games.parquet
        byzanz export games.byz --to games.parquet --network shipped
        byzanz export games.jsonl --to games.byz
        """,
    )
    parser.add_argument("file", metavar="FILE", help="a file of records in any format; '-' is "
                        "standard input")  # fmt: skip
    parser.add_argument(
        "--to", type=file_path, required=True, metavar="FILE", help="the file to write"
    )
    parser.add_argument(
        "--network", metavar="WEIGHTS",
        help="add columns with this network's policy and win probabilities to a table of decisions "
        "(.parquet); 'shipped' is the network of emperor",
    )  # fmt: skip
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from byzanz.datasets.parquet import write_parquet  # noqa: PLC0415
    from byzanz.network import SHIPPED, Network  # noqa: PLC0415

    table = options.to.endswith(".parquet")
    if options.network and not table:
        raise CommandError("--network needs a table: --to FILE.parquet")
    network = None
    if options.network:
        path = SHIPPED if options.network == "shipped" else Path(options.network)
        try:
            network = Network.load(path)
        except FileNotFoundError:
            raise CommandError(f"there is no file '{path}'") from None
        except ValueError as error:
            raise CommandError(str(error)) from None
    games = 0
    with open_record_input(options.file) as stream:
        if table:
            check_writable(options.to)
            with game_file_errors(f"cannot write '{options.to}'"):
                for count in write_parquet(_blocks(stream), options.to, network):
                    games += count
        else:
            with open_record_output(options.to) as output:
                for block in _blocks(stream):
                    output.write_prepared(output.prepare(block))
                    games += len(block)
    if not games:
        raise CommandError(f"'{options.file}' has no games")
    print(f"{games} {'game' if games == 1 else 'games'} written to '{options.to}'.")
    return OK


def _blocks(stream: object) -> Iterator[Block]:
    from byzanz.datasets import read_games  # noqa: PLC0415

    for found in read_games(stream):  # type: ignore[arg-type]
        if isinstance(found, Verdict):
            raise CommandError(f"line {found.line}: {describe_verdict(found)}")
        yield found
