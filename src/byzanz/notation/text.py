"""Cards and actions as text: ``C1``, ``M``, ``bid C1 S2``, ``take W``.

Parsing is strict: any other spelling is malformed. :mod:`byzanz.rules` decides whether a
well-formed action is legal.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from byzanz.rules import (
    FACES,
    Action,
    Bid,
    Card,
    Cards,
    Discard,
    Done,
    Give,
    Kind,
    Pass,
    Sell,
    Take,
    in_order,
)


class Fault(Enum):
    """A way in which text can be malformed. Its value is the code for programs."""

    # a text
    CARD = "bad-card"
    KIND = "bad-kind"
    ACTION = "bad-action"
    POSITION = "bad-position"

    # a line of a record
    NOT_UTF8 = "not-utf8"
    LINE_TOO_LONG = "line-too-long"
    NESTED_TOO_DEEPLY = "nested-too-deeply"
    NUMBER_TOO_LONG = "number-too-long"
    NOT_JSON = "not-json"
    NOT_AN_OBJECT = "not-an-object"
    MISSING_KEY = "missing-key"
    WRONG_TYPE = "wrong-type"
    UNKNOWN_TYPE = "unknown-type"
    UNKNOWN_FORMAT = "unknown-format"
    NAME_COUNT = "name-count"

    # the order of lines
    NO_GAME = "no-game"
    NO_RESULT = "no-result"


class Malformed(ValueError):
    """Raised for text that cannot be parsed; it says what was expected and what was found."""

    def __init__(self, fault: Fault, expected: str, found: str = "") -> None:
        super().__init__(fault, expected, found)
        self.fault = fault
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        found = f", not {_shortened(self.found)!r}" if self.found else ""
        return f"{self.fault.value}: expected {self.expected}{found}"


def _shortened(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


_CARDS = {card.name: card for card in FACES}
_NAMES = list(_CARDS)  # reading the name of an enum's member takes longer
_KINDS = {kind.letter: kind for kind in Kind}


def parse_card(text: str) -> Card:
    """Parse a card such as ``C1`` or ``M``; raises Malformed."""
    try:
        return _CARDS[text]
    except KeyError:
        raise Malformed(Fault.CARD, "a card from C1 to W4, or M", text) from None


def parse_kind(text: str) -> Kind:
    """Parse the letter of a kind; raises Malformed."""
    try:
        return _KINDS[text]
    except KeyError:
        raise Malformed(Fault.KIND, "a kind: C, G, O, S, T, W or M", text) from None


def parse_action(text: str) -> Action:
    """Parse an action such as ``bid C1 S2``; raises Malformed."""
    word, *rest = text.split(" ")
    match word:
        case "pass" if not rest:
            return Pass()
        case "done" if not rest:
            return Done()
        case "bid" if rest:
            return Bid(tuple(map(parse_card, rest)))
        case "sell" if rest:
            return Sell(tuple(map(parse_card, rest)))
        case "give" if len(rest) == 1:
            return Give(parse_card(rest[0]))
        case "discard" if len(rest) == 1:
            return Discard(parse_card(rest[0]))
        case "take" if len(rest) == 1:
            return Take(parse_kind(rest[0]))
    if word in _FORMS:
        raise Malformed(Fault.ACTION, f"'{word}' and {_FORMS[word]}", text)
    raise Malformed(Fault.ACTION, f"an action that begins with {', '.join(_FORMS)}", text)


_FORMS = {
    "bid": "cards, as in 'bid C1 S2'",
    "pass": "nothing else",
    "give": "one card, as in 'give T1'",
    "take": "one kind, as in 'take C'",
    "sell": "three cards, as in 'sell C4 C1 M'",
    "discard": "one card, as in 'discard G1'",
    "done": "nothing else",
}


def write_cards(cards: Iterable[Card]) -> str:
    """Write cards in face order, merchants last, separated by single spaces."""
    return " ".join([_NAMES[card] for card in in_order(cards)])


def write_action(action: Action) -> str:
    """Write an action as text."""
    match action:
        case Bid():
            return "bid " + write_cards(action.cards)
        case Pass():
            return "pass"
        case Give():
            return f"give {action.card}"
        case Take():
            return f"take {action.kind}"
        case Sell():
            return "sell " + write_cards(action.cards)
        case Discard():
            return f"discard {action.card}"
        case Done():
            return "done"


def run_together(cards: Iterable[Card]) -> str:
    """Write cards in the given order without spaces, as in positions; ``-`` if there are none."""
    return "".join([_NAMES[card] for card in cards]) or "-"


def parse_run(text: str) -> Cards:
    """Parse cards such as ``C1C1M``, or ``-`` for no cards; raises Malformed."""
    if text == "-":
        return ()
    cards, place = [], 0
    while place < len(text):
        length = 1 if text[place] == "M" else 2
        cards.append(parse_card(text[place : place + length]))
        place += length
    if not cards:
        raise Malformed(Fault.CARD, "cards, or - for none")
    return tuple(cards)
