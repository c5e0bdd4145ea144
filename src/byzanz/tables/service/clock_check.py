"""Checks that the clock is plausible, so that nothing is deleted because of a wrong clock.

The clock is compared with one that nobody can set. If it jumps by more than a day, clean-up pauses
until the clock is right again, but at most for a day, in which the operator can correct it. When a
service starts, it compares the clock with the newest time in the database.
"""

from __future__ import annotations

import logging

from .environment import Environment

_LOG = logging.getLogger(__name__)

_DAY = 24 * 3600.0
_LARGEST_JUMP = 1 * _DAY
_LONGEST_STOP = 30 * _DAY
"""How long a server may have been stopped; after a longer time its clock counts as wrong."""
_PAUSE = 1 * _DAY


class ClockCheck:
    """Compares the clock with the monotonic clock."""

    def __init__(self, environment: Environment, newest: float | None = None) -> None:
        self._clock = environment.clock
        self._monotonic = environment.monotonic
        self._offset = self._clock() - self._monotonic()
        self._paused_at: float | None = None
        if newest is not None and not -_LARGEST_JUMP <= self._clock() - newest <= _LONGEST_STOP:
            self._offset = newest - self._monotonic()

    def passes(self) -> bool:
        """Return whether the clock is plausible; log a warning when it no longer is."""
        now = self._monotonic()
        jump = self._clock() - now - self._offset
        if abs(jump) <= _LARGEST_JUMP:
            self._offset += jump
            self._paused_at = None
        elif self._paused_at is None:
            self._paused_at = now
            _LOG.warning(
                "the clock jumped by %.1f days: nothing is deleted for a day, or until it is right",
                jump / _DAY,
            )
        elif now - self._paused_at >= _PAUSE:
            _LOG.warning("the clock counts as right from now on")
            self._offset += jump
            self._paused_at = None
        return self._paused_at is None
