"""The names of goods and cards, as people say them."""

from __future__ import annotations

from collections.abc import Iterable
from gettext import NullTranslations

from byzanz.locale import ENGLISH, _
from byzanz.rules import Card, Kind, in_order

_KINDS = {
    Kind.CLOTH: _("cloth"),
    Kind.GRAIN: _("grain"),
    Kind.OLIVES: _("olives"),
    Kind.SPICES: _("spices"),
    Kind.WOOD: _("wood"),
    Kind.WINE: _("wine"),
    Kind.MERCHANT: _("merchant"),
}


def kind_name(kind: Kind, words: NullTranslations = ENGLISH) -> str:
    """What the kind is called."""
    return words.gettext(_KINDS[kind])


def card_name(card: Card, words: NullTranslations = ENGLISH) -> str:
    """What the card is called: its kind and, for goods, its value."""
    name = kind_name(card.kind, words)
    return f"{name} {card.worth}" if card.worth else name


def card_names(cards: Iterable[Card], words: NullTranslations = ENGLISH) -> str:
    """The cards in face order, separated by commas; a dash for none."""
    return ", ".join([card_name(card, words) for card in in_order(cards)]) or "-"


def printable(name: str) -> str:
    """The name without characters that would steer a terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)
