"""Quick checks of many recorded games: compiled code replays them, and the judge explains errors.

Verdicts are those of :func:`byzanz.notation.judge`, except that those on legal games have no
record.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import BinaryIO

import numpy as np

from byzanz.fast import RECORD_LENGTH
from byzanz.fast.layout import CARDS, SEATS
from byzanz.fast.playout import MOST_STEPS
from byzanz.notation import Malformed, Verdict, judge
from byzanz.notation.forms import BINARY
from byzanz.notation.judge import LONGEST_LINE
from byzanz.notation.record import parse_line

from .block import Block, BlockBuilder, split_header
from .game_file import read_blocks
from .record_files import decompressed, joined
from .text_games import (
    FACTS,
    LINES,
    PLAYERS,
    PROFITS,
    STEPS,
    TAIL,
    TAIL_END,
    WINNERS,
    read_game,
    replay_game,
)

_HEADER = b'{"type":"game"'
"""The start of a canonical header. A line that begins like this always begins a new game."""
_CHUNK = 1 << 22
_OTHER_KEYS = {"type", "format", "hands", "deck", "removed"}


def check_records(stream: io.BufferedReader) -> Iterator[Verdict]:
    """Check a stream of records in any format and yield a verdict on each game, in order.

    Raises BadGames and NeedsLibrary like :func:`byzanz.datasets.as_lines`.
    """
    stream = decompressed(stream)
    if stream.peek(len(BINARY)).startswith(BINARY):
        line = 0
        for block in read_blocks(stream):
            for verdict in _check_block(block, line):
                line = verdict.line
                yield verdict
    else:
        yield from _Scanner(None).scan(stream)


def read_games(stream: io.BufferedReader) -> Iterator[Block | Verdict]:
    """Yield the legal games of a stream of records in blocks, and a verdict on each illegal game.

    A block of a binary file is yielded whole, so it may also have illegal games; their verdicts
    follow it.
    """
    stream = decompressed(stream)
    if stream.peek(len(BINARY)).startswith(BINARY):
        for block in read_blocks(stream):
            yield block
            yield from [each for each in _check_block(block, 0) if each.error is not None]
        return
    builder = BlockBuilder()
    for verdict in _Scanner(builder).scan(stream):
        if verdict.error is not None:
            yield verdict
        if builder.full:
            yield builder.take()
    if len(builder):
        yield builder.take()


class _Scratch:
    """Arrays for one game at a time."""

    def __init__(self) -> None:
        self.game = np.zeros(RECORD_LENGTH, np.int64)
        self.cards = np.zeros(CARDS, np.uint8)
        self.numbers = np.zeros(MOST_STEPS, np.uint16)
        self.seats = np.zeros(MOST_STEPS, np.uint8)
        self.facts = np.zeros(FACTS, np.int64)
        self.profits = np.zeros(SEATS, np.int64)
        self.shares = np.zeros(SEATS)


class _Scanner:
    """Splits text into games and checks each of them; compiled code checks canonical games."""

    def __init__(self, builder: BlockBuilder | None) -> None:
        """Create a scanner that adds legal games to a builder, if there is one."""
        self._builder = builder
        self._scratch = _Scratch()
        self._line = 0

    def scan(self, stream: BinaryIO) -> Iterator[Verdict]:
        """Yield a verdict on each game."""
        data = b""
        while chunk := stream.read(_CHUNK):
            data += chunk
            start = 0
            text = np.frombuffer(data, np.uint8)
            while (found := data.find(b"\n" + _HEADER, start)) >= 0:
                yield from self._check(data, text, start, found + 1)
                start = found + 1
            data = data[start:]
            if len(data) > 4 * _CHUNK:  # the text has no canonical headers
                yield from self._judge(joined(data, stream))
                return
        if data:
            yield from self._check(data, np.frombuffer(data, np.uint8), 0, len(data))

    def _check(self, data: bytes, text: np.ndarray, start: int, end: int) -> Iterator[Verdict]:
        """Check the text from a header to the next."""
        own = self._scratch
        if data.startswith(_HEADER, start) and read_game(
            text, start, end, own.game, own.cards, own.numbers, own.seats, own.facts, own.profits,
            own.shares,
        ):  # fmt: skip
            header = self._other_keys(data, start)
            if header is not None:
                self._line += int(own.facts[LINES])
                self._add(header)
                yield Verdict(self._line, None)
                return
        yield from self._judge(io.BytesIO(data[start:end]))
        self._line += data.count(b"\n", start, end)

    def _other_keys(self, data: bytes, start: int) -> dict[str, object] | None:
        """Return the keys of the header from ``names`` on; None if the judge must check them."""
        facts = self._scratch.facts
        first, last = int(facts[TAIL]), int(facts[TAIL_END])
        if last - start >= LONGEST_LINE:
            return None
        try:
            header = parse_line(b"{" + data[first:last])
        except Malformed:
            return None
        names = header["names"]
        fits = (
            isinstance(names, list)
            and len(names) == facts[PLAYERS]
            and all(isinstance(name, str) for name in names)
            and not _OTHER_KEYS & header.keys()
        )
        return header if fits else None

    def _add(self, header: dict[str, object]) -> None:
        if self._builder is None:
            return
        own, facts = self._scratch, self._scratch.facts.tolist()
        names = header.pop("names")
        steps = facts[STEPS]
        self._builder.add(
            split_header(names, header),  # type: ignore[arg-type]
            facts[PLAYERS],
            own.cards.copy(),
            facts[PROFITS : PROFITS + SEATS],
            facts[WINNERS],
            own.numbers[:steps].copy(),
            own.seats[:steps].copy(),
        )

    def _judge(self, stream: BinaryIO) -> Iterator[Verdict]:
        before = self._line
        for verdict in judge(stream):
            if verdict.error is None and verdict.record is not None and self._builder is not None:
                self._builder.add_record(verdict.record, verdict.record.game.result)
            record = verdict.record if verdict.error else None
            yield replace(verdict, line=before + verdict.line, record=record)


def _check_block(block: Block, line: int) -> Iterator[Verdict]:
    """Yield a verdict on each game of a block.

    Lines are counted as if the games were written as records after ``line`` other lines.
    """
    own, starts = _Scratch(), block.starts.tolist()
    ends = np.concatenate([[0], np.cumsum(block.numbers >= 24)])  # whole actions
    for game in range(len(block)):
        first, last = starts[game], starts[game + 1]
        own.facts[PLAYERS] = block.players[game]
        own.facts[WINNERS] = block.winners[game]
        own.facts[PROFITS : PROFITS + SEATS] = block.profits[game]
        legal = replay_game(
            own.game, own.facts[PLAYERS], block.cards[game], block.numbers[first:last],
            block.seats[first:last], own.facts, own.profits, own.shares,
        )  # fmt: skip
        if legal:
            line += 2 + int(ends[last] - ends[first])
            yield Verdict(line, None)
        else:
            text = block.record(game).encode()
            yield from [
                replace(verdict, line=line + verdict.line) for verdict in judge(io.BytesIO(text))
            ]
            line += text.count(b"\n")
