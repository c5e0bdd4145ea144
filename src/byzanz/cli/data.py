"""``byzanz data``: the stored tables and guests kept safe, moved, or forgotten."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import command
from .database_options import add_database, database_url, known_database, usable_database
from .exit_codes import GOOD, Unusable

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "data",
        "back up and restore what is stored, or forget a guest",
        "Keep what a server stores: tables, games and guests. A backup is a file of JSON Lines; "
        "made from SQLite, it can be restored into PostgreSQL, and the other way round. It holds "
        "the server's secrets, so keep it as safe as the database.",
        """
        byzanz data backup byzanz-backup.jsonl
        byzanz data restore byzanz-backup.jsonl --database postgresql://byzanz@localhost/byzanz
        byzanz data forget GUEST
        """,
    )
    doing = parser.add_subparsers(dest="doing", required=True, metavar="WHAT")
    backing_up = doing.add_parser("backup", help="write everything to a file; a server may run")
    backing_up.add_argument("file", type=Path, metavar="FILE", help="the backup to write")
    restoring = doing.add_parser("restore", help="fill an empty database from a backup")
    restoring.add_argument("file", type=Path, metavar="FILE", help="the backup to read")
    forgetting = doing.add_parser(
        "forget", help="delete what tells of a guest; no server may run meanwhile"
    )
    forgetting.add_argument("guest", metavar="GUEST", help="the guest's id in the database")
    for part in (backing_up, restoring, forgetting):
        add_database(part)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # The other commands need not wait until all this is loaded.
    from byzanz.tables import backup, forget, restore  # noqa: PLC0415
    from byzanz.tables.storage.backup import NotBackedUp, NotForgotten, NotRestored  # noqa: PLC0415

    url = database_url(options)
    try:
        with known_database(), usable_database():
            match options.doing:
                case "backup":
                    backup(url, options.file)
                case "restore":
                    restore(options.file, url)
                case "forget":
                    forget(url, options.guest)
    except (NotBackedUp, NotForgotten, NotRestored) as error:
        raise Unusable(str(error)) from None
    return GOOD
