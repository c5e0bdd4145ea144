"""Answer times: bots answer after a time that says nothing about their cards.

A bot that cannot bid passes at once, and one that can bid computes first. If the answer were shown
as soon as it is known, the time would tell the two apart. So every answer is delayed to the time
within which nearly all recent answers of bots of this name were computed.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque

_RECENT = 200
"""The number of answers that the time is taken from."""
_SHARE = 0.99
"""The share of recent answers that took no longer to compute."""
_SHORTEST = 0.005
"""The shortest time in seconds."""
_STEP = 1.25
"""The factor between one time and the next longer one. In steps, the time rarely changes."""


class AnswerTimes:
    """The time after which the answers of each bot are shown."""

    def __init__(self) -> None:
        self._recent: dict[str, deque[float]] = {}

    def note(self, name: str, seconds: float) -> None:
        """Note how long a bot of this name computed."""
        self._recent.setdefault(name, deque(maxlen=_RECENT)).append(seconds)

    def seconds(self, name: str) -> float:
        """Return the seconds after which answers of bots of this name are shown."""
        recent = sorted(self._recent.get(name, ()))
        if not recent:
            return 0.0
        usual, shown = recent[round(_SHARE * (len(recent) - 1))], _SHORTEST
        while shown < usual:
            shown *= _STEP
        return shown

    async def wait(self, name: str, started: float) -> None:
        """Wait until an answer can be shown whose computation started at that monotonic time."""
        left = started + self.seconds(name) - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)
