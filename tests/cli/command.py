"""Run ``byzanz`` as a user does: in a process of its own, with real files."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from byzanz.notation import write_record
from tests.random_games import finished

from . import forking

RECORD = write_record(finished(4, 1), ["Anne", "Ben", "Carla", "Dóra"])
"""The record of a finished game."""


def byzanz(
    *arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command and return its result, without the messages about compilation.

    With variables for its environment it runs in a new process, else in a fork of a running one.
    """
    given = stdin.encode() if isinstance(stdin, str) else stdin
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / name for name in ("stdin", "stdout", "stderr")]
        for file in files:
            file.write_bytes(given)
            given = b""
        if env is None:
            status = forking.run(list(arguments), *files)
        else:
            status = _run(arguments, *files, env)
        out, err = (file.read_bytes().decode("utf-8", "replace") for file in files[1:])
    assert "Traceback" not in out + err
    lines = err.splitlines(keepends=True)
    err = "".join(line for line in lines if not line.startswith("Compiling for the first use: "))
    return subprocess.CompletedProcess(arguments, status, out, err)


def _run(
    arguments: tuple[str, ...], stdin: Path, stdout: Path, stderr: Path, env: dict[str, str]
) -> int:
    command = [sys.executable, "-m", "byzanz", *arguments]
    environment = os.environ | {"LC_ALL": "C.UTF-8"} | env
    with stdin.open("rb") as given, stdout.open("wb") as out, stderr.open("wb") as err:
        return subprocess.run(
            command, stdin=given, stdout=out, stderr=err, env=environment, timeout=300, check=False
        ).returncode


def interrupted(*arguments: str, when: Callable[[], bool]) -> subprocess.CompletedProcess[str]:
    """Run a command until a condition holds, and end it with Ctrl-C."""
    command = [sys.executable, "-m", "byzanz", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as running:
        try:
            for _ in range(3000):
                if when():
                    break
                time.sleep(0.1)
            os.killpg(running.pid, signal.SIGINT)  # Ctrl-C reaches every process of a terminal
            out, err = running.communicate(timeout=300)
        finally:
            if running.poll() is None:
                os.killpg(running.pid, signal.SIGKILL)
    assert "Traceback" not in out + err
    return subprocess.CompletedProcess(command, running.returncode, out, err)
