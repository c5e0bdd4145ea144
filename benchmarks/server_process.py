"""A server in its own process, measured from outside."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.web.wire import Wire


class Server:
    """A server process and its metrics."""

    def __init__(self, process: subprocess.Popen[str], url: str) -> None:
        self.process = process
        self.url = url

    async def metric(self, name: str) -> float:
        """Return one of the server's metrics; 0 if the system does not report it."""
        wire = Wire(self.url)
        text = (await wire.ask("GET", "/metrics")).content.decode()
        wire.close()
        found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    async def memory(self) -> float:
        """Return the resident memory of the process in megabytes."""
        return await self.metric("process_resident_memory_bytes") / 1e6

    async def cpu(self) -> float:
        """Return the CPU time of the process in seconds."""
        return await self.metric("process_cpu_seconds_total")


@contextmanager
def served(*options: str) -> Iterator[Server]:
    """Run a server in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.unlimited", folder, *options],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            url = process.stdout.readline().strip() if process.stdout else ""
            if not url:
                raise RuntimeError("the server did not start")
            yield Server(process, url)
        finally:
            process.terminate()
            process.communicate()
