"""Claims on the bots' time: whose budget a table's bots use, and whether somebody is waiting."""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from .environment import Environment
from .fair_queue import Claim, Rank
from .limits import Limits
from .subscriptions import LiveTable
from .token_buckets import TokenBuckets

_MAX_GUESTS = 50_000


class _Thinking(NamedTuple):
    burst: float
    per_second: float


class BotClaims:
    """The network addresses of guests and how long bots have computed for each of them."""

    def __init__(self, environment: Environment, limits: Limits) -> None:
        self._clock = environment.clock
        self._limits = limits
        self._addresses: OrderedDict[str, str] = OrderedDict()
        rate = _Thinking(limits.thinking_burst_seconds, limits.thinking_seconds_per_second)
        self.budgets = TokenBuckets(rate, environment.clock)
        """The seconds of computing time that are left to each guest."""

    def note_address(self, guest: str, address: str) -> None:
        """Store the network address of the guest's last request."""
        self._addresses[guest] = address
        self._addresses.move_to_end(guest)
        if len(self._addresses) > _MAX_GUESTS:
            self._addresses.popitem(last=False)

    def address_of(self, guest: str) -> str:
        """Return the address of the guest's last request; their id if it is not known."""
        return self._addresses.get(guest, guest)

    def of(self, live: LiveTable) -> Claim:
        """Return the claim of the table's bots."""
        payer = live.table.host or ""
        return Claim(self.address_of(payer), payer, live.id, self._rank(live, payer))

    def spend(self, guest: str, seconds: float) -> None:
        """Subtract a bot's computing time from the guest's budget."""
        self.budgets.spend(guest, seconds)

    def _rank(self, live: LiveTable, payer: str) -> Rank:
        if not live.attended(self._clock() - self._limits.polling_presence_seconds):
            return Rank.UNATTENDED
        return Rank.ATTENDED if self.budgets.left(payer) > 0 else Rank.OVER_BUDGET
