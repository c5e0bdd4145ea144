"""Progress bars on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

Item = TypeVar("Item")


@cache
def error_console() -> Console:
    """Return the console for standard error.

    Displays that are shown at the same time must share it, or they overwrite each other.
    """
    return Console(stderr=True)


def progress_bar(*columns: ProgressColumn | str) -> Progress:
    """Return a progress bar with these columns.

    It disappears when it is stopped, and shows nothing if standard error is not a terminal.
    """
    console = error_console()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def summed_progress(counts: Iterable[int], label: str, total: int) -> Iterator[int]:
    """Yield the counts, and show their sum so far out of ``total``."""
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with progress_bar(TextColumn(label), *columns) as progress:
        task = progress.add_task(label, total=total)
        for count in counts:
            progress.advance(task, count)
            yield count


def with_progress(
    items: Iterable[Item], label: str, unit: str, total: int, done: int = 0
) -> Iterator[Item]:
    """Yield the items and show how many of ``total`` are done, starting from ``done``."""
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with progress_bar(TextColumn(label), *columns) as progress:
        task = progress.add_task(label, total=total, completed=done)
        for item in items:
            progress.advance(task)
            yield item


@contextmanager
def counted_progress(label: str, unit: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress within the block; the yielded function takes the number done and the total."""
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with progress_bar(TextColumn(label), *columns) as progress:
        task = progress.add_task(label, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
