"""What a person types, understood: the notation, with shortcuts."""

from __future__ import annotations

from byzanz.notation import Fault, Malformed, parse_action
from byzanz.rules import Action, Cards, Phase, Sell, View, best_sales

SHORTCUTS = {
    "b": "bid",
    "p": "pass",
    "g": "give",
    "t": "take",
    "s": "sell",
    "d": "discard",
}

_GOODS = {
    "cloth": "C",
    "grain": "G",
    "olives": "O",
    "spices": "S",
    "wood": "T",
    "wine": "W",
    "merchant": "M",
    "merchants": "M",
}


def understood(typed: str, seen: View) -> tuple[Action, ...]:
    """The actions that the viewer means; raises Malformed with what was expected.

    Cards are named by face (``c1``) or by their number in the list shown (``2``); a kind by its
    letter or its name. ``sell`` alone means the best set, ``sell all`` all the best sets.
    """
    word, *rest = typed.lower().split()
    word = SHORTCUTS.get(word, word)
    if word == "sell" and rest in ([], ["all"]):
        return _best(seen, everything=bool(rest))
    shown = seen.offer if word == "give" else seen.hand
    return (parse_action(" ".join([word, *(_named(part, shown) for part in rest)])),)


def _named(part: str, shown: Cards) -> str:
    if part.isascii() and part.isdigit():
        number = int(part[:4])
        if not 1 <= number <= len(shown):
            raise Malformed(Fault.CARD, f"a card's number from 1 to {len(shown)}", part)
        return str(shown[number - 1])
    return _GOODS.get(part, part.upper())


def sales_of(seen: View) -> tuple[Sell, ...]:
    """The best sets of the viewer's hand, as the moment asks for."""
    return best_sales(seen.hand, last=seen.phase is Phase.FINAL_SALE)


def _best(seen: View, *, everything: bool) -> tuple[Action, ...]:
    sales = sales_of(seen)
    if not sales:
        raise Malformed(Fault.ACTION, "a hand with a set of three in it")
    return sales if everything else sales[:1]
