"""Who is at a table, as short codes. The page's script compares them to announce changes."""

from __future__ import annotations

from byzanz.tables import Sitter, TableView


def people_codes(table_view: TableView) -> str:
    """Return a code for each seat, such as ``here away bot``."""
    return " ".join(map(_code, table_view.sitters))


def _code(sitter: Sitter) -> str:
    if sitter.open:
        return "open"
    if sitter.invited:
        return "invited"
    if sitter.left:
        return "left"
    if sitter.standing_in:
        return "replaced"
    if sitter.bot is not None:
        return "bot"
    return "here" if sitter.present else "away"
