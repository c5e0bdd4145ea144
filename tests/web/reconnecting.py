"""Drop many sockets at the same moment: all of them must be back within a minute.

``python -m tests.web.reconnecting --sockets 1000`` opens sockets at three processes, kills all of
them with ``kill -9``, and lets the clients reconnect as the pages do.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import tempfile
import time
from pathlib import Path

from rich.console import Console
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from tests.tables.databases import Postgres

from .several import SeveralProcesses
from .wire import Wire

FIRST_DELAY, LONGEST_DELAY, JITTER = 0.4, 8.0, 0.3
"""How long a page waits before it reconnects: see ``base.html`` and htmx's extension."""
SETTINGS = {
    "BYZANZ_ADDRESS_RATE_BURST": "100000",
    "BYZANZ_ADDRESS_RATE_PER_SECOND": "100000",
    "BYZANZ_CONNECTIONS_PER_ADDRESS": "100000",
    "BYZANZ_SOCKETS_PER_ADDRESS": "100000",
}
"""All sockets come from one address."""


class Client:
    """A page that always reconnects."""

    def __init__(self, address: str, chance: random.Random) -> None:
        self._address = address
        self._chance = chance
        self.shown = asyncio.Event()
        """Set while the page shows the table."""
        self.at = 0.0
        """When it was last shown again."""

    async def run(self) -> None:
        attempt = 0
        while True:
            try:
                async with connect(
                    self._address, max_size=None, ping_interval=None, open_timeout=60, proxy=None
                ) as socket:
                    async for _ in socket:
                        attempt = 0
                        if not self.shown.is_set():
                            self.at = time.monotonic()
                            self.shown.set()
            except (EOFError, OSError, TimeoutError, WebSocketException):
                pass
            self.shown.clear()
            delay = min(FIRST_DELAY * 2**attempt, LONGEST_DELAY)
            attempt += 1
            await asyncio.sleep(delay * self._chance.uniform(1 - JITTER, 1 + JITTER))


async def drop(server: SeveralProcesses, sockets: int) -> float:
    """Return the seconds until the last client was back."""
    server.start()
    wire = Wire(server.url)
    token = (await wire.ask("POST", "/api/me", {})).data["token"]
    host = Wire(server.url, token)
    seats = [{"type": "host"}, {"type": "open"}, {"type": "open"}]
    table = (await host.ask("POST", "/api/tables", {"seats": seats})).data["table"]
    wire.close()
    host.close()
    chance = random.Random(1)
    address = f"{server.url.replace('http', 'ws', 1)}/table/{table}/socket"
    clients = [Client(address, chance) for _ in range(sockets)]
    tasks = [asyncio.create_task(client.run()) for client in clients]
    try:
        for client in clients:
            await client.shown.wait()
        killed = time.monotonic()
        for process in server.processes:
            os.kill(process, signal.SIGKILL)
        while any(client.at < killed for client in clients):
            await asyncio.sleep(0.1)
            assert time.monotonic() - killed < 300, "not all clients are back"
        return max(client.at for client in clients) - killed
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--sockets", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=3)
    options = parser.parse_args()
    os.environ.update(SETTINGS)
    with tempfile.TemporaryDirectory() as name, Postgres(Path(name) / "postgresql") as postgres:
        server = SeveralProcesses(Path(name), postgres.fresh(), options.workers)
        try:
            seconds = asyncio.run(drop(server, options.sockets))
        finally:
            server.close()
    Console().print(f"{options.sockets} dropped sockets were back after {seconds:.1f} s.")
    assert seconds < 60


if __name__ == "__main__":
    main()
