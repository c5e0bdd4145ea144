"""Parse what a player types: the notation, with shortcuts."""

from __future__ import annotations

from gettext import NullTranslations

from byzanz.locale import ENGLISH
from byzanz.messages import kind_name
from byzanz.notation import Fault, Malformed, parse_action
from byzanz.rules import Action, Kind, Phase, Sell, View, best_sales

SHORTCUTS = {
    "b": "bid",
    "p": "pass",
    "g": "give",
    "t": "take",
    "s": "sell",
    "d": "discard",
}

_KINDS = {kind_name(kind): kind.letter for kind in Kind} | {"merchants": Kind.MERCHANT.letter}


class NothingToSell(Exception):
    """Raised if the player asks to sell the best set but holds no set."""


def parse_input(
    typed: str, seen: View, translations: NullTranslations = ENGLISH
) -> tuple[Action, ...]:
    """Return the actions that the viewer means; raises Malformed or NothingToSell.

    A card is named by its face (``c1``) or by its number in the displayed list (``2``). A kind is
    named by its letter, or by its name in English or in the language of the translations. ``sell``
    without cards sells the best set, and ``sell all`` sells all the best sets.
    """
    word, *rest = typed.lower().split()
    word = SHORTCUTS.get(word, word)
    if word == "sell" and rest in ([], ["all"]):
        return _best(seen, everything=bool(rest))
    if word == "take":
        return (parse_action(" ".join([word, *(_kind(part, translations) for part in rest)])),)
    shown = seen.offer if word == "give" else seen.hand
    named = [part for part in rest if part.isascii() and part.isdigit()]
    by_number = {str(number): str(card) for number, card in enumerate(shown, start=1)}
    for place, part in enumerate(named):
        if part not in by_number or part in named[:place]:
            expected = translations.gettext("a card's number from 1 to {last}, each once")
            raise Malformed(Fault.CARD, expected.format(last=len(shown)), part)
    faces = [by_number.get(part) or _kind(part, translations) for part in rest]
    return (parse_action(" ".join([word, *faces])),)


def _kind(part: str, translations: NullTranslations) -> str:
    kinds = _KINDS | {kind_name(kind, translations).lower(): kind.letter for kind in Kind}
    return kinds.get(part, part.upper())


def suggested_sales(seen: View) -> tuple[Sell, ...]:
    """Return the sets in the viewer's hand that together earn the most, best first."""
    return best_sales(seen.hand, last=seen.phase is Phase.FINAL_SALE)


def _best(seen: View, *, everything: bool) -> tuple[Action, ...]:
    sales = suggested_sales(seen)
    if not sales:
        raise NothingToSell
    return sales if everything else sales[:1]
