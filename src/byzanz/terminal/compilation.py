"""Show the progress of compilation in the terminal.

When a bot that searches is used for the first time, its code is compiled, which takes 5 to 20
seconds, and cached on disk. ``python -m byzanz.terminal.compilation`` compiles the code of all bots
and of the coach in advance.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from byzanz.arena import Simulation, simulate
from byzanz.bots import BOTS, Spec, make_bot
from byzanz.coach import hint
from byzanz.rules import Deal, begin, view

from .progress import error_console, progress_bar

if TYPE_CHECKING:
    from byzanz.fast.compilation import Progress as Compilation

LOGGER = logging.getLogger("byzanz.compilation")
"""The logger of :mod:`byzanz.fast.compilation`, which is not imported before it is needed."""


class CompilationDisplay(logging.Handler):
    """A log handler that shows what is compiled.

    It shows a progress bar if standard error is a terminal, and prints lines otherwise. If the
    logger ``byzanz`` is enabled for level INFO, the messages go to that logger instead.
    """

    def __init__(self) -> None:
        super().__init__()
        self._part = self._printed = ""
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Show this name for everything that is compiled within the block."""
        self._part = name
        try:
            yield
        finally:
            self._part = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Show the progress that a log record reports."""
        package = logging.getLogger("byzanz")
        if package.isEnabledFor(logging.INFO):
            if record.levelno >= logging.INFO:
                package.handle(record)
            return
        progress: Compilation = vars(record)["progress"]
        if not error_console().is_terminal:
            self._print(self._part or progress.name)
        elif progress.done == progress.total:
            self._hide()
        else:
            self._show(progress)

    def close(self) -> None:
        """Remove the progress bar and show the cursor. The logging module calls this at exit."""
        self._hide()
        super().close()

    def _hide(self) -> None:
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _print(self, name: str) -> None:
        if name != self._printed and sys.stderr is not None:
            sys.stderr.write(f"Compiling for the first use: {name} ...\n")
            self._printed = name

    def _show(self, progress: Compilation) -> None:
        name = escape(self._part or progress.name)
        if self._bar is None:
            self._bar = progress_bar(
                SpinnerColumn(),
                TextColumn("Compiling for the first use: {task.description}"),
                BarColumn(),
                TextColumn("{task.completed} of {task.total} functions"),
                TimeElapsedColumn(),
            )
            self._task = self._bar.add_task(name, total=progress.total)
            self._bar.start()
        if self._task is not None:
            self._bar.update(self._task, completed=progress.done)


_display = CompilationDisplay()


def show_compilation() -> None:
    """Show the progress of compilation from now on."""
    LOGGER.setLevel(logging.DEBUG)
    LOGGER.propagate = False
    LOGGER.addHandler(_display)


def prepare_simulation(simulation: Simulation) -> None:
    """Compile the code that a simulation needs, so that its processes find it in the cache."""
    if not simulation.fast:
        prepare_bots(simulation.seats)
        return
    with _display.part("the fast engine"):
        for _ in simulate(replace(simulation, games=1, record=False)):
            pass


def prepare_bots(texts: Iterable[str]) -> None:
    """Compile the code of these bots in advance, for all games and processes.

    Bots that run in processes of their own are left out. Raises UnknownBot or MalformedSpec.
    """
    bots = [text for text in dict.fromkeys(texts) if _runs_here(text)]
    for number, text in enumerate(bots, start=1):
        count = f" ({number} of {len(bots)} bots)" if len(bots) > 1 else ""
        with _display.part(text + count):
            make_bot(text, seed=0).close()


def prepare_coach() -> None:
    """Compile the code of the coach in advance."""
    with _display.part("the coach"):
        hint(view(begin(Deal.from_seed(players=3, seed=0)), 0), worlds=1)


def _runs_here(text: str) -> bool:
    spec = Spec.parse(text)
    return bool(spec.network) or (not spec.command and spec.name in BOTS)


if __name__ == "__main__":
    show_compilation()
    prepare_bots(BOTS)
    prepare_coach()
