"""``byzanz data``: back up, restore, search or delete stored data, and ban guests."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from . import moderation
from .arguments import DASH_HELP, add_command
from .database_options import add_database, address_errors, database_errors, database_url
from .exit_codes import OK, CommandError

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command."""
    parser = add_command(
        commands,
        "data",
        "back up and restore the database, find and ban guests, delete a guest's data, or compute "
        "ratings again",
        "Back up and restore what a server stores: tables, games and guests. A backup is a file of "
        "JSON Lines. A backup of SQLite can be restored into PostgreSQL, and vice versa. A "
        "backup contains the server's secrets, so protect it like the database. Find guests and "
        "tables, and ban guests or network addresses; a running server applies a ban within "
        "seconds.",
        """
        byzanz data backup byzanz-backup.jsonl
        byzanz data restore byzanz-backup.jsonl --database postgresql://byzanz@localhost/byzanz
        byzanz data forget GUEST
        byzanz data guests --name anna --created-since 2026-11-01
        byzanz data ban 192.0.2.0/24 --days 7 --reason "insults"
        byzanz data ratings
        """,
    )
    tasks = parser.add_subparsers(dest="task", required=True, metavar="TASK")
    backup = tasks.add_parser(
        "backup",
        help="write the database to a file; you need not stop the server",
        description="Write the database to a file of JSON Lines. You need not stop the server.",
    )
    backup.add_argument("file", type=Path, metavar="FILE", help="the backup to write")
    restore = tasks.add_parser(
        "restore",
        help="fill an empty database from a backup",
        description="Fill an empty database from a backup of SQLite or PostgreSQL.",
    )
    restore.add_argument("file", type=Path, metavar="FILE", help="the backup to read")
    forget = tasks.add_parser(
        "forget",
        help="delete a guest's personal data; stop the server first",
        description="Delete a guest and their personal data from the database. Their finished "
        "games stay, without their name. Stop the server first.",
    )
    forget.add_argument(
        "guest", metavar="GUEST", help=f"the guest's id in the database; {DASH_HELP}"
    )
    ratings = tasks.add_parser(
        "ratings",
        help="compute all ratings again from the stored results; stop the server first",
        description="Compute the ratings of all guests again from the stored results of rated "
        "games. Stop the server first.",
    )
    for task in (backup, restore, forget, ratings):
        add_database(task)
    moderation.add_tasks(tasks, add_database)
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here so that other commands start quickly.
    from byzanz.tables import (  # noqa: PLC0415
        NotBackedUp,
        NotForgotten,
        NotRestored,
        backup,
        forget,
        recompute_ratings,
        restore,
    )

    url = database_url(options)
    try:
        with address_errors(), database_errors():
            match options.task:
                case "backup":
                    backup(url, options.file)
                case "restore":
                    restore(options.file, url)
                case "forget":
                    forget(url, options.guest)
                case "ratings":
                    print(f"{recompute_ratings(url)} rated games")
                case _:
                    moderation.run_task(options, url)
    except (NotBackedUp, NotForgotten, NotRestored) as error:
        raise CommandError(str(error)) from None
    return OK
