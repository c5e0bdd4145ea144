"""A simulated person: parses the frames of a table's socket and chooses simple actions."""

from __future__ import annotations

import json
import random
import re
from dataclasses import dataclass, field
from typing import Any

import msgspec

from byzanz.notation import parse_card

_ASKED = re.compile(r'data-asked=\\"([a-z]+)')
_FIELD = re.compile(r'<input type="hidden" name="(decision|sale)" value="(\d*)"')
_CHOICE = re.compile(r'name="(give|take|card)" value="(\w+)"')
_BEAT = re.compile(r'data-highest="(\d+)" data-own="(\d+)"')
_SET = re.compile(r'data-set="([^"]+)"')
_OPENING = 600
"""The number of characters at the start of a page's frame that contain the kind of turn."""

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


def page_heading(text: str) -> Heading:
    """Return the heading of a page's frame."""
    found = _ASKED.search(text, 0, _OPENING)
    asked = found[1] if found else "wait"
    version = int(text[text.rindex('"version":') + 10 :].partition(",")[0])
    return Heading(version, asked not in _QUIET, asked == "over")


def page_turn(text: str) -> Turn:
    """Return the turn of a page's frame, from its form."""
    content: str = json.loads(text)["content"]
    asked = _ASKED.search(text, 0, _OPENING)
    named = {name: int(value) if value else None for name, value in _FIELD.findall(content)}
    turn = Turn(
        named["decision"], named["sale"], discards=asked is not None and asked[1] == "limit"
    )
    for name, value in _CHOICE.findall(content):
        {"give": turn.give, "take": turn.take, "card": turn.hand}[name].append(value)
    if asked is not None and asked[1] == "bid":
        highest, own = map(int, _BEAT.findall(content)[0])
        turn.beat = highest - own
    turn.sets = [cards.split() for cards in _SET.findall(content)]
    return turn


class _TableView(msgspec.Struct):
    version: int
    stage: str
    seat: int
    waiting_for: list[int]


_DECODER = msgspec.json.Decoder(_TableView)


def stream_heading(text: str) -> Heading:
    """Return the heading of a table view in JSON."""
    view = _DECODER.decode(text)
    return Heading(view.version, view.seat in view.waiting_for, view.stage == "finished")


def stream_turn(text: str) -> Turn:
    """Return the turn that a table view in JSON asks for."""
    table_view: dict[str, Any] = json.loads(text)
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
