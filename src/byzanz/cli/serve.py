"""The command ``byzanz serve``, which runs the web server."""

from __future__ import annotations

import argparse
import sys
import webbrowser
from threading import Thread, Timer
from typing import TYPE_CHECKING

from byzanz.bots import BOTS
from byzanz.terminal.compilation import prepare_bots

from .arguments import add_command, different_bots, integer
from .database_options import add_database, database_errors, open_store
from .exit_codes import OK, CommandError
from .secrets import read_secret
from .settings_options import LOG_LEVELS, add_settings, read_settings

if TYPE_CHECKING:
    import socket

    from .arguments import Commands

_COMPILE_AFTER = 5.0
"""How many seconds to wait before compiling all pages, because bots and visitors come first."""


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "serve",
        "run the web server, for games with bots and other people in the browser",
        "Serve the web pages and the JSON API until Ctrl-C. The server stores every action before "
        "it answers, and continues all games after a restart. docs/deploying.md explains how to "
        "run a public server and how to change its settings.",
        """
        byzanz serve --open                  play on this machine
        byzanz serve --host 0.0.0.0          allow other machines on the network to connect
        byzanz serve --bots py:mybot.py:MyBot    offer a bot of your own
        byzanz serve --show-settings > byzanz.toml
        byzanz serve --settings byzanz.toml  use the settings in this file
        byzanz serve --database postgresql://byzanz@localhost/byzanz --secure \\
            --forwarded-allow-ips 127.0.0.1  run behind an HTTPS proxy
        byzanz serve --database postgresql://byzanz@localhost/byzanz --workers 4
        """,
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)"
    )
    parser.add_argument(
        "--port",
        type=integer(0, 65535),
        metavar="P",
        help="port to listen on; 0 for any free port (default: the first free port from 8000 on)",
    )
    parser.add_argument(
        "--workers",
        type=integer(1, 256),
        default=1,
        metavar="N",
        help="number of server processes on this port; more than 1 needs PostgreSQL (default: 1). "
        "SIGHUP restarts them one after another",
    )
    parser.add_argument("--inherited-socket", type=int, help=argparse.SUPPRESS)
    add_database(parser)
    parser.add_argument(
        "--bots",
        type=different_bots,
        default=(),
        metavar="A,B,...",
        help="more bots that people can choose as opponents: py:FILE.py:CLASS, cmd:COMMAND, "
        "net:FILE, or the name of a bot from an installed package; players see each entry as the "
        "bot's name",
    )
    parser.add_argument("--open", action="store_true", help="open the page in a browser")
    parser.add_argument(
        "--secure",
        action="store_true",
        default=None,
        help="for a server behind an HTTPS proxy: send cookies over HTTPS only",
    )
    parser.add_argument(
        "--forwarded-allow-ips",
        default="",
        metavar="A,B,...",
        help="trusted proxies, whose X-Forwarded-For header is used (default: none)",
    )
    parser.add_argument(
        "--log-level",
        choices=LOG_LEVELS,
        help="lowest level to log, as lines of JSON on standard error (default: info; "
        "warning with --open)",
    )
    add_settings(parser)
    parser.add_argument(
        "--show-settings",
        action="store_true",
        help="print all settings as a TOML file that explains them, and exit",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here so that the other commands start faster.
    from byzanz.tables import TableService  # noqa: PLC0415
    from byzanz.web import workers  # noqa: PLC0415
    from byzanz.web.app import create_app  # noqa: PLC0415
    from byzanz.web.monitoring import configure_logging  # noqa: PLC0415
    from byzanz.web.rendering import compile_pages  # noqa: PLC0415
    from byzanz.web.server import Server, address, run  # noqa: PLC0415

    given = {} if options.secure is None else {"secure": options.secure}
    configuration = read_settings(options.settings, given)
    if options.show_settings:
        print(configuration.to_toml(), end="")
        return OK
    configure_logging(options.log_level or ("warning" if options.open else "info"))
    bots = tuple(dict.fromkeys((*BOTS, *options.bots)))
    store = open_store(options)
    _check_workers(options.workers, sharable=store.sharable)
    child = options.inherited_socket is not None
    may_compile = None
    if child:
        listening, may_compile = workers.inherited(options.inherited_socket)
    else:
        listening = _listening(options)
    url = address(listening)

    def announce() -> None:
        print(f"Byzanz is running at {url} (press Ctrl-C to stop)", flush=True)
        if options.open:
            Thread(target=webbrowser.open, args=[url], daemon=True).start()

    if options.workers > 1 and not child:
        command = [sys.executable, "-m", "byzanz", *sys.argv[1:], "--inherited-socket"]
        with listening:
            return workers.Workers(command, listening, options.workers, announce).run()

    def prepare() -> None:
        if may_compile is not None:
            may_compile.wait()
        prepare_bots(service.bots)
        if child:
            print(workers.COMPILED, end="", flush=True)

    def ready() -> None:
        if child:
            print(workers.READY, end="", flush=True)
        else:
            announce()
        Thread(target=prepare, daemon=True).start()
        compiling = Timer(_COMPILE_AFTER, compile_pages)
        compiling.daemon = True
        compiling.start()

    service = TableService(store, bots=bots, limits=configuration.limits)
    with listening, database_errors():
        password = read_secret("BYZANZ_SMTP_PASSWORD") or ""
        app = create_app(service, configuration.settings, smtp_password=password)
        server = Server(app, listening, proxies=options.forwarded_allow_ips, ready=ready)
        run(server)
    return OK


def _listening(options: argparse.Namespace) -> socket.socket:
    """Return a listening socket; raise CommandError if the address or port cannot be used."""
    from byzanz.web.server import listen  # noqa: PLC0415

    try:
        return listen(options.host, options.port)
    except OSError as error:
        why = str(error.strerror or error).partition(" (")[0]
        where = options.host if options.port is None else f"{options.host}, port {options.port}"
        raise CommandError(f"cannot listen on {where}: {why}") from None


def _check_workers(number: int, *, sharable: bool) -> None:
    """Raise CommandError if this number of processes cannot serve the database."""
    from byzanz.web.workers import is_possible  # noqa: PLC0415

    if number > 1 and not sharable:
        raise CommandError(
            f"--workers {number} needs PostgreSQL: one process at a time can serve a SQLite file"
        )
    if number > 1 and not is_possible():
        raise CommandError("--workers needs an operating system other than Windows")
