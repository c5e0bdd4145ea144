"""How a command ends."""

from __future__ import annotations

GOOD, FLAWED, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: all is well; a record is flawed; what was asked cannot be done; Ctrl-C."""


class Unusable(Exception):
    """What was asked cannot be done; the text says why."""
