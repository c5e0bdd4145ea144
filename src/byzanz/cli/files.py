"""Open files by name, where ``-`` is standard input or output."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from pathlib import Path
from typing import BinaryIO, cast

from .exit_codes import CommandError


@contextmanager
def open_input(name: str) -> Iterator[BufferedReader]:
    """Open a file for reading; ``-`` is standard input. Raises CommandError."""
    if name == "-" and sys.stdin is None:
        raise CommandError("standard input is closed")
    try:
        # A copy of standard input, so that it can be closed like any other file.
        file = os.fdopen(os.dup(sys.stdin.fileno()), "rb") if name == "-" else open(name, "rb")  # noqa: PTH123, SIM115
    except OSError as error:
        raise CommandError(f"cannot read '{name}': {error.strerror or error}") from None
    with file:
        yield file


@contextmanager
def open_binary_output(name: str, *, append: bool = False) -> Iterator[BinaryIO]:
    """Open a file for writing bytes; ``-`` is standard output. Raises CommandError."""
    if name == "-" and sys.stdout is None:
        raise CommandError("standard output is closed")
    mode = "ab" if append else "wb"
    try:
        file = os.fdopen(os.dup(sys.stdout.fileno()), mode) if name == "-" else open(name, mode)  # noqa: PTH123, SIM115
    except OSError as error:
        raise CommandError(f"cannot write '{name}': {error.strerror or error}") from None
    with file:
        yield cast("BinaryIO", file)


@contextmanager
def open_output(name: str, *, append: bool = False) -> Iterator[TextIOWrapper]:
    """Open a file for writing; ``-`` is standard output. Raises CommandError."""
    with (
        open_binary_output(name, append=append) as file,
        TextIOWrapper(file, encoding="utf-8", newline="\n") as text,
    ):
        yield text


def check_writable(*names: str | None) -> None:
    """Check, before a long computation, that files can be written; raises CommandError."""
    for name in names:
        if name is None:
            continue
        new = name != "-" and not Path(name).exists()
        with open_output(name, append=True):
            pass
        if new:
            Path(name).unlink()
