"""The server as ``byzanz serve`` runs it, less the limits on what comes from one address.

``python -m benchmarks.unlimited FOLDER`` prints its address when it is ready, and logs and keeps
its database in the folder. A benchmark's people all come from one address, and faster than people.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from byzanz.tables import House, Limits, Store
from byzanz.web.app import create_app
from byzanz.web.monitoring import configure_logging
from byzanz.web.server import Server, address, listen
from byzanz.web.settings import UNLIMITED, Settings

SETTINGS = Settings(
    guest_rate=UNLIMITED,
    address_rate=UNLIMITED,
    newcomer_rate=UNLIMITED,
    sockets_per_address=10**6,
)


def main() -> None:
    """Serves until it is told to stop."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--cool", type=float, default=Limits().cool_seconds, metavar="SECONDS",
                        help="how long a table that nobody uses is held in memory")  # fmt: skip
    options = parser.parse_args()
    configure_logging("info")
    listening = listen("127.0.0.1", 0)
    here = address(listening).rstrip("/")
    store = Store.open(f"sqlite:///{options.folder / 'byzanz.db'}")
    limits = Limits(cool_seconds=options.cool, tables_per_guest=10**6)
    app = create_app(House(store, limits=limits), SETTINGS)
    server = Server(app, listening, ready=lambda: print(here, flush=True))
    asyncio.run(server.run_until_stopped())


if __name__ == "__main__":
    main()
