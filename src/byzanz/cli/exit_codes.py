"""Exit statuses, and the error that ends a command."""

from __future__ import annotations

OK, INVALID, ERROR, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: success; what was checked is invalid; the command cannot be run; Ctrl-C."""


class CommandError(Exception):
    """Raised if the command cannot be run; the message says why."""
