"""The command ``byzanz worker``, which runs background jobs for servers that use PostgreSQL."""

from __future__ import annotations

import argparse
import asyncio
from typing import TYPE_CHECKING

from .arguments import add_command, integer
from .database_options import add_database, database_errors, open_store
from .exit_codes import OK, CommandError
from .secrets import read_secret
from .settings_options import LOG_LEVELS, add_settings, read_settings

if TYPE_CHECKING:
    from .arguments import Commands


def add(commands: Commands) -> None:
    """Add the command to the parser."""
    parser = add_command(
        commands,
        "worker",
        "run background jobs for a server: reviews, notifications and clean-ups",
        "Run background jobs for servers that use PostgreSQL, until Ctrl-C. You can start any "
        "number of workers, on any number of machines; they share the jobs. If a worker is killed, "
        "another process runs its jobs. A server runs jobs as well, unless its setting "
        "jobs_in_server is false. Workers need the same settings and passwords as the server. "
        "docs/deploying.md explains more.",
        """
        byzanz worker --database postgresql://byzanz@localhost/byzanz
        byzanz worker --settings byzanz.toml --metrics-port 9100
        """,
    )
    add_database(parser, sqlite=False)
    add_settings(parser)
    parser.add_argument(
        "--log-level",
        choices=LOG_LEVELS,
        default="info",
        help="lowest level to log, as lines of JSON on standard error (default: info)",
    )
    parser.add_argument(
        "--metrics-port",
        type=integer(0, 65535),
        metavar="P",
        help="port at which Prometheus can read metrics; 0 for any free port (default: none)",
    )
    parser.add_argument(
        "--metrics-host",
        default="127.0.0.1",
        metavar="HOST",
        help="address to listen on for --metrics-port (default: 127.0.0.1)",
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    # Imported here so that the other commands start faster.
    from byzanz.tables import TableService  # noqa: PLC0415
    from byzanz.web.job_worker import JobWorker  # noqa: PLC0415
    from byzanz.web.monitoring import configure_logging  # noqa: PLC0415

    configuration = read_settings(options.settings)
    configure_logging(options.log_level)
    store = open_store(options)
    if not store.sharable:
        raise CommandError(
            "a worker needs PostgreSQL: the server itself does the jobs of a SQLite database"
        )
    service = TableService(store, limits=configuration.limits, serves=False)
    password = read_secret("BYZANZ_SMTP_PASSWORD") or ""
    worker = JobWorker(service, configuration.settings, smtp_password=password)
    if options.metrics_port is not None:
        try:
            url = worker.serve_metrics(options.metrics_host, options.metrics_port)
        except OSError as error:
            where = f"{options.metrics_host}, port {options.metrics_port}"
            raise CommandError(f"cannot listen on {where}: {error.strerror or error}") from None
        print(f"Metrics are at {url}", flush=True)

    def ready() -> None:
        print("The worker is waiting for jobs (press Ctrl-C to stop)", flush=True)

    with database_errors():
        asyncio.run(worker.run_until_stopped(ready))
    return OK
