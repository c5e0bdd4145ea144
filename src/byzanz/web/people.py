"""Who is at a table, as short codes. The page's script compares them to announce changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from gettext import NullTranslations

from byzanz.locale import _
from byzanz.tables import Sitter, TableView


def people_codes(table_view: TableView) -> str:
    """Return a code for each seat, such as ``here away bot``."""
    return " ".join(map(_code, table_view.sitters))


def named_seats(names: Sequence[str], seats: Iterable[int]) -> str:
    """Return the names of these seats, separated by commas."""
    return ", ".join(names[seat] for seat in seats)


def ended_by(table_view: TableView, names: Sequence[str], translations: NullTranslations) -> str:
    """Return a sentence that says who ended the game by vote."""
    text = translations.gettext(
        _("These players ended the game by vote: {names}. It has no result and does not count.")
    )
    return text.format(names=named_seats(names, table_view.end_votes))


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
