"""A server process that can be killed and started again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.tables.databases import sqlite

PATIENCE = 60.0
NO_RATES = {
    f"BYZANZ_{whose}_RATE_BURST": "1000000" for whose in ("GUEST", "ADDRESS", "NEW_GUEST", "FILE")
}
"""Settings for clients that are faster than people."""


class ServerProcess:
    """``byzanz serve`` on a free port, with its database in a folder unless one is given."""

    def __init__(self, folder: Path, database: str | None = None) -> None:
        self.folder = folder
        self.database = database or sqlite(folder)
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "byzanz", "serve"),
                    *("--port", str(self.port), "--database", self.database),
                ],
                stdout=log,
                stderr=log,
                env=NO_RATES | os.environ,
            )
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                with urllib.request.urlopen(self.url + "/health", timeout=5):
                    return
            except OSError:
                assert self._process.poll() is None, (self.folder / "log").read_text()
                time.sleep(0.05)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """Kill the server, so that it cannot clean up."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """End the server."""
        self.kill()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.kill()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port
