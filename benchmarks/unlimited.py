"""The server of ``byzanz serve`` without rate limits.

``python -m benchmarks.unlimited FOLDER`` prints its address when it is ready. It stores its
database in the folder. The limits would stop a benchmark, because all simulated people have the
same address and act faster than real people.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from byzanz.tables import Limits, Store, TableService
from byzanz.web.app import create_app
from byzanz.web.limit_settings import UNLIMITED, Settings
from byzanz.web.monitoring import configure_logging
from byzanz.web.server import Server, address, listen, run

SETTINGS = Settings(
    guest_rate=UNLIMITED,
    address_rate=UNLIMITED,
    new_guest_rate=UNLIMITED,
    review_rate=UNLIMITED,
    sockets_per_address=10**6,
    connections_per_address=10**6,
)


def main() -> None:
    """Run the server until it is stopped."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--cool", type=float, default=Limits().table_cache_seconds, metavar="SECONDS",
        help="seconds until an unused table is removed from memory",
    )  # fmt: skip
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    options = parser.parse_args()
    configure_logging("info")
    listening = listen("127.0.0.1", options.port)
    here = address(listening).rstrip("/")
    store = Store.open(f"sqlite:///{options.folder / 'byzanz.db'}")
    limits = Limits(
        table_cache_seconds=options.cool,
        tables_per_guest=10**6,
        reviews_per_guest=10**6,
        review_queue=10**6,
    )
    app = create_app(TableService(store, limits=limits), SETTINGS)
    server = Server(app, listening, ready=lambda: print(here, flush=True))
    run(server)


if __name__ == "__main__":
    main()
