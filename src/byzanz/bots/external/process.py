"""A bot's process, which must answer each line with a line within a deadline.

The memory and the output of the process are limited. Killing the process also kills all processes
that it started. The caller never waits longer than its deadline.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, Full, Queue
from threading import Thread
from typing import IO
from weakref import finalize

from .guard import BotFailed, BotFault

_log = logging.getLogger("byzanz.bots.external.process")

MEMORY_LIMIT = 2 << 30
"""Default limit of a process's data, in bytes."""

MAX_LINE = 1 << 16
"""Maximum length of an answer, in bytes."""

_MAX_LOGGED = 64 << 10
"""Bytes of standard error that are logged; the rest is read and dropped."""

_SCRIPT = Path(__file__).with_name("memory_limit.py")

_END = b""
"""Marks the end of the output, and tells the writer thread to stop."""


class BotProcess:
    """A running program that reads a line and answers with a line."""

    def __init__(self, command: Sequence[str], memory: int = MEMORY_LIMIT) -> None:
        """Start the program; raises BotFailed if the system cannot run it."""
        if os.name == "posix":
            command = [sys.executable, "-I", "-S", str(_SCRIPT), str(memory), *command]
        # The settings of a server may be secret.
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("BYZANZ_")
        }
        try:
            process = subprocess.Popen(  # noqa: S603 - the program that was asked for
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailed(BotFault.DIED, f"cannot run {command[0]}: {error.strerror}") from None
        self._questions: Queue[bytes] = Queue(1)
        self._answers: Queue[bytes] = Queue(2)  # the expected answer, and one too many
        # The threads hold no reference to this object, so the process ends when it is collected.
        for work, *arguments in (
            (_write, process.stdin, self._questions),
            (_read, process.stdout, self._answers),
            (_log_errors, process.stderr),
        ):
            Thread(target=work, args=arguments, daemon=True).start()
        self._kill = finalize(self, _kill, process, self._questions)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Write a line and return the answer; raises BotFailed if there is no valid one in time."""
        if not self._answers.empty():
            raise self._failure(self._answers.get(), "it answered before it was asked")
        try:
            self._questions.put_nowait(line)
            answer = self._answers.get(timeout=seconds)
        except Full:
            raise BotFailed(BotFault.MALFORMED, "it answers without reading") from None
        except Empty:
            raise BotFailed(BotFault.LATE, f"no answer within {seconds:g} s") from None
        if not answer.endswith(b"\n"):
            raise self._failure(answer, f"a line of more than {MAX_LINE} bytes")
        return answer

    def kill(self) -> None:
        """Kill the process and all its descendants; a call to :meth:`ask` in progress fails."""
        self._kill()

    @staticmethod
    def _failure(line: bytes, detail: str) -> BotFailed:
        if line == _END:
            return BotFailed(BotFault.DIED, "its process ended")
        return BotFailed(BotFault.MALFORMED, detail)


def _write(pipe: IO[bytes], questions: Queue[bytes]) -> None:
    """Write the questions to the pipe until the end mark."""
    try:
        with pipe:
            while line := questions.get():
                pipe.write(line)
                pipe.flush()
    except OSError:
        return  # the process has ended, and the reader reports it


def _read(pipe: IO[bytes], answers: Queue[bytes]) -> None:
    """Read answers until the output ends, a line is too long, or too many lines come."""
    with pipe, suppress(Full):
        while (line := pipe.readline(MAX_LINE)).endswith(b"\n"):
            answers.put_nowait(line)
        answers.put_nowait(line if len(line) == MAX_LINE else _END)


def _log_errors(pipe: IO[bytes]) -> None:
    """Log standard error up to a limit, and read the rest so that the process does not block."""
    left = _MAX_LOGGED
    with pipe:
        while line := pipe.readline(1024):
            if left > 0:
                _log.debug("%s", line.decode("utf-8", "replace").rstrip())
            left -= len(line)


def _kill(process: subprocess.Popen[bytes], questions: Queue[bytes]) -> None:
    """Kill the process group, then reap the process to free its process ID."""
    with suppress(OSError):  # the process may have ended already
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        _log.warning("process %d does not end", process.pid)
    with suppress(Full):  # the writer is still writing, and will find the pipe closed
        questions.put_nowait(_END)
