"""The tasks of ``byzanz data`` for moderation: find guests and tables, ban and unban."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from .arguments import DASH_HELP, integer
from .console import CommandConsole
from .exit_codes import CommandError

_DAY = 24 * 3600
_LONGEST_REASON = 200
_STAGES = ("open", "playing", "finished", "expired", "ended")


def add_tasks(
    tasks: argparse._SubParsersAction[argparse.ArgumentParser],
    add_database: Callable[[argparse.ArgumentParser], None],
) -> None:
    """Add the tasks to the command."""
    ban = tasks.add_parser(
        "ban",
        help="ban a guest or network addresses; a running server applies it in seconds",
        description="Ban a guest or network addresses. A running server applies the ban within "
        "seconds. It replaces an earlier ban of the same guest or addresses.",
    )
    ban.add_argument(
        "target",
        metavar="WHO",
        help="a guest's id, an address or range such as 192.0.2.0/24, or the pseudonym of an "
        f"address in the server's log; {DASH_HELP}",
    )
    ban.add_argument(
        "--reason", type=_reason, default="", metavar="TEXT", help="shown to whoever is banned"
    )
    ban.add_argument(
        "--days",
        type=integer(1, 36_500),
        metavar="N",
        help="how long the ban lasts (default: for ever)",
    )
    unban = tasks.add_parser(
        "unban",
        help="lift a ban",
        description="Lift a ban. A running server notices it within seconds.",
    )
    unban.add_argument(
        "target",
        metavar="WHO",
        help=f"the guest, range or pseudonym, or the ban's id; {DASH_HELP}",
    )
    bans = tasks.add_parser(
        "bans",
        help="list the bans",
        description="List the bans in force, newest first.",
    )
    guests = tasks.add_parser(
        "guests",
        help="find guests; you need not stop the server",
        description="List the guests that match all given options, newest first. You need not stop "
        "the server.",
    )
    guests.add_argument("--name", metavar="TEXT", help="guests whose name contains this text")
    guests.add_argument(
        "--min-tables",
        type=integer(0, 10**9),
        metavar="N",
        help="guests with a seat at N tables or more",
    )
    guests.add_argument(
        "--address",
        metavar="PSEUDONYM",
        help="guests whose last network address appears in the log under this pseudonym",
    )
    tables = tasks.add_parser(
        "tables",
        help="find tables; you need not stop the server",
        description="List the tables that match all given options, newest first. You need not stop "
        "the server.",
    )
    tables.add_argument("--guest", metavar="GUEST", help="tables that this guest hosts or sits at")
    tables.add_argument(
        "--name", metavar="TEXT", help="tables with a player whose name contains this text"
    )
    tables.add_argument("--stage", choices=_STAGES, help="tables at this stage")
    tables.add_argument(
        "--min-people", type=integer(0, 6), metavar="N", help="tables with at least N people"
    )
    for task in (guests, tables):
        task.add_argument(
            "--created-since", type=_date, metavar="DATE", help="created on this day or later"
        )
        task.add_argument(
            "--older-than",
            type=integer(0, 36_500),
            metavar="DAYS",
            help="created more than DAYS days ago",
        )
        task.add_argument(
            "--most", type=integer(1, 10**6), default=100, metavar="N",
            help="show at most N, the newest ones (default: 100)",
        )  # fmt: skip
    for task in (guests, tables, bans):
        task.add_argument("--json", action="store_true", help="print the results as JSON")
    for task in (ban, unban, bans, guests, tables):
        add_database(task)


def run_task(options: argparse.Namespace, url: str | None) -> None:
    """Run the task that the options name; raises CommandError."""
    # Imported here so that other commands start quickly.
    import byzanz.tables as t  # noqa: PLC0415
    from byzanz.terminal import operating  # noqa: PLC0415

    try:
        match options.task:
            case "ban":
                seconds = None if options.days is None else options.days * float(_DAY)
                made = t.ban(url, options.target, options.reason, seconds)
                print(f"Banned {made.target} (ban {made.id}).")
            case "unban":
                t.unban(url, options.target)
                print(f"Lifted the ban of {options.target}.")
            case "bans":
                _print(options, t.list_bans(url), operating.show_bans)
            case "guests":
                wanted = t.GuestFilter(
                    name=options.name,
                    least_tables=options.min_tables,
                    address=options.address,
                    **_ages(options),
                )
                _print(options, t.find_guests(url, wanted), operating.show_guests)
            case "tables":
                chosen = t.TableFilter(
                    guest=options.guest,
                    name=options.name,
                    stage=None if options.stage is None else t.Stage(options.stage),
                    least_people=options.min_people,
                    **_ages(options),
                )
                _print(options, t.find_tables(url, chosen), operating.show_tables)
    except t.NotOperated as error:
        raise CommandError(str(error)) from None


def _ages(options: argparse.Namespace) -> dict[str, Any]:
    days = options.older_than
    return {
        "created_since": options.created_since,
        "created_before": None if days is None else time.time() - days * _DAY,
        "most": options.most,
    }


def _print(options: argparse.Namespace, rows: Any, show: Callable[..., None]) -> None:
    if options.json:
        data = [{name: getattr(row, name) for name in row.__struct_fields__} for row in rows]
        print(json.dumps(data, indent=1, ensure_ascii=False))
    else:
        show(CommandConsole(), rows)


def _date(text: str) -> float:
    """Return the beginning of a day in UTC, in seconds since 1970."""
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a day such as 2026-11-18, not '{text}'"
        ) from None


def _reason(text: str) -> str:
    if len(text) > _LONGEST_REASON or not text.isprintable():
        raise argparse.ArgumentTypeError(f"expected at most {_LONGEST_REASON} visible characters")
    return text
