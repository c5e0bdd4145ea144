"""Files of games in binary format: written block by block, read in order or by number.

``docs/datasets.md`` specifies the format. A file that was not closed can be read up to its last
complete block.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from byzanz.notation.forms import BINARY

from .block import BadGames, Block

VERSION = 1

_START = struct.Struct("<8sHH")
_BLOCK = struct.Struct("<4sIQII32s")
_INDEX = struct.Struct("<4sI")
_ENTRY = struct.Struct("<QQ")
_END = struct.Struct("<QQ32s8s")
_LAST = b"\nBYZEND\n"
_LARGEST = 1 << 28
"""The most bytes of a block, compressed or not; a larger number means that the file is damaged."""

Packed = tuple[int, int, bytes, bytes]
"""A block ready to be written.

It has the number of games, the length and the digest of the bytes, and the compressed bytes.
"""


def pack(block: Block) -> Packed:
    """Encode and compress a block. This releases the GIL, so several threads can do it at once."""
    data = block.encode()
    return len(block), len(data), sha256(data).digest(), zlib.compress(data)


class GameFileWriter:
    """Writes blocks of games to a binary stream. Close it, or use it in a ``with`` statement."""

    def __init__(self, stream: BinaryIO) -> None:
        """Write the start of the file. The stream need not be seekable and stays open."""
        self._stream = stream
        self._entries: list[tuple[int, int]] = []
        self._digest = sha256()
        self.games = 0
        self._at = stream.write(_START.pack(BINARY, VERSION, 0))

    def write(self, block: Block) -> None:
        """Write a block."""
        self.write_packed(pack(block))

    def write_packed(self, packed: Packed) -> None:
        """Write a block that :func:`pack` returned."""
        games, length, digest, compressed = packed
        self._entries.append((self._at, self.games))
        header = _BLOCK.pack(b"GAME", games, self.games, len(compressed), length, digest)
        self._at += self._stream.write(header) + self._stream.write(compressed)
        self._digest.update(digest)
        self.games += games

    def close(self) -> None:
        """Write the index and the end of the file."""
        index = [_INDEX.pack(b"INDX", len(self._entries))]
        index += [_ENTRY.pack(*entry) for entry in self._entries]
        end = _END.pack(self.games, self._at, self._digest.digest(), _LAST)
        self._stream.write(b"".join([*index, end]))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def read_blocks(stream: BinaryIO) -> Iterator[Block]:
    """Yield the blocks of a binary stream in order; raises BadGames if the file is damaged."""
    _check_start(stream.read(_START.size))
    number = 0
    while block := _read_block(stream, number):
        yield block
        number += len(block)


class GameFile:
    """A file of games, read by number. It has a length; ``file[n]`` is a game's record as text."""

    def __init__(self, path: Path | str) -> None:
        """Open a file.

        Raises BadGames if it is damaged or was not closed, OSError if it cannot be read.
        """
        self._stream = Path(path).open("rb")  # noqa: SIM115
        try:
            _check_start(self._stream.read(_START.size))
            self._read_index()
        except BaseException:
            self._stream.close()
            raise
        self._block: tuple[int, Block] | None = None

    def _read_index(self) -> None:
        size = self._stream.seek(0, 2)
        if size < _START.size + _INDEX.size + _END.size:
            raise BadGames("the file has no index, because it is incomplete")
        self._stream.seek(size - _END.size)
        games, at, digest, last = _END.unpack(self._stream.read(_END.size))
        if last != _LAST or at + _INDEX.size > size:
            raise BadGames("the file has no index, because it is incomplete")
        self._stream.seek(at)
        kind, count = _INDEX.unpack(self._stream.read(_INDEX.size))
        entries = self._stream.read(count * _ENTRY.size)
        if kind != b"INDX" or len(entries) != count * _ENTRY.size:
            raise BadGames("the file's index is damaged")
        self._entries = list(_ENTRY.iter_unpack(entries))
        self._games: int = games
        self.digest: str = digest.hex()
        """The SHA-256 digest of the games; it does not depend on the compression."""

    def __len__(self) -> int:
        return self._games

    def __getitem__(self, number: int) -> str:
        if not -len(self) <= number < len(self):
            raise IndexError(f"the file has {len(self)} games")
        number %= len(self)
        first, block = self.block(number)
        return block.record(number - first)

    def block(self, number: int) -> tuple[int, Block]:
        """Return the block that contains a game, and the number of the block's first game."""
        at, first = next(entry for entry in reversed(self._entries) if entry[1] <= number)
        if self._block is None or self._block[0] != first:
            self._stream.seek(at)
            block = _read_block(self._stream, first)
            if block is None:
                raise BadGames("the file's index is damaged")
            self._block = first, block
        return self._block

    def close(self) -> None:
        """Close the file."""
        self._stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _check_start(start: bytes) -> None:
    if len(start) < _START.size or not start.startswith(BINARY):
        raise BadGames("this is not a file of games")
    _, version, _ = _START.unpack(start)
    if version != VERSION:
        raise BadGames(f"the file has version {version}; this program reads version {VERSION}")


def _read_block(stream: BinaryIO, number: int) -> Block | None:
    """Read the next block, whose first game has this number; None at the end of the blocks."""
    start = stream.read(_BLOCK.size)
    if not start or start.startswith(b"INDX"):
        return None
    if len(start) < _BLOCK.size:
        raise BadGames(f"the file ends after game {number}, in the middle of a block")
    kind, games, first, packed, length, digest = _BLOCK.unpack(start)
    if kind != b"GAME" or first != number or max(packed, length) > _LARGEST:
        raise BadGames(f"the file is damaged after game {number}")
    compressed = stream.read(packed)
    if len(compressed) < packed:
        raise BadGames(f"the file ends after game {number}, in the middle of a block")
    try:
        data = zlib.decompressobj().decompress(compressed, length + 1)
    except zlib.error:
        raise BadGames(f"the file is damaged after game {number}") from None
    if len(data) != length or sha256(data).digest() != digest:
        raise BadGames(f"the file is damaged after game {number}")
    block = Block.decode(data)
    if len(block) != games or not games:
        raise BadGames(f"the file is damaged after game {number}")
    return block
