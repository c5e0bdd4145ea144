"""Forgetting a guest in a database that no process serves."""

from __future__ import annotations

import asyncio

from byzanz.tables.storage.lock import serving_lock
from byzanz.tables.storage.store import Store, make_engine

from .service import TableService


class NotForgotten(Exception):
    """Raised when the database has no such guest."""


def forget(url: str | None, guest: str) -> None:
    """Delete a guest from a database that no process serves.

    Raises NotForgotten if there is no such guest, AlreadyServed if a process serves the database,
    and FileNotFoundError if its file does not exist.
    """
    engine = make_engine(url, create=False)

    async def forgetting() -> None:
        async with TableService(Store(engine), alone=False, automatic=False) as service:
            if await service.guests.get(guest) is None:
                raise NotForgotten(f"the database has no guest '{guest}'")
            await service.guests.forget(guest)

    with serving_lock(engine):
        asyncio.run(forgetting())
