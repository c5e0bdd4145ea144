"""Pseudonyms of network addresses, for the log and for the operator.

An address keeps its pseudonym as long as the salt, a secret in the database, stays the same.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from functools import partial
from hashlib import blake2s

from byzanz.tables.storage import ban_rows
from byzanz.tables.storage.store import Store

from .background import attempt
from .environment import Environment
from .limits import Limits

_BYTES, _SALT_BYTES = 6, 16
_RENEWAL_SECONDS = 60.0
"""The seconds between two checks of the salt's age."""
_MAX_GUESTS = 50_000


class Pseudonyms:
    """The pseudonyms of network addresses, and which of them each guest used last."""

    def __init__(self, store: Store, environment: Environment, limits: Limits) -> None:
        self._store = store
        self._clock = environment.clock
        self._limits = limits
        self._salt = secrets.token_bytes(_SALT_BYTES)  # until the stored one is loaded
        self._noted: OrderedDict[str, str] = OrderedDict()
        self._unsaved: dict[str, str] = {}

    def of(self, address: str) -> str:
        """Return the pseudonym of an address."""
        return blake2s(address.encode(), key=self._salt, digest_size=_BYTES).hexdigest()

    def note(self, guest: str, address: str) -> None:
        """Note the address of a guest's request. Its pseudonym is stored a short time later."""
        name = self.of(address)
        if self._noted.get(guest) != name:
            self._noted[guest] = self._unsaved[guest] = name
            if len(self._noted) > _MAX_GUESTS:
                self._noted.popitem(last=False)

    async def load(self) -> None:
        """Read the salt from the database, or make a new one if it is too old."""
        salt = await self._store.run(
            partial(
                ban_rows.address_salt,
                made=secrets.token_hex(_SALT_BYTES),
                now=self._clock(),
                lifetime=self._limits.address_salt_seconds,
            )
        )
        if bytes.fromhex(salt) != self._salt:
            self._salt = bytes.fromhex(salt)
            self._noted.clear()
            self._unsaved.clear()

    async def save(self) -> None:
        """Store the pseudonyms that were noted since the last call."""
        unsaved, self._unsaved = self._unsaved, {}
        if unsaved:
            await self._store.run(partial(ban_rows.save_clients, clients=unsaved))

    async def run(self) -> None:
        """Store pseudonyms and renew the salt at regular intervals until cancelled."""
        checked = time.monotonic()
        while True:
            await asyncio.sleep(self._limits.ban_check_seconds)
            await attempt(self.save)
            if time.monotonic() - checked >= _RENEWAL_SECONDS:
                checked = time.monotonic()
                await attempt(self.load)
