"""The log: the course of play as a story in pictures, each line with the rule it follows."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from gettext import NullTranslations

from byzanz.locale import _
from byzanz.messages import Storyteller
from byzanz.rules import (
    Bid,
    Cards,
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
    kept,
    profit,
    worth,
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

_VERBS = {
    Pass: _("passes"),
    Bid: _("bids"),
    Give: _("gives"),
    Take: _("takes"),
    Sell: _("sells"),
    Discard: _("discards"),
    Done: _("is done"),
}
"""What a seat did, in the log beside the seat's picture."""

RECENT_ROUNDS = 2
"""How many rounds a table's page tells; the whole story has a page of its own."""

_STORIES_KEPT = 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """A line told in pictures: whose picture, a word, some cards, a number."""

    avatar: int | None = None
    verb: str = ""
    cards: Cards = ()
    kind: str = ""
    """The letter of a kind that was taken."""
    offer_card: int | None = None
    total: int = 0
    """What a bid comes to."""
    gain: int = 0
    """What a sale earned."""


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One line of the story."""

    number: int
    """Where its event stands in the course that the viewer sees."""
    text: str
    rule: str
    seat: int | None
    opens: str
    """``round``, ``auction`` or ``market`` if this line begins one, else empty."""
    picture: Picture | None = None
    """How the page shows it; None for the text alone."""
    written: dict[bool, str] = field(default_factory=dict)
    """How a page writes it, marked as the viewer's own or not, once it has done so."""

    @property
    def heading(self) -> bool:
        """Whether the line stands above others."""
        return self.opens in ("round", "auction")


def lines(
    view: View,
    names: Sequence[str],
    words: NullTranslations,
    rounds: int | None = RECENT_ROUNDS,
    avatars: tuple[int, ...] = (),
) -> list[Line]:
    """The story of the last rounds, or of the whole course for None."""
    if rounds is None:
        return _Story(names, words, rounds, avatars).lines(view.course)
    return _story(view.course[:1], tuple(names), words, rounds, avatars).lines(view.course)


class _Story:
    """The last rounds of a course that grows: what was told stays, and only what is new is told."""

    def __init__(
        self,
        names: Sequence[str],
        words: NullTranslations,
        rounds: int | None,
        avatars: tuple[int, ...],
    ) -> None:
        self._names = names
        self._words = words
        self._most = rounds
        self._avatars = avatars
        self._begin()

    def _begin(self) -> None:
        self._teller = Storyteller(self._names, self._words)
        self._course: tuple[Event, ...] = ()
        self._rounds: deque[list[Line]] = deque([[]], self._most)
        self._round = 0
        self._taking = False
        self._bids: dict[int, int] = {}

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
        rule = self._rule(event)
        picture = self._picture(event)
        texts = [text.strip() for text in self._teller.tell(event) if text]
        opens = self._opens(event, len(texts))
        self._rounds[-1] += [
            Line(number, text, rule, seat, begins, None if begins == "round" else picture)
            for text, begins in zip(texts, opens, strict=True)
        ]

    def _opens(self, event: Event, count: int) -> list[str]:
        """What each line of the event begins."""
        match event:
            case TurnedUp():
                self._taking = False
                return ["round", "auction"][-count:]
            case Played(action=Take()) if not self._taking:
                self._taking = True
                return ["market"]
            case FinalSale():
                return ["round"]
        return [""] * count

    def _picture(self, event: Event) -> Picture | None:
        """The event in pictures; remembers what bids come to."""
        match event:
            case TurnedUp():
                self._bids = {}
                return Picture(cards=event.cards, offer_card=event.offer_card)
            case Won():
                text = self._words.gettext(_("wins"))
                return Picture(self._avatar(event.seat), text, offer_card=event.offer_card)
            case MarketCleared() if event.cards:
                return Picture(verb=self._words.gettext(_("left over")), cards=event.cards)
            case Played():
                return self._played(event)
        return None

    def _played(self, event: Played) -> Picture:
        action, avatar = event.action, self._avatar(event.seat)
        verb = self._words.gettext(_VERBS[type(action)])
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
        """The rule that the event follows; to raise a standing bid has its own."""
        match event:
            case Won():
                return "R3.8" if event.paid else "R3.10"
            case Played(seat=seat, action=Bid()) if seat in self._bids:
                return "R3.4"
        return _RULES[type(event.action) if isinstance(event, Played) else type(event)]


@lru_cache(_STORIES_KEPT)
def _story(
    _opening: tuple[Event, ...],
    names: tuple[str, ...],
    words: NullTranslations,
    rounds: int,
    avatars: tuple[int, ...],
) -> _Story:
    """The story that begins so; all who watch a table are told the same one."""
    return _Story(names, words, rounds, avatars)
