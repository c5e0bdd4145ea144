"""The command ``byzanz serve``, which runs the web server."""

from __future__ import annotations

import argparse
import webbrowser
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from byzanz.bots import BOTS
from byzanz.terminal.compilation import prepare_bots

from .arguments import add_command, different_bots, integer
from .database_options import add_database, database_errors, open_store
from .exit_codes import OK, CommandError

if TYPE_CHECKING:
    from byzanz.web.configuration import Configuration

    from .arguments import Commands

_LEVELS = ("debug", "info", "warning", "error")


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
    add_database(parser)
    parser.add_argument(
        "--bots",
        type=different_bots,
        default=(),
        metavar="A,B,...",
        help="more bots that people can choose as opponents: py:FILE.py:CLASS, cmd:COMMAND, "
        "net:FILE or bots of installed packages; everybody can see this text",
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
        choices=_LEVELS,
        help="lowest level to log, as lines of JSON on standard error (default: info; "
        "warning with --open)",
    )
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="TOML file with settings (default: byzanz/settings.toml in your configuration "
        "folder, if it exists); environment variables override it",
    )
    parser.add_argument(
        "--show-settings",
        action="store_true",
        help="print all settings as a TOML file that explains them, and exit",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here so that the other commands start faster.
    from byzanz.tables import TableService  # noqa: PLC0415
    from byzanz.web.app import create_app  # noqa: PLC0415
    from byzanz.web.monitoring import configure_logging  # noqa: PLC0415
    from byzanz.web.server import Server, address, listen, run  # noqa: PLC0415

    configuration = _configuration(options)
    if options.show_settings:
        print(configuration.to_toml(), end="")
        return OK
    configure_logging(options.log_level or ("warning" if options.open else "info"))
    bots = tuple(dict.fromkeys((*BOTS, *options.bots)))
    service = TableService(open_store(options), bots=bots, limits=configuration.limits)
    try:
        listening = listen(options.host, options.port)
    except OSError as error:
        why = str(error.strerror or error).partition(" (")[0]
        where = options.host if options.port is None else f"{options.host}, port {options.port}"
        raise CommandError(f"cannot listen on {where}: {why}") from None
    url = address(listening)

    def ready() -> None:
        print(f"Byzanz is running at {url} (press Ctrl-C to stop)", flush=True)
        if options.open:
            Thread(target=webbrowser.open, args=[url], daemon=True).start()
        Thread(target=prepare_bots, args=[service.bots], daemon=True).start()

    with listening, database_errors():
        app = create_app(service, configuration.settings)
        server = Server(app, listening, proxies=options.forwarded_allow_ips, ready=ready)
        run(server)
    return OK


def _configuration(options: argparse.Namespace) -> Configuration:
    """Read the configuration; raise CommandError if it cannot be used."""
    from byzanz.web.configuration import BadConfiguration, load  # noqa: PLC0415

    given = {} if options.secure is None else {"secure": options.secure}
    try:
        return load(options.settings, options=given)
    except BadConfiguration as error:
        raise CommandError(str(error)) from None
