"""Budgets that hold across all processes that serve one database.

Each process decides from what it knows, without waiting. At every beat, it subtracts what it has
granted from the budgets in the database, and learns what is left in them. So a client can exceed
its budget at most by what each process grants within one beat. The excess is subtracted as well, so
the client gets nothing until it has been refilled, and over time the rates hold exactly.

The database gets digests of guests and addresses, made with a secret key.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from hashlib import blake2s, sha256
from typing import Protocol

from sqlalchemy import Connection

from byzanz.tables.storage import budget_rows
from byzanz.tables.storage.budget_rows import Spent
from byzanz.tables.storage.store import Store

from .game_rates import HourlyRates
from .peers import Alone, Peers
from .token_buckets import BucketRate, TokenBuckets

_CLEAN_BEATS = 60
"""The number of beats between two deletions of full buckets."""


class SocketCount(Protocol):
    """The open sockets of a process, by guest and network address."""

    open: Counter[str]
    elsewhere: dict[str, int]
    """The sockets that other processes have open, as far as this one knows."""


class SharedBudgets:
    """The token buckets and counts of sockets that all processes share.

    ``secret`` returns the secret of the given name.
    """

    def __init__(self, store: Store, secret: Callable[[str], Awaitable[str]]) -> None:
        self.peers: Peers = Alone()
        self._store = store
        self._secret = secret
        self._key = b""
        self._buckets: dict[str, TokenBuckets] = {}
        self._sockets: SocketCount | None = None
        self._stored: dict[str, int] = {}
        """The numbers of sockets that are stored for this process, by digest."""
        self._beats = 0

    def made(self, name: str, rate: BucketRate) -> TokenBuckets:
        """Return new token buckets that all processes share."""
        buckets = TokenBuckets(rate)
        self.add(name, buckets)
        return buckets

    def add(self, name: str, buckets: TokenBuckets) -> None:
        """Share these token buckets."""
        if self._store.sharable:
            buckets.spent = {}
        self._buckets[name] = buckets

    def add_rates(self, name: str, rates: HourlyRates) -> None:
        """Share these hourly rates of guests and addresses."""
        self.add(f"{name} of guests", rates.guests)
        self.add(f"{name} of addresses", rates.addresses)

    def add_sockets(self, sockets: SocketCount) -> None:
        """Share the number of open sockets."""
        self._sockets = sockets

    async def exchange(self) -> None:
        """Tell the other processes what was granted here, and learn what they have granted."""
        if not self.peers.shared:
            for buckets in self._buckets.values():
                buckets.spent = {}
            if self._sockets is not None:
                self._sockets.elsewhere = {}
            return
        if not self._key:
            self._key = sha256((await self._secret("budgets")).encode()).digest()
        await self._exchange_tokens()
        await self._exchange_sockets()
        self._beats += 1
        if self._beats % _CLEAN_BEATS == 0:
            self._stored = {}  # all numbers are stored again, in case they were deleted
            if self.peers.leads:
                await self._store.run(budget_rows.drop_full)

    async def _exchange_tokens(self) -> None:
        spent: dict[str, Spent] = {}
        places: dict[str, tuple[TokenBuckets, str]] = {}
        for name, buckets in self._buckets.items():
            taken, buckets.spent = buckets.spent or {}, {}
            for key, tokens in taken.items():
                digest = self._digest(name, key)
                spent[digest] = Spent(tokens, buckets.rate.burst, buckets.rate.per_second)
                places[digest] = buckets, key
        if not spent:
            return
        left = await self._store.run(partial(budget_rows.spend, spent=spent))
        for digest, tokens in left.items():
            buckets, key = places[digest]
            buckets.settle(key, tokens)

    async def _exchange_sockets(self) -> None:
        if self._sockets is None:
            return
        names = {key: self._digest("sockets", key) for key in self._sockets.open}
        now = {names[key]: count for key, count in self._sockets.open.items()}
        before, self._stored = self._stored, now
        changed = {
            key: now.get(key, 0) for key in {*before, *now} if now.get(key, 0) != before.get(key, 0)
        }

        def job(connection: Connection) -> dict[str, int]:
            return budget_rows.count_sockets(connection, self.peers.process, changed, now.keys())

        try:
            others = await self._store.run(job)
        except BaseException:
            self._stored = {}  # all numbers are stored again
            raise
        self._sockets.elsewhere = {
            key: others[digest] for key, digest in names.items() if digest in others
        }

    def _digest(self, name: str, key: str) -> str:
        return blake2s(f"{name} {key}".encode(), key=self._key, digest_size=16).hexdigest()
