"""How many games a guest and a network address can start per hour."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from byzanz.tables.model.refusals import Declined, TableReason

from .environment import Environment
from .limits import Limits
from .token_buckets import TokenBuckets

_HOUR = 3600


class _Hourly(NamedTuple):
    burst: float

    @property
    def per_second(self) -> float:
        return self.burst / _HOUR


class GameRates:
    """Counts the games that guests and network addresses start."""

    def __init__(
        self, environment: Environment, limits: Limits, address_of: Callable[[str], str]
    ) -> None:
        self._address_of = address_of
        clock = environment.clock
        self._guests = TokenBuckets(_Hourly(limits.games_per_hour_per_guest), clock)
        self._addresses = TokenBuckets(_Hourly(limits.games_per_hour_per_address), clock)

    def count(self, guest: str) -> None:
        """Count a game that the guest starts; raises Declined if there are too many."""
        address = self._address_of(guest)
        wait = self._guests.take(guest) or self._addresses.take(address)
        if wait:
            raise Declined(TableReason.TOO_MANY_GAMES, seconds=wait)
