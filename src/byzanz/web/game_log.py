"""The log: the course of play as a story, each line with the rule it follows."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from gettext import NullTranslations

from byzanz.messages import Storyteller
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

_STORIES_KEPT = 1024


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One line of the story."""

    number: int
    """Where its event stands in the course that the viewer sees."""
    text: str
    rule: str
    seat: int | None
    heading: bool
    written: dict[bool, str] = field(default_factory=dict)
    """How a page writes it, marked as the viewer's own or not, once it has done so."""


def lines(
    view: View, names: Sequence[str], words: NullTranslations, rounds: int | None = RECENT_ROUNDS
) -> list[Line]:
    """The story of the last rounds, or of the whole course for None."""
    if rounds is None:
        return _Story(names, words, rounds).lines(view.course)
    return _story(view.course[:1], tuple(names), words, rounds).lines(view.course)


class _Story:
    """The last rounds of a course that grows: what was told stays, and only what is new is told."""

    def __init__(self, names: Sequence[str], words: NullTranslations, rounds: int | None) -> None:
        self._names = names
        self._words = words
        self._most = rounds
        self._begin()

    def _begin(self) -> None:
        self._teller = Storyteller(self._names, self._words)
        self._course: tuple[Event, ...] = ()
        self._rounds: deque[list[Line]] = deque([[]], self._most)
        self._round = 0
        self._standing: set[int] = set()

    def lines(self, course: tuple[Event, ...]) -> list[Line]:
        """The lines of the course's last rounds."""
        if course[: len(self._course)] != self._course:
            self._begin()
        for number in range(len(self._course), len(course)):
            self._tell(number, course[number])
        self._course = course
        return [line for told in self._rounds for line in told]

    def _tell(self, number: int, event: Event) -> None:
        if isinstance(event, TurnedUp) and event.round != self._round:
            self._round = event.round
            self._rounds.append([])
        seat = event.seat if isinstance(event, Played | Won) else None
        rule, heading = _rule(event, self._standing), isinstance(event, _HEADINGS)
        self._rounds[-1] += [
            Line(number, text.strip(), rule, seat, heading)
            for text in self._teller.tell(event)
            if text
        ]


@lru_cache(_STORIES_KEPT)
def _story(
    _opening: tuple[Event, ...], names: tuple[str, ...], words: NullTranslations, rounds: int
) -> _Story:
    """The story that begins so; all who watch a table are told the same one."""
    return _Story(names, words, rounds)


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
