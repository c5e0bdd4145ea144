"""The guests, tables and bans that ``byzanz data`` finds, printed in rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

if TYPE_CHECKING:
    from byzanz.tables import Ban, GuestRow, TableRow


def show_guests(console: Console, guests: Sequence[GuestRow]) -> None:
    """Print guests, one in each row."""
    headings = ("Guest", "Name", "Created", "Last visit", "Tables", "Unfinished", "Address")
    table = _table(*headings, "Banned")
    for each in guests:
        table.add_row(
            each.guest,
            escape(each.name or ""),
            _time(each.created),
            _time(each.seen),
            str(each.tables),
            str(each.unfinished),
            each.address or "",
            "yes" if each.banned else "",
        )
    console.print(table)


def show_tables(console: Console, tables: Sequence[TableRow]) -> None:
    """Print tables, one in each row."""
    table = _table("Table", "Stage", "Created", "Last change", "Host", "People", "Bots", "Options")
    for each in tables:
        options = {"listed": each.listed, "password": each.locked}
        table.add_row(
            each.table,
            each.stage,
            _time(each.created),
            _time(each.active),
            each.host or "",
            escape(", ".join(name or "(no name)" for name in each.names)),
            str(each.bots),
            ", ".join(name for name, chosen in options.items() if chosen),
        )
    console.print(table)


def show_bans(console: Console, bans: Sequence[Ban]) -> None:
    """Print bans, one in each row."""
    table = _table("Ban", "Of", "Since", "Until", "Reason")
    for each in bans:
        until = "for ever" if each.expires is None else _time(each.expires)
        target = escape(each.target)
        table.add_row(each.id, target, _time(each.created), until, escape(each.reason))
    console.print(table)


def _table(*headings: str) -> Table:
    table = Table()
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
