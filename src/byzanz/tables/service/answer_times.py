"""Answer times: bots answer after a time that says nothing about their cards.

A bot that cannot bid passes at once, and one that can bid computes first. If the answer were shown
as soon as it is known, the time would tell the two apart. So every answer is delayed by the time
within which bots of the same name computed nearly all of their recent answers.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

_RECENT = 200
"""The number of recent answers from which the time is computed."""
_SHARE = 0.99
"""The share of recent answers that were computed within the time."""
_OUTLIERS = 2
"""How many of the slowest answers never count: a bot's first answer may compile its code."""
_SHORTEST = 0.005
"""The shortest time in seconds."""
_STEP = 1.25
"""The factor between one possible time and the next. With such steps, the time changes rarely."""


class AnswerTimes:
    """The time after which the answers of each bot are shown."""

    def __init__(self) -> None:
        self._recent: dict[str, deque[float]] = {}

    def note(self, name: str, seconds: float) -> None:
        """Note how long a bot of this name took to compute an answer."""
        self._recent.setdefault(name, deque(maxlen=_RECENT)).append(seconds)

    def seconds(self, name: str) -> float:
        """Return the seconds after which answers of bots of this name are shown."""
        recent = sorted(self._recent.get(name, ()))
        if not recent:
            return 0.0
        last = len(recent) - 1
        usual, shown = recent[max(0, min(round(_SHARE * last), last - _OUTLIERS))], _SHORTEST
        while shown < usual:
            shown *= _STEP
        return shown

    async def wait(self, name: str, started: float) -> None:
        """Wait until an answer may be shown.

        ``started`` is the monotonic time at which its computation started.
        """
        left = started + self.seconds(name) - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)
