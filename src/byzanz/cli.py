"""The door: ``byzanz`` and its commands. Nothing imports it."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

GOOD, BAD, UNUSABLE, INTERRUPTED = 0, 1, 2, 130
"""Exit statuses: all is well; a record is flawed; what was asked cannot be done; Ctrl-C."""


class Unusable(Exception):
    """What was asked cannot be done; the text says why."""


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit status of one command."""
    options = _parser().parse_args(arguments)
    try:
        status: int = options.run(options)
        sys.stdout.flush()
    except Unusable as error:
        print(f"byzanz {options.command}: {error}", file=sys.stderr)
        return UNUSABLE
    except BrokenPipeError:
        # Whoever read our output has gone; nothing more can be said to it, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNUSABLE
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED
    return status
