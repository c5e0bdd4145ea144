"""Talk as pages show it: what was said at a table, and what can be said."""

from __future__ import annotations

from gettext import NullTranslations
from typing import NamedTuple

from byzanz.messages import phrase_text
from byzanz.tables import REACTIONS, Phrase, TableView

from .board import seat_names


class Spoken(NamedTuple):
    """Something that was said, as a page shows it."""

    number: int
    seat: int
    name: str
    picture: str
    """The class of a reaction's picture; empty for a phrase."""
    text: str


class Sayable(NamedTuple):
    """Something that people can say, as the menu shows it."""

    code: str
    picture: str
    text: str


def spoken(table_view: TableView, translations: NullTranslations) -> tuple[Spoken, ...]:
    """Return what was said at the table, in the reader's language."""
    if not table_view.said:
        return ()
    names = seat_names(table_view.table, table_view.sitters, translations)
    return tuple(
        Spoken(
            each.number,
            each.seat,
            names[each.seat],
            _picture(each.phrase),
            phrase_text(each.phrase, translations),
        )
        for each in table_view.said
    )


def sayable(translations: NullTranslations) -> tuple[Sayable, ...]:
    """Return everything that people can say."""
    return tuple(
        Sayable(each.value, _picture(each), phrase_text(each, translations)) for each in Phrase
    )


def _picture(phrase: Phrase) -> str:
    return f"r-{phrase.value}" if phrase in REACTIONS else ""


def talk_state(table_view: TableView) -> str:
    """Return ``on`` or ``off``; empty if the viewer has no seat or nobody to talk to."""
    if table_view.may_talk:
        return "on"
    others = any(
        seat.seat != table_view.seat
        and not (seat.open or seat.left)
        and (seat.bot is None or seat.standing_in)
        for seat in table_view.sitters
    )
    off = not table_view.options.talk and table_view.seat is not None and others
    return "off" if off else ""
