"""Run another program with a memory limit: ``python memory_limit.py BYTES PROGRAM ...``.

Run as a script, not imported: a process that has threads must not run code between fork and exec,
so the limit is set by this small one, which then gives way to the program.
"""

from __future__ import annotations

import os
import sys

ADDRESSES = 1 << 34
"""Address space, the second limit: wide, for some runtimes reserve far more than they use."""


def become(most: int, command: list[str]) -> None:
    """This process is the program now, and cannot hold more than ``most`` bytes of data."""
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:
        pass
    else:
        for limit, value in (("RLIMIT_DATA", most), ("RLIMIT_AS", ADDRESSES), ("RLIMIT_CORE", 0)):
            try:
                resource.setrlimit(getattr(resource, limit), (value, value))
            except (AttributeError, OSError, ValueError):
                continue  # this system does not keep it, or keeps a lower one
    try:
        os.execvp(command[0], command)  # noqa: S606 - the program that was asked for
    except OSError as error:
        sys.exit(f"cannot run {command[0]}: {error.strerror}")


if __name__ == "__main__":
    become(int(sys.argv[1]), sys.argv[2:])
