"""Limits on how often a guest or a network address can do something per hour."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from byzanz.tables.model.refusals import Declined, TableReason

from .token_buckets import TokenBuckets

_HOUR = 3600


class _Hourly(NamedTuple):
    burst: float

    @property
    def per_second(self) -> float:
        return self.burst / _HOUR


class HourlyRates:
    """Counts how often guests and network addresses do something, such as start a game."""

    def __init__(
        self,
        per_guest: int,
        per_address: int,
        clock: Callable[[], float],
        address_of: Callable[[str], str],
    ) -> None:
        self._address_of = address_of
        self.guests = TokenBuckets(_Hourly(per_guest), clock)
        self.addresses = TokenBuckets(_Hourly(per_address), clock)

    def count(self, guest: str, refusal: TableReason) -> None:
        """Count an action of the guest; raises Declined with this reason if there are too many."""
        address = self._address_of(guest)
        wait = self.guests.take(guest) or self.addresses.take(address)
        if wait:
            raise Declined(refusal, seconds=wait)
