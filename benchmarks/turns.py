"""What a person is asked at a table, read from what its socket sent, and a plain answer to it."""

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
"""Characters of a page's frame within which it says what is asked."""

_QUIET = ("wait", "watch", "over")


@dataclass(frozen=True, slots=True)
class Heading:
    """What is plain at once of a frame."""

    version: int
    asks: bool
    over: bool


@dataclass(slots=True)
class Turn:
    """What is asked, and between what one chooses."""

    decision: int | None
    sale: int | None
    beat: int | None = None
    """What a bid must be worth more than; None if none is asked for."""
    hand: list[str] = field(default_factory=list)
    sets: list[list[str]] = field(default_factory=list)
    give: list[str] = field(default_factory=list)
    take: list[str] = field(default_factory=list)
    discards: bool = False

    def answer(self, chance: random.Random) -> tuple[str, list[str]]:
        """An action's word and cards: bids now and then, sells what it can when it must."""
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
    """What a page's frame says at once."""
    found = _ASKED.search(text, 0, _OPENING)
    asked = found[1] if found else "wait"
    version = int(text[text.rindex('"version":') + 10 :].partition(",")[0])
    return Heading(version, asked not in _QUIET, asked == "over")


def page_turn(text: str) -> Turn:
    """What the form of a page's frame asks."""
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


class _Sight(msgspec.Struct):
    version: int
    stage: str
    seat: int
    waiting_for: list[int]


_SIGHTS = msgspec.json.Decoder(_Sight)


def stream_heading(text: str) -> Heading:
    """What a sight in JSON says at once."""
    sight = _SIGHTS.decode(text)
    return Heading(sight.version, sight.seat in sight.waiting_for, sight.stage == "finished")


def stream_turn(text: str) -> Turn:
    """What a sight in JSON asks."""
    sight: dict[str, Any] = json.loads(text)
    legal = sight["view"]["legal"]
    return Turn(
        decision=sight["decision"],
        sale=sight["sale"],
        beat=legal["beat"],
        hand=sight["view"]["hand"],
        sets=legal["sell"],
        give=legal["give"],
        take=legal["take"],
        discards=bool(legal["discard"]),
    )


def _worth(code: str) -> int:
    """What a card is worth in a bid: nothing if it is a merchant (R3.7)."""
    return parse_card(code).worth
