"""The console that a command prints to."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class CommandConsole(Console):
    """A rich console that lets :func:`byzanz.cli.main.main` handle closed pipes."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise the BrokenPipeError again, instead of ending the process as rich does."""
        raise BrokenPipeError
