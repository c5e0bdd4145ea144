"""Passwords of tables: hashing them, and admitting guests who know one."""

from __future__ import annotations

import asyncio
import secrets
from functools import partial

from byzanz.tables.model.passwords import check_password, hash_password, matches
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Table
from byzanz.tables.storage import admission_rows
from byzanz.tables.storage.store import Store

from .game_rates import HourlyRates

_SALT_BYTES = 16


class TablePasswords:
    """The passwords of a service's tables. Attempts are limited per guest, address and table."""

    def __init__(self, store: Store, rates: HourlyRates, table_rates: HourlyRates) -> None:
        self._store = store
        self.rates = rates
        self.table_rates = table_rates
        self._hashing = asyncio.Semaphore(1)  # a hash takes time and memory

    async def hashed(self, password: str | None) -> str | None:
        """Return the hash of a new password, or None without one.

        Raises Declined if a table cannot have this password.
        """
        if not password:
            return None
        check_password(password)
        async with self._hashing:
            salt = secrets.token_bytes(_SALT_BYTES)
            return await asyncio.to_thread(hash_password, password, salt)

    async def admit(self, table: Table, guest: str, password: str) -> None:
        """Store that the guest knows the table's password.

        Raises Declined if it is wrong, or if there were too many attempts.
        """
        if table.password is None or table.seat_of(guest) is not None:
            return
        self.rates.count(guest, TableReason.TOO_MANY_TRIES)
        self.table_rates.count(table.id, TableReason.TOO_MANY_TRIES)
        async with self._hashing:
            right = await asyncio.to_thread(matches, password, table.password)
        if not right:
            raise Declined(TableReason.WRONG_PASSWORD)
        await self._store.run(partial(admission_rows.admit, table=table.id, guest=guest))
