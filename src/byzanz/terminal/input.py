"""What a person types, understood: the notation, with shortcuts."""

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


def understood(typed: str, seen: View, words: NullTranslations = ENGLISH) -> tuple[Action, ...]:
    """The actions that the viewer means; raises Malformed with what was expected.

    Cards are named by face (``c1``) or by their number in the list shown (``2``); a kind by its
    letter or its name, in English or the language spoken. ``sell`` alone means the best set,
    ``sell all`` all the best sets.
    """
    word, *rest = typed.lower().split()
    word = SHORTCUTS.get(word, word)
    if word == "sell" and rest in ([], ["all"]):
        return _best(seen, words, everything=bool(rest))
    if word == "take":
        return (parse_action(" ".join([word, *(_kind(part, words) for part in rest)])),)
    shown = seen.offer if word == "give" else seen.hand
    named = [part for part in rest if part.isascii() and part.isdigit()]
    by_number = {str(number): str(card) for number, card in enumerate(shown, start=1)}
    for place, part in enumerate(named):
        if part not in by_number or part in named[:place]:
            expected = words.gettext("a card's number from 1 to {last}, each once")
            raise Malformed(Fault.CARD, expected.format(last=len(shown)), part)
    faces = [by_number.get(part) or _kind(part, words) for part in rest]
    return (parse_action(" ".join([word, *faces])),)


def _kind(part: str, words: NullTranslations) -> str:
    kinds = _KINDS | {kind_name(kind, words).lower(): kind.letter for kind in Kind}
    return kinds.get(part, part.upper())


def sales_of(seen: View) -> tuple[Sell, ...]:
    """The best sets of the viewer's hand, as the moment asks for."""
    return best_sales(seen.hand, last=seen.phase is Phase.FINAL_SALE)


def _best(seen: View, words: NullTranslations, *, everything: bool) -> tuple[Action, ...]:
    sales = sales_of(seen)
    if not sales:
        raise Malformed(Fault.ACTION, words.gettext("a hand with a set of three in it"))
    return sales if everything else sales[:1]
