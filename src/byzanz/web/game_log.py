"""The game log as pages show it: its lines with pictures, each with the rule it follows."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from gettext import NullTranslations

from byzanz.locale import _
from byzanz.messages import GameLogWriter
from byzanz.rules import (
    Bid,
    Cards,
    Discard,
    Done,
    Ended,
    Event,
    FinalSale,
    Give,
    Kind,
    MarketCleared,
    Pass,
    Played,
    Sell,
    Take,
    TurnedUp,
    View,
    Won,
    kept,
    profit,
    worth,
)

from .parts import LogLine

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

_VERBS = {
    Pass: _("passes"),
    Bid: _("bids"),
    Give: _("gives"),
    Take: _("takes"),
    Sell: _("sells"),
    Discard: _("discards"),
    Done: _("is done"),
}
"""The verbs of log lines in pictures: what a player did."""

_TAKES_LAST = _("takes the rest")
_NO_OTHER_KIND = _("No other kind was left in the market.")

RECENT_ROUNDS = 2
"""The number of rounds in the log on a table's page; the full log has its own page."""

_CACHED_LOGS = 1024

_ENDING = re.compile(r"(?<=\d)-(?=[^\W\d])")
"""The hyphen between a number and its ending, as in "3-as"; a line must not break there."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A line in pictures: a portrait, a verb, cards and a number."""

    avatar: int | None = None
    verb: str = ""
    cards: Cards = ()
    kind: str = ""
    """The letter of the kind that was taken."""
    offer_card: int | None = None
    total: int = 0
    """The total of a bid."""
    gain: int = 0
    """The profit of a sale."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One line of the log."""

    number: int
    """The index of its event in the course that the viewer sees."""
    text: str
    rule: str
    seat: int | None
    opens: str
    """``round``, ``auction`` or ``market`` if one begins with this line, else empty."""
    acted: bool = False
    """Whether the line is about a seat's action and not about its consequences."""
    picture: Picture | None = None
    """The line in pictures; None if the page shows its text."""
    rendered: dict[bool, LogLine] = field(default_factory=dict)
    """The line in HTML, cached; the key is whether the line is about the viewer's own seat."""

    @property
    def heading(self) -> bool:
        """Whether the line is a heading."""
        return self.opens in ("round", "auction")


def lines(
    view: View,
    names: Sequence[str],
    translations: NullTranslations,
    rounds: int | None = RECENT_ROUNDS,
    avatars: tuple[int, ...] = (),
) -> list[Line]:
    """Return the log of the last rounds, or of the whole course if ``rounds`` is None."""
    if rounds is None:
        return _GameLog(names, translations, rounds, avatars).lines(view.course)
    return _cached_log(view.course[:1], tuple(names), translations, rounds, avatars).lines(
        view.course
    )


def last_action(log: Sequence[Line]) -> str:
    """Return the last action and the win it led to, if any; before the first one, the last line."""
    last = max([line.number for line in log if line.acted], default=len(log))
    told = [line.text for line in log if line.number >= last and line.seat is not None]
    return " ".join(told or [line.text for line in log[-1:]])


class _GameLog:
    """The log of the last rounds of a growing course. Only new events are written."""

    def __init__(
        self,
        names: Sequence[str],
        translations: NullTranslations,
        rounds: int | None,
        avatars: tuple[int, ...],
    ) -> None:
        self._names = names
        self._translations = translations
        self._max_rounds = rounds
        self._avatars = avatars
        self._reset()

    def _reset(self) -> None:
        self._writer = GameLogWriter(self._names, self._translations)
        self._course: tuple[Event, ...] = ()
        self._rounds: deque[list[Line]] = deque([[]], self._max_rounds)
        self._round = 0
        self._taking = False
        self._bids: dict[int, int] = {}
        self._market: set[Kind] = set()

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
            self._market = set()
        last_kind = self._takes_last_kind(event)
        seat = event.seat if isinstance(event, Played | Won) else None
        rule = self._rule(event)
        picture = self._picture(event)
        texts = [text.strip() for text in self._writer.lines(event) if text]
        if last_kind and picture is not None:
            picture = replace(picture, verb=self._translations.gettext(_TAKES_LAST))
            texts[-1] += " " + self._translations.gettext(_NO_OTHER_KIND)
        for text, opens in zip(texts, self._opens(event, len(texts)), strict=True):
            shown = _ENDING.sub("\N{NON-BREAKING HYPHEN}", text)
            pictured = None if opens == "round" else picture
            acted = isinstance(event, Played)
            self._rounds[-1].append(Line(number, shown, rule, seat, opens, acted, pictured))

    def _takes_last_kind(self, event: Event) -> bool:
        """Return whether a seat takes the last kind in the market; keep track of its kinds."""
        match event:
            case Won():
                self._market |= {card.kind for card in event.paid}
            case Played(action=Give(card=card)):
                self._market.add(card.kind)
            case Played(action=Take(kind=kind)):
                self._market.discard(kind)
                return not self._market
        return False

    def _opens(self, event: Event, count: int) -> list[str]:
        """Return for each line of the event what begins with it."""
        match event:
            case TurnedUp():
                self._taking = False
                return ["round", "auction"][-count:]
            case Played(action=Take()) if not self._taking:
                self._taking = True
                return ["market"]
            case FinalSale() | Ended():
                return ["round", *[""] * (count - 1)]
        return [""] * count

    def _picture(self, event: Event) -> Picture | None:
        """Return the event in pictures, and keep track of the bids."""
        match event:
            case TurnedUp():
                self._bids = {}
                return Picture(cards=event.cards, offer_card=event.offer_card)
            case Won():
                verb = self._translations.gettext(_("wins") if event.paid else _("gets for free"))
                avatar, total = self._avatar(event.seat), worth(event.paid)
                return Picture(avatar, verb, offer_card=event.offer_card, total=total)
            case MarketCleared() if event.cards:
                return Picture(verb=self._translations.gettext(_("left over")), cards=event.cards)
            case Played():
                return self._played(event)
        return None

    def _played(self, event: Played) -> Picture:
        action, avatar = event.action, self._avatar(event.seat)
        verb = self._translations.gettext(_VERBS[type(action)])
        match action:
            case Bid():
                total = self._bids[event.seat] = self._bids.get(event.seat, 0) + worth(action.cards)
                return Picture(avatar, verb, action.cards, total=total)
            case Sell():
                return Picture(avatar, verb, action.cards, gain=profit([kept(action.cards)]))
            case Give() | Discard():
                return Picture(avatar, verb, (action.card,))
            case Take():
                return Picture(avatar, verb, kind=action.kind.letter)
        return Picture(avatar, verb)

    def _avatar(self, seat: int) -> int | None:
        return self._avatars[seat] if self._avatars else None

    def _rule(self, event: Event) -> str:
        """Return the number of the rule behind the event; bids and raises have different rules."""
        match event:
            case Won():
                return _WINNING if event.paid else _ALL_PASSED
            case Played(seat=seat, action=Bid()) if seat in self._bids:
                return _RAISING
        return _RULES[type(event.action) if isinstance(event, Played) else type(event)]


@lru_cache(_CACHED_LOGS)
def _cached_log(
    _opening: tuple[Event, ...],
    names: tuple[str, ...],
    translations: NullTranslations,
    rounds: int,
    avatars: tuple[int, ...],
) -> _GameLog:
    """Return the log of the game with this opening. All viewers of a table share it."""
    return _GameLog(names, translations, rounds, avatars)
