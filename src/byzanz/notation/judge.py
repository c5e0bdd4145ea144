"""Check whether each game in a stream of records is legal, in constant memory.

After the first error of a game, the reader skips to the next header.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import BinaryIO

from byzanz.rules import Illegal, Played, State, apply, begin, check_result

from .record import Record, parse_header, parse_line, parse_play, parse_result
from .text import Fault, Malformed

LONGEST_LINE = 1 << 20
"""The maximum length of a line in bytes. A longer line is malformed, and its end is skipped."""

_HEADER_START = re.compile(rb'\s*\{\s*"type"\s*:\s*"game"')
"""The usual start of a header. A malformed line that starts like this still begins a new game."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of checking one game: legal if there is no error."""

    line: int
    """The number of the line with the error, or of the game's last line; counted from 1."""
    record: Record | None
    """The game up to the error; None if there is no valid header."""
    error: Malformed | Illegal | None = None

    @property
    def reason(self) -> str | None:
        """The code of the error; None if the game is legal."""
        if isinstance(self.error, Illegal):
            return self.error.refusal.reason.value
        return self.error.fault.value if self.error else None

    @property
    def rule(self) -> str | None:
        """The rule that was broken; None if there is no error or the game is malformed."""
        return self.error.refusal.rule if isinstance(self.error, Illegal) else None


def judge(stream: BinaryIO) -> Iterator[Verdict]:
    """Check a stream of records and yield a verdict on each game, in order."""
    game: _OpenGame | None = None
    skipping = False  # after an error, until the next header
    last = 0
    for number, line in _lines(stream):
        try:
            found = parse_line(_checked_length(line))
            kind = _kind(found)
            error = None
        except Malformed as malformed:
            kind = "game" if _HEADER_START.match(line) else "malformed"
            error = malformed
        if kind == "game":
            if game is not None:
                yield game.without_result(last)
            game, skipping = None, False
        elif skipping:
            continue
        last = number
        try:
            if error is not None:
                raise error
            if kind == "game":
                game = _OpenGame(parse_header(found))
            elif game is None:
                raise Malformed(Fault.NO_GAME, "a header before the first action", kind)
            elif kind == "action":
                game.play(parse_play(found))
            else:
                check_result(game.state, parse_result(found))
                yield Verdict(number, game.record)
                game = None
        except (Malformed, Illegal) as first_error:
            yield Verdict(number, game.record if game else None, first_error)
            game, skipping = None, True
    if game is not None:
        yield game.without_result(last)


class _OpenGame:
    """A game whose result has not been read yet."""

    def __init__(self, header: Record) -> None:
        self.state: State = begin(header.deal)
        self._header = header
        self._plays: list[Played] = []

    def play(self, played: Played) -> None:
        self.state = apply(self.state, played.seat, played.action)
        self._plays.append(played)

    @property
    def record(self) -> Record:
        return replace(self._header, plays=tuple(self._plays))

    def without_result(self, line: int) -> Verdict:
        error = Malformed(Fault.NO_RESULT, "the game's result before its record ends")
        return Verdict(line, self.record, error)


def _lines(stream: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the number and text of each line that is not blank; overlong lines are cut short."""
    number = 0
    while line := stream.readline(LONGEST_LINE + 1):
        number += 1
        part = line
        while len(part) > LONGEST_LINE and not part.endswith(b"\n"):
            part = stream.readline(LONGEST_LINE + 1)
        if len(line) > LONGEST_LINE or not line.isspace():
            yield number, line


def _checked_length(line: bytes) -> bytes:
    if len(line) > LONGEST_LINE:
        raise Malformed(Fault.LINE_TOO_LONG, f"at most {LONGEST_LINE} bytes in a line")
    return line


def _kind(found: dict[str, object]) -> str:
    if "type" not in found:
        raise Malformed(Fault.MISSING_KEY, "the key 'type'")
    kind = found["type"]
    if kind not in ("game", "action", "result"):
        raise Malformed(Fault.UNKNOWN_TYPE, "the type game, action or result")
    return str(kind)
