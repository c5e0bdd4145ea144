"""Run another program with a memory limit: ``python memory_limit.py BYTES PROGRAM ...``.

This is a script, not a module to import. A process with threads must not run code between fork and
exec, so this small process sets the limit and then executes the program in its place.
"""

from __future__ import annotations

import os
import sys

ADDRESS_SPACE = 1 << 34
"""Limit of the address space in bytes; some runtimes reserve much more than they use."""


def execute(memory: int, command: list[str]) -> None:
    """Replace this process with the program, whose data is limited to ``memory`` bytes."""
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        pass
    else:
        limits = (("RLIMIT_DATA", memory), ("RLIMIT_AS", ADDRESS_SPACE), ("RLIMIT_CORE", 0))
        for limit, value in limits:
            try:
                resource.setrlimit(getattr(resource, limit), (value, value))
            except (AttributeError, OSError, ValueError):
                continue  # the system does not support the limit, or has a lower one
    try:
        os.execvp(command[0], command)  # noqa: S606 - the program that was asked for
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error.strerror}")


if __name__ == "__main__":
    execute(int(sys.argv[1]), sys.argv[2:])
