"""The game log as pages show it: its lines, each with the rule it follows."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from gettext import NullTranslations

from byzanz.messages import GameLogWriter
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

_RAISING, _WINNING, _ALL_PASSED = "R3.4", "R3.8", "R3.10"

LOG_RULES = tuple(sorted({*_RULES.values(), _RAISING, _WINNING, _ALL_PASSED}))
"""The numbers of all rules that log lines refer to."""

_HEADINGS = (TurnedUp, FinalSale, Ended)

RECENT_ROUNDS = 2
"""The number of rounds in the log on a table's page; the full log has a page of its own."""

_CACHED_LOGS = 1024

_ENDING = re.compile(r"(?<=\d)-(?=[^\W\d])")
"""The hyphen between a number and its ending, as in "3-as"; a line must not break there."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One line of the log."""

    number: int
    """The index of its event in the course that the viewer sees."""
    text: str
    rule: str
    seat: int | None
    heading: bool
    rendered: dict[bool, str] = field(default_factory=dict)
    """The line's HTML, cached; the key is whether the line is about the viewer's own seat."""


def lines(
    view: View,
    names: Sequence[str],
    translations: NullTranslations,
    rounds: int | None = RECENT_ROUNDS,
) -> list[Line]:
    """Return the log of the last rounds, or of the whole course if ``rounds`` is None."""
    if rounds is None:
        return _GameLog(names, translations, rounds).lines(view.course)
    return _cached_log(view.course[:1], tuple(names), translations, rounds).lines(view.course)


class _GameLog:
    """The log of the last rounds of a growing course. Only new events are written."""

    def __init__(
        self, names: Sequence[str], translations: NullTranslations, rounds: int | None
    ) -> None:
        self._names = names
        self._translations = translations
        self._max_rounds = rounds
        self._reset()

    def _reset(self) -> None:
        self._writer = GameLogWriter(self._names, self._translations)
        self._course: tuple[Event, ...] = ()
        self._rounds: deque[list[Line]] = deque([[]], self._max_rounds)
        self._round = 0
        self._bidders: set[int] = set()

    def lines(self, course: tuple[Event, ...]) -> list[Line]:
        """Return the lines of the course's last rounds."""
        if course[: len(self._course)] != self._course:
            self._reset()
        for number in range(len(self._course), len(course)):
            self._add(number, course[number])
        self._course = course
        return [line for of_round in self._rounds for line in of_round]

    def _add(self, number: int, event: Event) -> None:
        if isinstance(event, TurnedUp) and event.round != self._round:
            self._round = event.round
            self._rounds.append([])
        seat = event.seat if isinstance(event, Played | Won) else None
        rule, heading = _rule(event, self._bidders), isinstance(event, _HEADINGS)
        for text in filter(None, self._writer.lines(event)):
            shown = _ENDING.sub("\N{NON-BREAKING HYPHEN}", text.strip())
            self._rounds[-1].append(Line(number, shown, rule, seat, heading))
            heading = heading and not isinstance(event, Ended)  # the scores follow their heading


@lru_cache(_CACHED_LOGS)
def _cached_log(
    _opening: tuple[Event, ...], names: tuple[str, ...], translations: NullTranslations, rounds: int
) -> _GameLog:
    """Return the log of the game that begins so. All viewers of a table share it."""
    return _GameLog(names, translations, rounds)


def _rule(event: Event, bidders: set[int]) -> str:
    """Return the rule that the event follows. Bidders are kept to tell raises from first bids."""
    match event:
        case Won():
            return _WINNING if event.paid else _ALL_PASSED
        case TurnedUp():
            bidders.clear()
        case Played(seat=seat, action=Bid()):
            if seat in bidders:
                return _RAISING
            bidders.add(seat)
    return _RULES[type(event.action) if isinstance(event, Played) else type(event)]
