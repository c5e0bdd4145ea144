"""``byzanz serve``: the game in the browser, for oneself or for the world."""

from __future__ import annotations

import argparse
import asyncio
import webbrowser
from collections.abc import Iterable
from threading import Thread
from typing import TYPE_CHECKING

from byzanz.bots import make_bot

from .arguments import command, whole
from .database_options import add_database, open_store, usable_database
from .exit_codes import GOOD, Unusable

if TYPE_CHECKING:
    from .arguments import Commands

_LEVELS = ("debug", "info", "warning", "error")


def add(commands: Commands) -> None:
    """The command is known."""
    parser = command(
        commands,
        "serve",
        "let people play in the browser, with bots and with each other",
        "Serve the game's pages and its API until Ctrl-C. Every action is stored before it is "
        "answered, and every table goes on where it was when the server starts again. "
        "docs/deploying.md tells how to serve the world.",
        """
        byzanz serve --open                  play on this machine
        byzanz serve --host 0.0.0.0          also from other machines of this network
        byzanz serve --database postgresql://byzanz@localhost/byzanz --secure \\
            --forwarded-allow-ips 127.0.0.1  behind a proxy that speaks HTTPS
        """,
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="the address to listen at (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--port",
        type=whole(0, 65535),
        metavar="P",
        help="the port to listen at, 0 for any (default: 8000, or the next that is free)",
    )
    add_database(parser)
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--secure",
        action="store_true",
        help="browsers come by HTTPS alone, through a proxy: no cookie is sent without it",
    )
    parser.add_argument(
        "--forwarded-allow-ips",
        default="",
        metavar="A,B,...",
        help="proxies whose word on who asks is believed (default: none)",
    )
    parser.add_argument(
        "--log-level",
        choices=_LEVELS,
        help="what is logged, as lines of JSON, to standard error (default: info; warning "
        "with --open)",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # The other commands need not wait until all this is loaded.
    from byzanz.tables import House  # noqa: PLC0415
    from byzanz.web.app import create_app  # noqa: PLC0415
    from byzanz.web.monitoring import configure_logging  # noqa: PLC0415
    from byzanz.web.server import Server, address, listen  # noqa: PLC0415
    from byzanz.web.settings import Settings  # noqa: PLC0415

    configure_logging(options.log_level or ("warning" if options.open else "info"))
    house = House(open_store(options))
    try:
        listening = listen(options.host, options.port)
    except OSError as error:
        why = str(error.strerror or error).partition(" (")[0]
        where = options.host if options.port is None else f"{options.host}, port {options.port}"
        raise Unusable(f"cannot listen at {where}: {why}") from None
    here = address(listening)

    def ready() -> None:
        print(f"Byzanz is served at {here} (Ctrl-C ends it)", flush=True)
        if options.open:
            Thread(target=webbrowser.open, args=[here], daemon=True).start()
        Thread(target=_warm_up, args=[house.bots], daemon=True).start()

    with listening, usable_database():
        app = create_app(house, Settings(secure=options.secure))
        server = Server(app, listening, proxies=options.forwarded_allow_ips, ready=ready)
        asyncio.run(server.run_until_stopped())
    return GOOD


def _warm_up(bots: Iterable[str]) -> None:
    """What bots think with is compiled, so that the first game need not wait for it."""
    for bot in bots:
        make_bot(bot, seed=0)
