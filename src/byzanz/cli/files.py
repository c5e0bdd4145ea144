"""Files by name, standard input and output among them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, TextIOWrapper
from pathlib import Path

from .exit_codes import Unusable


@contextmanager
def reading(name: str) -> Iterator[BufferedReader]:
    """The named file for reading, standard input for ``-``."""
    if name == "-" and sys.stdin is None:
        raise Unusable("standard input is closed")
    try:
        # A copy of standard input, so that it can be closed like any other file.
        file = os.fdopen(os.dup(sys.stdin.fileno()), "rb") if name == "-" else open(name, "rb")  # noqa: PTH123, SIM115
    except OSError as error:
        raise Unusable(f"cannot read '{name}': {error.strerror or error}") from None
    with file:
        yield file


@contextmanager
def writing(name: str, *, add: bool = False) -> Iterator[TextIOWrapper]:
    """The named file for writing, at its end if adding; standard output for ``-``."""
    if name == "-" and sys.stdout is None:
        raise Unusable("standard output is closed")
    mode = "ab" if add else "wb"
    try:
        file = os.fdopen(os.dup(sys.stdout.fileno()), mode) if name == "-" else open(name, mode)  # noqa: PTH123, SIM115
    except OSError as error:
        raise Unusable(f"cannot write '{name}': {error.strerror or error}") from None
    with TextIOWrapper(file, encoding="utf-8", newline="\n") as text:
        yield text


def check_writable(*names: str | None) -> None:
    """Raises Unusable if one of the files could not be written: what takes long is not in vain."""
    for name in names:
        if name is None:
            continue
        new = name != "-" and not Path(name).exists()
        with writing(name, add=True):
            pass
        if new:
            Path(name).unlink()
