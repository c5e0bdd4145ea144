"""Files of records in every format, for commands. The compiler is loaded only if it is needed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from byzanz.notation import Verdict, judge
from byzanz.notation.forms import BINARY, is_plain

from .arguments import extra_hint
from .exit_codes import CommandError
from .files import open_binary_output, open_input

if TYPE_CHECKING:
    from byzanz.datasets import RecordOutput

_MANY = 1 << 22
"""The size in bytes from which a plain file is checked by compiled code, which loads slowly."""


@contextmanager
def open_record_input(name: str) -> Iterator[io.BufferedReader]:
    """Open a file of records in any format; ``-`` is standard input. Raises CommandError."""
    with open_input(name) as stream:
        start = stream.peek(len(BINARY))
        if is_plain(start):
            yield stream
            return
        with game_file_errors(f"cannot read '{name}'"):
            yield stream


def read_lines(stream: io.BufferedReader) -> BinaryIO:
    """Return a stream of JSON Lines for a file of records in any format."""
    if is_plain(stream.peek(len(BINARY))):
        return stream
    from byzanz.datasets import as_lines  # noqa: PLC0415

    return as_lines(stream)


def check_games(stream: io.BufferedReader) -> Iterator[Verdict]:
    """Yield a verdict on each game of a file in any format.

    The verdict on a legal game may have no record.
    """
    plain = is_plain(stream.peek(len(BINARY)))
    many = _MANY if plain else _MANY // 32  # other formats are smaller
    data = stream.read(many)
    if plain and len(data) < many:
        yield from judge(io.BytesIO(data))
        return
    from byzanz.datasets import as_lines, check_records, joined  # noqa: PLC0415

    found = joined(data, stream)
    yield from judge(as_lines(found)) if len(data) < many else check_records(found)


@contextmanager
def open_record_output(name: str) -> Iterator[RecordOutput]:
    """Open a file for records in the format of its extension; ``-`` is standard output."""
    from byzanz.datasets import record_output  # noqa: PLC0415

    with (
        game_file_errors(f"cannot write '{name}'"),
        open_binary_output(name) as file,
        record_output(name, file) as output,
    ):
        yield output


@contextmanager
def game_file_errors(what: str) -> Iterator[None]:
    """Turn errors in reading or writing game files into a CommandError."""
    from byzanz.datasets import BadGames, NeedsLibrary  # noqa: PLC0415

    try:
        yield
    except BadGames as error:
        raise CommandError(f"{what}: {error}") from None
    except NeedsLibrary as error:
        raise CommandError(f"{what}: {error}; {extra_hint('data')}") from None
