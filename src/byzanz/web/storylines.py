"""The log: the course of play as a story, each line with the rule it follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from gettext import NullTranslations

from byzanz.rules import (
    Bid,
    Discard,
    Done,
    Ended,
    Event,
    FinalSale,
    Give,
    MarketCleared,
    Pass,
    Played,
    Sell,
    Take,
    TurnedUp,
    View,
    Won,
)
from byzanz.telling import Storyteller

_RULES = {
    TurnedUp: "R3.1",
    MarketCleared: "R4.2",
    FinalSale: "R7.1",
    Ended: "R7.2",
    Bid: "R3.2",
    Pass: "R3.5",
    Give: "R3.8",
    Take: "R4.1",
    Sell: "R5.1",
    Discard: "R6.1",
    Done: "I8",
}

_HEADINGS = (TurnedUp, FinalSale)

RECENT_ROUNDS = 2
"""How many rounds a table's page tells; the whole story has a page of its own."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the story."""

    number: int
    """Where its event stands in the course that the viewer sees."""
    text: str
    rule: str
    seat: int | None
    heading: bool


def lines(
    view: View, names: Sequence[str], words: NullTranslations, rounds: int | None = RECENT_ROUNDS
) -> tuple[Line, ...]:
    """The story of the last rounds, or of the whole course for None."""
    first, told, seen = first_of(view, rounds), list[Line](), tuple(names)
    begin, number = first, None
    for place in range(first, len(view.course)):
        event = view.course[place]
        if isinstance(event, TurnedUp) and event.round != number:
            number = event.round
            told += _round(view.course[begin:place], begin, seen, words)
            begin = place
    told += _round(view.course[begin:], begin, seen, words)
    return tuple(told)


@lru_cache(4096)
def _round(
    events: tuple[Event, ...], first: int, names: tuple[str, ...], words: NullTranslations
) -> tuple[Line, ...]:
    """The story of one round; several pages tell it, and each does so again and again."""
    teller = Storyteller(names, words)
    told, standing = list[Line](), set[int]()
    for number, event in enumerate(events, first):
        seat = event.seat if isinstance(event, Played | Won) else None
        rule = _rule(event, standing)
        heading = isinstance(event, _HEADINGS)
        told += [
            Line(number, text.strip(), rule, seat, heading) for text in teller.tell(event) if text
        ]
    return tuple(told)


def first_of(view: View, rounds: int | None) -> int:
    """Where the last so many rounds begin in the course."""
    if rounds is None:
        return 0
    since, first = view.round - rounds + 1, 0
    for place in range(len(view.course) - 1, -1, -1):
        event = view.course[place]
        if isinstance(event, TurnedUp):
            if event.round < since:
                break
            first = place
    return first


def _rule(event: Event, standing: set[int]) -> str:
    """The rule that the event follows; remembers whose bids stand, for raising has its own."""
    match event:
        case Won():
            return "R3.8" if event.paid else "R3.10"
        case TurnedUp():
            standing.clear()
        case Played(seat=seat, action=Bid()):
            if seat in standing:
                return "R3.4"
            standing.add(seat)
    return _RULES[type(event.action) if isinstance(event, Played) else type(event)]
