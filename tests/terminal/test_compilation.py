"""The progress of compilation: what is shown, and when."""

from __future__ import annotations

import io
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from byzanz.fast.compilation import Progress
from byzanz.terminal.compilation import LOGGER, CompilationDisplay


@pytest.fixture
def display() -> Iterator[CompilationDisplay]:
    """Yield a display that gets the records of the logger."""
    before = LOGGER.handlers[:], LOGGER.level, LOGGER.propagate
    display = CompilationDisplay()
    LOGGER.handlers[:], LOGGER.propagate = [display], False
    LOGGER.setLevel(logging.DEBUG)
    yield display
    display.close()
    LOGGER.handlers[:], LOGGER.level, LOGGER.propagate = before


def compile_functions(name: str = "search.playouts.explore", total: int = 3) -> None:
    for done in range(total + 1):
        level = logging.DEBUG if done else logging.INFO
        LOGGER.log(level, "", extra={"progress": Progress(name, done, total)})


@pytest.mark.usefixtures("display")
def test_without_a_terminal_a_line_is_printed_to_standard_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    compile_functions()
    printed = capsys.readouterr()
    expected = "Compiling for the first use: search.playouts.explore ...\n"
    assert (printed.out, printed.err) == ("", expected)


def test_each_part_is_printed_once(
    display: CompilationDisplay, capsys: pytest.CaptureFixture[str]
) -> None:
    for part in ("trader (1 of 2 bots)", "emperor (2 of 2 bots)"):
        with display.part(part):
            compile_functions("one")
            compile_functions("two")
    assert capsys.readouterr().err == (
        "Compiling for the first use: trader (1 of 2 bots) ...\n"
        "Compiling for the first use: emperor (2 of 2 bots) ...\n"
    )


def test_a_terminal_shows_a_progress_bar_that_disappears(
    display: CompilationDisplay, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = Console(file=io.StringIO(), force_terminal=True, width=100)
    for module in ("compilation", "progress"):
        monkeypatch.setattr(f"byzanz.terminal.{module}.error_console", lambda: screen)
    with display.part("trader"):
        compile_functions()
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    assert "Compiling for the first use: trader" in shown
    assert "2 of 3 functions" in shown
    assert shown.endswith("\x1b[2K")  # the line is erased


def test_a_program_that_logs_gets_a_log_record(
    display: CompilationDisplay,
    caplog: pytest.LogCaptureFixture,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with caplog.at_level(logging.INFO, "byzanz"):
        compile_functions(total=1)
    (record,) = caplog.records
    assert record.name == "byzanz.compilation"
    assert capsys.readouterr().err == ""


@pytest.mark.slow
def test_only_the_first_use_compiles(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "byzanz", "simulate", "--games", "21", "--players", "3"]
    command += ["--seed", "1", "--bots", "trader", "--jobs", "2", "--record", "-"]
    runs = [
        subprocess.run(
            command,
            env=os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=300,
            check=True,
        )
        for _ in range(2)
    ]
    assert runs[0].stderr.startswith("Compiling for the first use: trader ...\n")
    assert runs[1].stderr == runs[0].stderr.partition("\n")[2]
    assert runs[0].stdout == runs[1].stdout
