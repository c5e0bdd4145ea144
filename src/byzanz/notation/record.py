"""Game records as JSON Lines: writing whole records, and parsing single lines."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from math import isfinite
from typing import Any

from byzanz.rules import Card, Cards, Deal, Game, Played, Result

from .text import Fault, Malformed, parse_action, parse_card, write_action

FORMAT = "byzanz/1"
"""The format that the header of a record names."""

DEEPEST = 64
"""The maximum nesting of lists and objects in a line, the same on every machine."""

LONGEST_NUMBER = 100
"""The maximum number of digits of a whole number in a line."""

_STRING = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\\?\Z)', re.DOTALL)
"""A pattern for a JSON string.

It also matches an unclosed string up to the end, so that matching takes linear time.
"""

_HEADER_KEYS = ("type", "format", "hands", "deck", "removed", "names")


@dataclass(frozen=True)
class Record:
    """A game as read from its record, possibly incomplete."""

    deal: Deal
    names: tuple[str, ...]
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further keys of the header, such as the seed, the bots, the date and table options."""
    plays: tuple[Played, ...] = ()

    @property
    def game(self) -> Game:
        """The game after the recorded actions."""
        return Game.replay(self.deal, self.plays)


def write_record(game: Game, names: Sequence[str], extra: Mapping[str, Any] | None = None) -> str:
    """Write the canonical record of a game, with its result line if the game is over."""
    return write_plays(game.deal, game.plays, game.result if game.over else None, names, extra)


def write_plays(
    deal: Deal,
    plays: Iterable[Played],
    result: Result | None,
    names: Sequence[str],
    extra: Mapping[str, Any] | None = None,
) -> str:
    """Write the canonical record of a deal, its actions and its result, without checking them.

    Raises ValueError if ``extra`` has a key that every header has.
    """
    written = [(played.seat, write_action(played.action)) for played in plays]
    return write_actions(deal, written, result, names, extra)


def write_actions(
    deal: Deal,
    actions: Iterable[tuple[int, str]],
    result: Result | None,
    names: Sequence[str],
    extra: Mapping[str, Any] | None = None,
) -> str:
    """Write a record as :func:`write_plays` does, from the seats and the texts of the actions."""
    header = {
        "type": "game",
        "format": FORMAT,
        "hands": [_names(hand) for hand in deal.hands],
        "deck": _names(deal.deck),
        "removed": _names(deal.removed),
        "names": list(names),
    }
    for key in extra or {}:
        if key in header:
            raise ValueError(f"{key!r} is a key of every header and cannot be given again")
    lines = [_canonical({**header, **(extra or {})})]
    lines += [_action_line(seat, action) for seat, action in actions]
    if result is not None:
        end = {"type": "result", "profit": result.profit, "winners": result.winners}
        lines.append(_canonical(end))
    return "\n".join([*lines, ""])


def parse_line(line: bytes) -> dict[str, Any]:
    """Parse a line that holds one JSON object; raises Malformed."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(Fault.NOT_UTF8, "UTF-8", f"byte {error.start + 1}") from None
    _check_depth(text)
    try:
        found = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_finite,
            parse_constant=_refuse_constant,
        )
        if "\\u" in text:  # an escape can name half a surrogate pair, which UTF-8 cannot encode
            json.dumps(found, ensure_ascii=False).encode("utf-8")
    except Malformed:
        raise
    except ValueError:
        raise Malformed(Fault.NOT_JSON, "one JSON object", text.strip()) from None
    if not isinstance(found, dict):
        raise Malformed(Fault.NOT_AN_OBJECT, "a JSON object", text.strip())
    return found


def parse_header(line: Mapping[str, Any]) -> Record:
    """Parse a header line into a record without actions; raises Malformed or IllegalDeal."""
    form = _get(line, "format", "a text", lambda found: isinstance(found, str))
    if form != FORMAT:
        raise Malformed(Fault.UNKNOWN_FORMAT, FORMAT, form)
    hands = _get(line, "hands", "a list of hands, each a list of cards", _is_list_of(_is_texts))
    deck = _get(line, "deck", "a list of cards", _is_texts)
    removed = _get(line, "removed", "a list of cards", _is_texts)
    names = _get(line, "names", "a list of texts", _is_texts)
    deal = Deal(tuple(map(_cards, hands)), deck=_cards(deck), removed=_cards(removed))
    if len(names) != len(deal.hands):
        raise Malformed(Fault.NAME_COUNT, f"{len(deal.hands)} names", str(len(names)))
    extra = {key: value for key, value in line.items() if key not in _HEADER_KEYS}
    return Record(deal, tuple(names), extra)


def parse_play(line: Mapping[str, Any]) -> Played:
    """Parse an action line; raises Malformed."""
    seat = _get(line, "seat", "a whole number", _is_whole)
    action = _get(line, "action", "a text", lambda found: isinstance(found, str))
    return Played(seat, parse_action(action))


def parse_result(line: Mapping[str, Any]) -> Result:
    """Parse a result line; raises Malformed."""
    profit = _get(line, "profit", "a list of whole numbers", _is_list_of(_is_whole))
    winners = _get(line, "winners", "a list of seats", _is_list_of(_is_whole))
    return Result(tuple(profit), tuple(sorted(winners)))


def _get(line: Mapping[str, Any], key: str, expected: str, fits: Callable[[Any], bool]) -> Any:
    if key not in line:
        raise Malformed(Fault.MISSING_KEY, f"the key '{key}'")
    if not fits(line[key]):
        raise Malformed(Fault.WRONG_TYPE, f"'{key}' to be {expected}")
    return line[key]


def _is_whole(found: Any) -> bool:
    return type(found) is int  # true and 1.0 are not whole numbers here


def _is_list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda found: isinstance(found, list) and all(map(fits, found))


_is_texts = _is_list_of(lambda found: isinstance(found, str))


def _cards(texts: Sequence[str]) -> Cards:
    return tuple([parse_card(text) for text in texts])


def _names(cards: Sequence[Card]) -> list[str]:
    return [card.name for card in cards]


@lru_cache(1 << 14)
def _action_line(seat: int, action: str) -> str:
    """Return the line of an action, cached because most actions occur in many games."""
    return _canonical({"type": "action", "seat": seat, "action": action})


def _canonical(line: Mapping[str, Any]) -> str:
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key occurs twice")
    return found


def _whole(digits: str) -> int:
    if len(digits) > LONGEST_NUMBER:
        expected = f"whole numbers of at most {LONGEST_NUMBER} digits"
        raise Malformed(Fault.NUMBER_TOO_LONG, expected)
    return int(digits)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError(f"{text} is too large")
    return number


def _check_depth(text: str) -> None:
    """Raise Malformed if lists and objects are nested too deeply."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return
    depth = 0
    for bracket in re.findall(r"[\[{\]}]", _STRING.sub("", text)):
        depth += 1 if bracket in "[{" else -1
        if depth > DEEPEST:
            expected = f"lists and objects at most {DEEPEST} deep"
            raise Malformed(Fault.NESTED_TOO_DEEPLY, expected)


def _refuse_constant(text: str) -> None:
    raise ValueError(f"{text} is not JSON")
