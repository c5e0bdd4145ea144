"""Run ``byzanz`` as a user does: in its own process, with real files and pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

from byzanz.notation import write_record
from tests.random_games import finished

RECORD = write_record(finished(4, 1), ["Anne", "Ben", "Carla", "Dóra"])
"""The record of a finished game."""


def byzanz(
    *arguments: str, stdin: str | bytes = "", env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command and return its result, without the messages about compilation."""
    done = subprocess.run(
        [sys.executable, "-m", "byzanz", *arguments],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=300,
        check=False,
        env=os.environ | {"LC_ALL": "C.UTF-8"} | (env or {}),
    )
    out, err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in out + err
    lines = err.splitlines(keepends=True)
    err = "".join(line for line in lines if not line.startswith("Compiling for the first use: "))
    return subprocess.CompletedProcess(done.args, done.returncode, out, err)


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
