"""Token buckets, which limit how often somebody can do something."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from math import ceil
from typing import Protocol

_MAX_BUCKETS = 50_000


class BucketRate(Protocol):
    """The size of a bucket, and how fast it fills."""

    @property
    def burst(self) -> float:
        """The number of tokens in a full bucket."""

    @property
    def per_second(self) -> float:
        """The number of tokens that a bucket gains per second."""


class TokenBuckets:
    """A token bucket for each key. The least recently used ones are dropped if there are many."""

    def __init__(self, rate: BucketRate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1) -> int:
        """Take tokens and return 0, or return the seconds until there are enough again."""
        now = self._clock()
        tokens, at = self._buckets.pop(key, (self._rate.burst, now))
        tokens = min(self._rate.burst, tokens + max(0.0, now - at) * self._rate.per_second)
        cost = min(cost, self._rate.burst)
        allowed = tokens >= cost
        self._buckets[key] = (tokens - cost if allowed else tokens, now)
        if len(self._buckets) > _MAX_BUCKETS:
            self._buckets.popitem(last=False)
        return 0 if allowed else ceil((cost - tokens) / self._rate.per_second)
