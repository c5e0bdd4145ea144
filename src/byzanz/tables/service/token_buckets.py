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
    """A token bucket for each key. If there are too many, the least recently used are dropped."""

    def __init__(self, rate: BucketRate, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self._clock = clock
        self.spent: dict[str, float] | None = None
        """The tokens taken since the last exchange between processes; None without exchanges."""
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, cost: float = 1) -> int:
        """Take tokens and return 0, or return the seconds until there are enough."""
        tokens = self.left(key)
        cost = min(cost, self.rate.burst)
        if tokens < cost:
            self._set(key, tokens)
            return ceil((cost - tokens) / self.rate.per_second)
        self._take(key, tokens, cost)
        return 0

    def spend(self, key: str, cost: float) -> None:
        """Take tokens, whether there are enough or not. The debt is at most a full bucket."""
        tokens = self.left(key)
        self._take(key, tokens, min(cost, tokens + self.rate.burst))

    def left(self, key: str) -> float:
        """Return the number of tokens in the bucket."""
        now = self._clock()
        tokens, at = self._buckets.get(key, (self.rate.burst, now))
        return min(self.rate.burst, tokens + max(0.0, now - at) * self.rate.per_second)

    def settle(self, key: str, tokens: float) -> None:
        """Set the tokens left after an exchange, less those taken in this process since then."""
        self._set(key, tokens - (self.spent or {}).get(key, 0.0))

    def _take(self, key: str, tokens: float, cost: float) -> None:
        self._set(key, tokens - cost)
        if self.spent is not None and cost:
            self.spent[key] = self.spent.get(key, 0.0) + cost

    def _set(self, key: str, tokens: float) -> None:
        self._buckets[key] = (tokens, self._clock())
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MAX_BUCKETS:
            self._buckets.popitem(last=False)
