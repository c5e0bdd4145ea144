"""The terminal that a command writes to."""

from __future__ import annotations

from typing import NoReturn

from rich.console import Console


class Screen(Console):
    """A console like any other, but for a reader who has gone: that is the door's business."""

    def on_broken_pipe(self) -> NoReturn:
        """Raises what was raised, where a console would end the process."""
        raise BrokenPipeError
