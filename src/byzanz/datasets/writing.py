"""Outputs that write records in the format of the file's extension."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol

from byzanz.notation.record import Record, parse_header, parse_line, parse_play, parse_result

from .block import BadGames, Block, BlockBuilder
from .game_file import GameFileWriter, pack
from .record_files import SUFFIX, compressing


class RecordOutput(Protocol):
    """An output that takes records one by one, or in blocks that any thread may prepare."""

    def write(self, record: str) -> object:
        """Write the canonical record of one game."""

    def prepare(self, block: Block) -> Any:
        """Convert a block to the format of the output. Any thread may call this."""

    def write_prepared(self, prepared: Any) -> object:
        """Write what :meth:`prepare` returned."""


@contextmanager
def record_output(name: str, file: BinaryIO) -> Iterator[RecordOutput]:
    """Return an output that writes records to a file, in the format of its name's extension.

    ``.byz`` is the binary format. All other names are JSON Lines, compressed if the name ends in
    ``.gz`` or ``.zst``. Raises NeedsLibrary if a library for the format is not installed.
    """
    if name.endswith(SUFFIX):
        with GameFileWriter(file) as writer:
            output = _BinaryOutput(writer)
            try:
                yield output
            finally:
                output.flush()
    else:
        with compressing(name, file) as stream:
            yield _TextOutput(stream)


class _TextOutput:
    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, record: str) -> None:
        self._stream.write(record.encode())

    def prepare(self, block: Block) -> bytes:
        return "".join(block.records()).encode()

    def write_prepared(self, prepared: bytes) -> None:
        self._stream.write(prepared)


class _BinaryOutput:
    def __init__(self, writer: GameFileWriter) -> None:
        self._writer = writer
        self._builder = BlockBuilder()
        self.prepare = pack
        self.write_prepared = writer.write_packed

    def write(self, record: str) -> None:
        first, *actions = [parse_line(line.encode()) for line in record.splitlines()]
        if not actions or actions[-1]["type"] != "result":
            raise BadGames("a game without a result cannot be stored in the binary format")
        last = actions.pop()
        header = parse_header(first)
        plays = tuple([parse_play(line) for line in actions])
        self._builder.add_record(
            Record(header.deal, header.names, header.extra, plays), parse_result(last)
        )
        if self._builder.full:
            self._writer.write(self._builder.take())

    def flush(self) -> None:
        if len(self._builder):
            self._writer.write(self._builder.take())
