"""Files of records in any format: JSON Lines, compressed JSON Lines, and the binary format.

When a file is read, its first bytes decide the format; when it is written, its extension does.
"""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from byzanz.notation.forms import BINARY, GZIP, ZSTANDARD

from .block import BadGames
from .game_file import read_blocks

SUFFIX = ".byz"
"""The extension of a file in binary format."""


class NeedsLibrary(Exception):
    """A library for this kind of file is not installed; ``library`` names it."""

    def __init__(self, library: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {library}")
        self.library = library


def as_lines(stream: io.BufferedReader) -> BinaryIO:
    """Return a stream of the records as JSON Lines, whatever the format of the stream is.

    Reading it raises BadGames if the file is damaged. Raises NeedsLibrary for a file compressed
    with Zstandard if no library can decompress it.
    """
    stream = decompressed(stream)
    if stream.peek(len(BINARY)).startswith(BINARY):
        return io.BufferedReader(_Chunks(_texts(stream)), 1 << 16)
    return stream


def decompressed(stream: io.BufferedReader) -> io.BufferedReader:
    """Return a stream of the decompressed data, or the stream itself if it is not compressed.

    Raises BadGames and NeedsLibrary like :func:`as_lines`.
    """
    start = stream.peek(4)
    if start.startswith(GZIP):
        chunks = _gzip_chunks(stream)
    elif start.startswith(ZSTANDARD):
        _zstandard()
        chunks = _zstandard_chunks(stream)
    else:
        return stream
    return io.BufferedReader(_Chunks(chunks), 1 << 16)


@contextmanager
def open_records(path: str) -> Iterator[BinaryIO]:
    """Open a file of records in any format for reading, as JSON Lines; see :func:`as_lines`."""
    with open(path, "rb") as file:  # noqa: PTH123
        yield as_lines(file)


@contextmanager
def compressing(name: str, file: BinaryIO) -> Iterator[BinaryIO]:
    """Return a stream to the file that compresses if ``name`` ends in ``.gz`` or ``.zst``."""
    if name.endswith(".gz"):
        # Without a time and a name, the same records give the same file.
        with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as stream:
            yield cast("BinaryIO", stream)
    elif name.endswith(".zst"):
        with _zstandard().ZstdCompressor().stream_writer(file, closefd=False) as stream:
            yield stream
    else:
        yield file


def _texts(stream: BinaryIO) -> Iterator[bytes]:
    for block in read_blocks(stream):
        for record in block.records():
            yield record.encode()


def _gzip_chunks(stream: BinaryIO) -> Iterator[bytes]:
    file = gzip.GzipFile(fileobj=stream)
    try:
        while data := file.read(1 << 16):
            yield data
    except (EOFError, OSError, zlib.error) as error:
        raise BadGames(f"the file cannot be decompressed: {error}") from None


def _zstandard_chunks(stream: BinaryIO) -> Iterator[bytes]:
    zstandard = _zstandard()
    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        while data := stream.read(1 << 16):
            while data:
                if frame.eof:  # another frame follows
                    frame = zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(data)
                data = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError as error:
        raise BadGames(f"the file cannot be decompressed: {error}") from None
    if not frame.eof:
        raise BadGames("the file cannot be decompressed: it ends too early")


def _zstandard() -> Any:
    try:
        import zstandard  # noqa: PLC0415 - optional
    except ModuleNotFoundError:
        raise NeedsLibrary("zstandard", "a file compressed with Zstandard") from None
    return zstandard


def joined(data: bytes, stream: BinaryIO) -> io.BufferedReader:
    """Return a stream of the data that was already read, followed by the rest of the stream."""
    return io.BufferedReader(_Chunks(_rest(data, stream)), 1 << 16)


def _rest(data: bytes, stream: BinaryIO) -> Iterator[bytes]:
    while data:
        yield data
        data = stream.read(1 << 16)


class _Chunks(io.RawIOBase):
    """A raw stream of the bytes that an iterator yields."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__()
        self._chunks = chunks
        self._left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._left:
            chunk = next(self._chunks, None)
            if chunk is None:
                return 0
            self._left = memoryview(chunk)
        count = min(len(buffer), len(self._left))
        buffer[:count] = self._left[:count]
        self._left = self._left[count:]
        return count
