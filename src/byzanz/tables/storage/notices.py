"""Notices between the processes that serve one PostgreSQL database, sent by LISTEN and NOTIFY."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from secrets import token_hex
from typing import Any

from sqlalchemy import Engine, text

_LOG = logging.getLogger(__name__)

_CHANNEL = "byzanz"
_WAIT_SECONDS = 0.5
"""The longest time for which a thread waits before it checks whether it must end."""
_RETRY_SECONDS = 0.2
_BATCH = 200
"""The maximum number of notices in one statement."""

Heard = Callable[[list[str] | None], None]
"""Called in a thread with the notices that arrived, or with None if some may have been lost."""


class Notices:
    """Sends notices to all processes, this one included, and receives theirs.

    Notices can be lost if a connection breaks. The receiver is told so when it is connected again.
    """

    def __init__(self, engine: Engine, heard: Heard) -> None:
        self._engine = engine
        self._heard = heard
        self._closing = threading.Event()
        self._own_channel = f"{_CHANNEL}_{token_hex(8)}"
        """A channel on which this object alone listens. A notice there ends its waiting."""
        self._queue: SimpleQueue[str | None] = SimpleQueue()
        self._threads = [
            threading.Thread(target=self._listen, name="byzanz-listen", daemon=True),
            threading.Thread(target=self._send, name="byzanz-notify", daemon=True),
        ]
        self.failures = 0
        """How often a connection broke."""

    def start(self) -> None:
        """Start sending and receiving."""
        for thread in self._threads:
            thread.start()

    def send(self, notice: str) -> None:
        """Send a notice soon, without waiting."""
        self._queue.put(notice)

    def close(self) -> None:
        """Send the waiting notices, and stop."""
        self._closing.set()
        self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                self._receive()
            except Exception as error:  # noqa: BLE001 (the connection is opened again)
                self._failed(error)

    def _receive(self) -> None:
        """Receive notices until the connection breaks or this object is closed."""
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            try:
                for channel in (_CHANNEL, self._own_channel):
                    connection.exec_driver_sql(f"LISTEN {channel}")
                driver: Any = connection.connection.driver_connection
                self._heard(None)
                while not self._closing.is_set():
                    came = driver.notifies(timeout=_WAIT_SECONDS, stop_after=1)
                    if found := [each.payload for each in came if each.channel == _CHANNEL]:
                        self._heard(found)
            finally:
                connection.invalidate()  # a connection that listens must not be reused

    def _send(self) -> None:
        ended = False
        while not ended:
            batch, ended = self._next_batch()
            if batch:
                try:
                    self._notify(_CHANNEL, batch)
                except Exception as error:  # noqa: BLE001 (version checks repair what is lost)
                    self._failed(error)
        with suppress(Exception):  # without it, the receiver ends a little later
            self._notify(self._own_channel, [""])

    def _next_batch(self) -> tuple[list[str], bool]:
        """Return the waiting notices without duplicates, and whether these are the last ones."""
        batch: dict[str, None] = {}
        notice = self._queue.get()
        while notice is not None:
            batch[notice] = None
            if len(batch) == _BATCH:
                break
            try:
                notice = self._queue.get_nowait()
            except Empty:
                break
        return list(batch), notice is None

    def _notify(self, channel: str, batch: list[str]) -> None:
        query = text(
            "SELECT pg_notify(:channel, notice) FROM unnest(CAST(:batch AS text[])) notice"
        )
        with self._engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(query, {"channel": channel, "batch": batch})

    def _failed(self, error: Exception) -> None:
        if not self._closing.is_set():
            self.failures += 1
            _LOG.warning("a connection for notices broke: %s", type(error).__name__)
            self._closing.wait(_RETRY_SECONDS)
