"""The option that names a file with settings, shared by the server and its workers."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from .exit_codes import CommandError

if TYPE_CHECKING:
    from byzanz.web.configuration import Configuration

LOG_LEVELS = ("debug", "info", "warning", "error")


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--settings``."""
    parser.add_argument(
        "--settings",
        type=Path,
        metavar="FILE",
        help="TOML file with settings (default: byzanz/settings.toml in your configuration "
        "folder, if it exists); environment variables override it",
    )


def read_settings(
    file: Path | None, given: Mapping[str, bool] = MappingProxyType({})
) -> Configuration:
    """Read the configuration; raise CommandError if it cannot be used."""
    from byzanz.web.configuration import BadConfiguration, load  # noqa: PLC0415 (see serve.py)

    try:
        return load(file, options=given)
    except BadConfiguration as error:
        raise CommandError(str(error)) from None
