"""The names of goods and cards."""

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

_GOODS_CARDS = {
    # Translators: the name of a goods card, such as "cloth 1". Names are used in lists and after
    # colons, without an article. The same applies to the values 2, 3 and 4.
    1: _("{kind} 1"),
    2: _("{kind} 2"),
    3: _("{kind} 3"),
    4: _("{kind} 4"),
}
"""One pattern for each value, because in some languages the ending depends on the number."""


def kind_name(kind: Kind, translations: NullTranslations = ENGLISH) -> str:
    """Return the name of the kind of card."""
    return translations.gettext(_KINDS[kind])


def card_name(card: Card, translations: NullTranslations = ENGLISH) -> str:
    """Return the name of the card, such as ``cloth 3``; a merchant's name has no value."""
    kind = kind_name(card.kind, translations)
    if not card.worth:
        return kind
    return translations.gettext(_GOODS_CARDS[card.worth]).format(kind=kind)


def card_names(cards: Iterable[Card], translations: NullTranslations = ENGLISH) -> str:
    """Return the cards' names in face order, separated by commas; a dash if there are none."""
    return ", ".join([card_name(card, translations) for card in in_order(cards)]) or "-"


def printable(name: str) -> str:
    """Return the name with unprintable characters replaced, so that it is safe in a terminal."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in name)
