"""Background work of the service: a failure is logged and does not stop it."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from byzanz.tables.model.refusals import Declined
from byzanz.tables.model.table import Change, Table

from .live_tables import LiveTables

_LOG = logging.getLogger(__name__)


async def attempt(work: Callable[[], Awaitable[None]]) -> None:
    """Do the work, or log why it failed. The caller tries again later."""
    try:
        await work()
    except Exception:  # noqa: BLE001 (background work must go on)
        _LOG.exception("background work failed")


async def attempt_change(tables: LiveTables, table: str, command: Callable[[Table], Table]) -> None:
    """Change the table, or log why that failed. Other tables are not affected."""
    try:
        await tables.change(table, lambda found: Change(command(found)))
    except Declined as declined:
        _LOG.info("a table declined a background change: %s", declined.reason)
    except Exception:  # noqa: BLE001 (other tables must go on)
        _LOG.exception("a background change of a table failed")
