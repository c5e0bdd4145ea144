"""Progress of compilation, as log records.

The first use of the compiled functions compiles them, which takes seconds; later uses load them
from the cache on disk. When Python calls a function, Numba compiles it together with all functions
that it calls. The logger ``byzanz.compilation`` then gets one record at level INFO at the start,
and one at level DEBUG whenever a function is finished, the last with ``done == total``. The
attribute ``progress`` of a record is a :class:`Progress`. Nothing is logged for functions found in
the cache.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from numba.core import event
from numba.core.dispatcher import Dispatcher

LOGGER = logging.getLogger("byzanz.compilation")
"""The logger that gets these records."""


@dataclass(frozen=True)
class Progress:
    """The progress of compiling one function that Python calls."""

    name: str
    """The name of the function, such as ``search.playouts.explore``."""
    done: int
    """The number of functions compiled so far."""
    total: int
    """The number of functions to compile: this one, and all it calls that are not compiled yet."""

    def __str__(self) -> str:
        if not self.done:
            return f"Compiling for the first use: {self.name}, {self.total} functions"
        return f"Compiled {self.done} of {self.total} functions: {self.name}"


class _Listener(event.Listener):
    """A listener that logs Numba's events. Only one thread compiles at a time."""

    def __init__(self) -> None:
        self._name = ""
        self._compiling: list[Dispatcher] = []
        self._missing: set[Dispatcher] = set()
        self._total = 0

    def on_start(self, happened: Any) -> None:
        """Log the start, unless this function is compiled as part of another one."""
        function = happened.data["dispatcher"]
        if not self._compiling:
            if not _is_ours(function):
                return
            self._name = f"{function.py_func.__module__}.{function.py_func.__name__}"
            self._name = self._name.removeprefix("byzanz.")
            self._missing = {each for each in _reachable(function) if not each.overloads}
            self._missing.add(function)
            self._total = len(self._missing)
            self._log(logging.INFO, 0)
        self._compiling.append(function)

    def on_end(self, happened: Any) -> None:
        """Log that a function is finished."""
        function = happened.data["dispatcher"]
        if not self._compiling:
            return
        self._compiling.pop()
        if not self._compiling:  # some functions may have turned out not to be needed
            self._log(logging.DEBUG, self._total)
        elif function in self._missing:
            self._missing.remove(function)
            self._log(logging.DEBUG, self._total - len(self._missing))

    def _log(self, level: int, done: int) -> None:
        progress = Progress(self._name, done, self._total)
        LOGGER.log(level, "%s", progress, extra={"progress": progress})


def _is_ours(function: Dispatcher) -> bool:
    return bool(function.py_func.__module__.startswith("byzanz."))


def _reachable(function: Dispatcher) -> set[Dispatcher]:
    """Return the compiled functions of this package that a function calls, directly or not."""
    found: set[Dispatcher] = set()
    waiting = [function]
    while waiting:
        for called in _called(waiting.pop().py_func):
            if isinstance(called, Dispatcher) and _is_ours(called) and called not in found:
                found.add(called)
                waiting.append(called)
    return found


def _called(function: Any) -> Iterator[Any]:
    """Yield the values of the global names and closure variables that a function uses."""
    for name in function.__code__.co_names:
        yield function.__globals__.get(name)
    for cell in function.__closure__ or ():
        yield cell.cell_contents


def log_compilation() -> None:
    """Log what Numba compiles from now on."""
    event.register("numba:compile", _Listener())
