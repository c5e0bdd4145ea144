"""Several server processes on one machine: the parent listens, and its children serve.

The children inherit the listening socket, so no connection is lost while one of them is replaced.
If a child ends, the parent starts it again. SIGHUP replaces the children one after another, and
SIGTERM or Ctrl-C stops all of them. Children end when their parent does. They compile their bots
one after another, so that the first one compiles and the others load what it has stored.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType

READY = "ready\n"
"""What a child prints once it answers requests."""
COMPILED = "compiled\n"
"""What a child prints once it has compiled its bots."""
UNUSABLE = 2
"""The exit status of a child that cannot start at all, for example because of a setting."""
_STOP_SECONDS = 15.0
"""How long a child may take to stop before it is killed."""
_RESTART_SECONDS = 1.0
"""The minimum time between two starts of the same child."""
_POLL_SECONDS = 0.1


class Workers:
    """The parent of some server processes. ``command`` starts one of them.

    The socket's file descriptor is appended to the command. ``ready`` is called once the first
    child answers requests.
    """

    def __init__(
        self,
        command: Sequence[str],
        listening: socket.socket,
        number: int,
        ready: Callable[[], None] = lambda: None,
    ) -> None:
        self._command = [*command, str(listening.fileno())]
        self._descriptor = listening.fileno()
        self._number = number
        self._ready = ready
        self._stopping = False
        self._replacing = False
        self._compiling: _Child | None = None

    def run(self) -> int:
        """Serve until a signal comes; return the exit status."""
        before = {
            number: signal.signal(number, handler)
            for number, handler in (
                (signal.SIGTERM, self._stop),
                (signal.SIGINT, self._stop),
                (signal.SIGHUP, self._replace),
            )
        }
        children: list[_Child] = []
        try:
            return self._run(children)
        finally:
            for child in children:
                child.stop()
            for child in children:
                child.wait()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _run(self, children: list[_Child]) -> int:
        first = self._started()
        children.append(first)
        # The first child upgrades the database; an error that it reports is the only one.
        while not first.ready.wait(_POLL_SECONDS):
            if self._stopping:
                return 0
            if first.ended is not None:
                return first.ended or UNUSABLE
        children += [self._started() for _ in range(self._number - 1)]
        self._ready()
        while not self._stopping:
            if self._replacing:
                self._replacing = False
                self._replace_all(children)
            for place, child in enumerate(children):
                if child.ended is not None and child.age >= _RESTART_SECONDS:
                    children[place] = self._started()
            self._let_compile(children)
            time.sleep(_POLL_SECONDS)
        return 0

    def _let_compile(self, children: list[_Child]) -> None:
        """Let one child compile at a time."""
        if self._compiling is not None and self._compiling.is_compiling:
            return
        waiting = [child for child in children if child.ready.is_set() and not child.may_compile]
        self._compiling = waiting[0] if waiting else None
        if self._compiling is not None:
            self._compiling.let_compile()

    def _replace_all(self, children: list[_Child]) -> None:
        """Replace the children one after another; each new one answers before the old one stops."""
        for place, child in enumerate(children):
            new = self._started()
            while not new.ready.wait(_POLL_SECONDS) and new.ended is None:
                if self._stopping:
                    children.append(new)
                    return
            if new.ended is not None:  # it has said why; the old processes go on
                new.wait()
                return
            children[place] = new
            child.stop()
            child.wait()

    def _started(self) -> _Child:
        return _Child(self._command, self._descriptor)

    def _stop(self, _: int, __: FrameType | None) -> None:
        self._stopping = True

    def _replace(self, _: int, __: FrameType | None) -> None:
        self._replacing = True


class _Child:
    """A server process. It ends when its standard input is closed, as when the parent ends."""

    def __init__(self, command: list[str], descriptor: int) -> None:
        self._began = time.monotonic()
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[descriptor],
            text=True,
            start_new_session=True,  # Ctrl-C is for the parent
        )
        self.ready = threading.Event()
        self.may_compile = False
        """Whether the process was told to compile its bots."""
        self._compiled = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def ended(self) -> int | None:
        """The exit status; None while the process runs."""
        return self._process.poll()

    @property
    def age(self) -> float:
        """The seconds since the process was started."""
        return time.monotonic() - self._began

    @property
    def is_compiling(self) -> bool:
        """Whether the process was told to compile, has not done so, and still runs."""
        return self.may_compile and not self._compiled.is_set() and self.ended is None

    def let_compile(self) -> None:
        """Tell the process to compile its bots."""
        self.may_compile = True
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.write("\n")
                self._process.stdin.flush()

    def stop(self) -> None:
        """Ask the process to stop."""
        if self._process.poll() is None:
            with suppress(ProcessLookupError):
                self._process.terminate()

    def wait(self) -> None:
        """Wait until the process has stopped; kill it if that takes too long."""
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _read(self) -> None:
        if self._process.stdout is not None:
            with suppress(ValueError, OSError):
                for line in self._process.stdout:
                    if line == READY:
                        self.ready.set()
                    elif line == COMPILED:
                        self._compiled.set()


def inherited(descriptor: int) -> tuple[socket.socket, threading.Event]:
    """Return the parent's listening socket and an event, and stop this process with the parent.

    The event is set when the parent lets this process compile.
    """
    may_compile = threading.Event()

    def stop_with_parent() -> None:
        with suppress(OSError):
            while os.read(0, 1024):
                may_compile.set()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=stop_with_parent, daemon=True).start()
    return socket.socket(fileno=descriptor), may_compile


def is_possible() -> bool:
    """Return whether this operating system can pass a listening socket on."""
    return sys.platform != "win32"
