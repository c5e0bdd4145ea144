"""A simulated person: parses the frames of a table's socket and chooses simple actions."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from typing import Any

import msgspec

from byzanz.notation import parse_card

_PARTIAL = re.compile(
    r'<hx-partial hx-target="([^"]*)" hx-swap="\w+">(.*?)</hx-partial>', re.DOTALL
)
_ATTRIBUTE = re.compile(r'data-(asked|highest|own)="(\w*)"')
_FIELD = re.compile(r'<input type="hidden" name="(decision|sale)" value="(\d*)"')
_CHOICE = re.compile(r'name="(give|take|card)" value="(\w+)"')
_SET = re.compile(r'data-set="([^"]+)"')
_WHOLE = "#board"
_CHOICES = {"#offer": ("give",), "#stalls": ("take",), "#hand": ("card",)}
"""The parts of a board with choices, and the names of these."""

_QUIET = ("wait", "watch", "over")


@dataclass(frozen=True, slots=True)
class Heading:
    """The part of a frame that is cheap to parse."""

    version: int
    asks: bool
    over: bool


@dataclass(slots=True)
class Turn:
    """A turn and its choices."""

    decision: int | None
    sale: int | None
    beat: int | None = None
    """The worth that a bid must exceed; None outside auctions."""
    hand: list[str] = field(default_factory=list)
    sets: list[list[str]] = field(default_factory=list)
    give: list[str] = field(default_factory=list)
    take: list[str] = field(default_factory=list)
    discards: bool = False

    def answer(self, chance: random.Random) -> tuple[str, list[str]]:
        """Choose an action: a bid half of the time, a sale only when cards must go."""
        if self.give:
            return "give", self.give[:1]
        if self.take:
            return "take", self.take[:1]
        if self.beat is not None:
            enough = [code for code in self.hand if _worth(code) > self.beat]
            if enough and chance.random() < 0.5:
                return "bid", [min(enough, key=_worth)]
            return "pass", []
        if self.sets:
            return "sell", self.sets[0]
        return ("discard", self.hand[:1]) if self.discards else ("done", [])


class _Frame(msgspec.Struct):
    version: int
    content: str = ""
    attributes: dict[str, dict[str, str | None]] = {}


class Page:
    """The part of a table's page that a player acts by. Frames change it."""

    def __init__(self) -> None:
        self._choices: dict[str, list[str]] = {"give": [], "take": [], "card": []}
        self._fields: dict[str, int | None] = {}
        self._sets: list[list[str]] = []
        self._board: dict[str, str | None] = {"asked": "wait"}

    def take(self, text: str) -> Heading:
        """Show a frame; return its heading."""
        frame = _FRAME.decode(text)
        if frame.content.startswith("<hx-partial"):
            for target, html in _PARTIAL.findall(frame.content):
                self._replace(target, html)
        elif frame.content:
            self._replace(_WHOLE, frame.content)
        for name, value in frame.attributes.get("board", {}).items():
            self._board[name.removeprefix("data-")] = value
        asked = self._board["asked"]
        return Heading(frame.version, asked not in _QUIET, asked == "over")

    def turn(self) -> Turn:
        """Return the turn that the page asks for."""
        turn = Turn(self._fields["decision"], self._fields["sale"])
        turn.give, turn.take, turn.hand = (self._choices[each] for each in ("give", "take", "card"))
        turn.sets, turn.discards = self._sets, self._board["asked"] == "limit"
        if self._board["asked"] == "bid":
            turn.beat = int(self._board["highest"] or 0) - int(self._board["own"] or 0)
        return turn

    def _replace(self, target: str, html: str) -> None:
        whole = target == _WHOLE
        if whole:
            opening, _, _ = html.partition(">")
            self._board = dict(_ATTRIBUTE.findall(opening)) or {"asked": "wait"}
        names = _CHOICES.get(target, ("give", "take", "card") if whole else ())
        if names:
            self._choices |= {name: [] for name in names}
            for name, value in _CHOICE.findall(html):
                self._choices[name].append(value)
        if whole or target == "#question":
            self._fields = {
                name: int(value) if value else None for name, value in _FIELD.findall(html)
            }
        if whole or target == "#sets":
            self._sets = [cards.split() for cards in _SET.findall(html)]


_FRAME = msgspec.json.Decoder(_Frame)


class _TableView(msgspec.Struct):
    version: int
    stage: str
    seat: int
    waiting_for: list[int]


_DECODER = msgspec.json.Decoder(_TableView)


class Stream:
    """The newest table view of an API client."""

    def __init__(self) -> None:
        self._text = ""

    def take(self, text: str) -> Heading:
        """Keep a table view in JSON; return its heading."""
        self._text = text
        view = _DECODER.decode(text)
        return Heading(view.version, view.seat in view.waiting_for, view.stage == "finished")

    def turn(self) -> Turn:
        """Return the turn that the table view asks for."""
        table_view: dict[str, Any] = json.loads(self._text)
        legal = table_view["view"]["legal"]
        return Turn(
            decision=table_view["decision"],
            sale=table_view["sale"],
            beat=legal["beat"],
            hand=table_view["view"]["hand"],
            sets=legal["sell"],
            give=legal["give"],
            take=legal["take"],
            discards=bool(legal["discard"]),
        )


def _worth(code: str) -> int:
    """Return a card's worth in a bid; a merchant has none (R3.7)."""
    return parse_card(code).worth
