"""A program in a process of its own: lines in, lines out, and an end by force.

A child holds no more memory than it may, its lines and what it complains are bounded, and it is
killed with all its offspring. Nothing it does or leaves undone keeps the caller longer than asked.
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

from .guard import BotFailed, Lapse

_log = logging.getLogger("byzanz.bots.external.process")

MEMORY = 2 << 30
"""Bytes of data that a child may hold, if nothing else is said."""

LONGEST_LINE = 1 << 16
"""Bytes of a line that a child may write."""

_ERRORS = 64 << 10
"""Bytes of a child's standard error that are logged; the rest is read and dropped."""

_CONFINED = Path(__file__).with_name("memory_limit.py")

_ENDED = b""


class Child:
    """A running program that answers lines with lines."""

    def __init__(self, command: Sequence[str], memory: int = MEMORY) -> None:
        if os.name == "posix":
            command = [sys.executable, "-I", "-S", str(_CONFINED), str(memory), *command]
        kept = {name: text for name, text in os.environ.items() if not name.startswith("BYZANZ_")}
        try:
            process = subprocess.Popen(  # noqa: S603 - the program that was asked for
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=kept,  # settings of a server that plays may be secret
                start_new_session=True,
            )
        except OSError as error:
            raise BotFailed(Lapse.DIED, f"cannot run {command[0]}: {error.strerror}") from None
        self._questions: Queue[bytes] = Queue(1)
        self._answers: Queue[bytes] = Queue(2)  # one asked for, and one too many
        # The threads know the pipes and queues, not the child: it ends when it is forgotten.
        for work, *given in (
            (_write, process.stdin, self._questions),
            (_read, process.stdout, self._answers),
            (_log_errors, process.stderr),
        ):
            Thread(target=work, args=given, daemon=True).start()
        self._end = finalize(self, _kill, process, self._questions)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """The child's answer to a line, within so many seconds; raises BotFailed."""
        if not self._answers.empty():
            raise self._unanswered(self._answers.get(), "it spoke before it was asked")
        try:
            self._questions.put_nowait(line)
            answer = self._answers.get(timeout=seconds)
        except Full:
            raise BotFailed(Lapse.MALFORMED, "it does not read what it answers") from None
        except Empty:
            raise BotFailed(Lapse.LATE, f"no answer within {seconds:g} s") from None
        if not answer.endswith(b"\n"):
            raise self._unanswered(answer, f"a line of more than {LONGEST_LINE} bytes")
        return answer

    def kill(self) -> None:
        """The child and its offspring are no more; whoever waits for its answer hears so."""
        self._end()

    @staticmethod
    def _unanswered(heard: bytes, what: str) -> BotFailed:
        if heard == _ENDED:
            return BotFailed(Lapse.DIED, "its process ended")
        return BotFailed(Lapse.MALFORMED, what)


def _write(pipe: IO[bytes], questions: Queue[bytes]) -> None:
    """Writes each question, until an empty one."""
    try:
        with pipe:
            while line := questions.get():
                pipe.write(line)
                pipe.flush()
    except OSError:
        return  # the child has ended, and its reader tells


def _read(pipe: IO[bytes], answers: Queue[bytes]) -> None:
    """Passes on each line; one too long, the end, or a flood that nobody asked for is the last."""
    with pipe, suppress(Full):
        while (line := pipe.readline(LONGEST_LINE)).endswith(b"\n"):
            answers.put_nowait(line)
        answers.put_nowait(line if len(line) == LONGEST_LINE else _ENDED)


def _log_errors(pipe: IO[bytes]) -> None:
    """Logs what the child complains, up to a bound, and reads on so that it does not wait."""
    left = _ERRORS
    with pipe:
        while line := pipe.readline(1024):
            if left > 0:
                _log.debug("%s", line.decode("utf-8", "replace").rstrip())
            left -= len(line)


def _kill(process: subprocess.Popen[bytes], questions: Queue[bytes]) -> None:
    """Kills the process group, before its number is free to be another's."""
    with suppress(OSError):  # it may have ended by itself
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    try:
        process.wait(timeout=1)
    except subprocess.TimeoutExpired:
        _log.warning("process %d does not end", process.pid)
    with suppress(Full):  # the writer is still at a question, and finds the pipe closed
        questions.put_nowait(_ENDED)
