"""The console that a command prints to."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class CommandConsole(Console):
    """A rich console that leaves closed pipes to :func:`byzanz.cli.main.main`."""

    def on_broken_pipe(self) -> NoReturn:
        """Raise the BrokenPipeError again, where rich would end the process."""
        raise BrokenPipeError
