"""The options that choose a database, and error messages about databases."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import extra_hint
from .exit_codes import CommandError
from .secrets import read_secret

if TYPE_CHECKING:
    from byzanz.tables import Store


_PASSWORD = re.compile(r"[^/]*://[^/@]*:[^/@]+@")
"""A pattern for a URL that contains a password."""

VARIABLE, FILE_VARIABLE = "BYZANZ_DATABASE", "BYZANZ_DATABASE_FILE"
"""The environment variables for the database's URL and for the name of a file that contains it."""


def add_database(parser: argparse.ArgumentParser, *, sqlite: bool = True) -> None:
    """Add the options ``--database`` and ``--data``.

    The help does not name SQLite databases if the command refuses them.
    """
    names = "postgresql://USER@HOST/NAME"
    default = (
        "the environment variable BYZANZ_DATABASE, or the content of the file that "
        "BYZANZ_DATABASE_FILE names"
    )
    if sqlite:
        names, default = f"sqlite:///FILE or {names}", f"{default}, or a file in your data folder"
    database = parser.add_mutually_exclusive_group()
    database.add_argument(
        "--database",
        metavar="URL",
        help=f"{names} (default: {default}); other users of this machine can see command lines, so "
        "do not put a password into the URL",
    )
    database.add_argument(
        "--data",
        type=Path,
        metavar="FOLDER",
        help="folder of the SQLite database, instead of --database"
        if sqlite
        else argparse.SUPPRESS,
    )


def database_url(options: argparse.Namespace) -> str | None:
    """Return the URL of the database that the options or the environment name, or None."""
    if options.data is not None:
        return f"sqlite:///{options.data / 'byzanz.db'}"
    url: str | None = options.database
    if url is None:
        return read_secret(VARIABLE)
    if _PASSWORD.match(url):
        print(
            "byzanz: other users of this machine can see the password in --database; "
            f"use {VARIABLE} or {FILE_VARIABLE}",
            file=sys.stderr,
        )
    return url


def open_store(options: argparse.Namespace) -> Store:
    """Open the database that the options name; raises CommandError."""
    from byzanz.tables import Store  # noqa: PLC0415 (see byzanz.cli.serve)

    with address_errors():
        return Store.open(database_url(options))


@contextmanager
def address_errors() -> Iterator[None]:
    """Turn an error in a database's address into a CommandError."""
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 (see byzanz.cli.serve)

    try:
        yield
    except (ArgumentError, ValueError) as error:
        raise CommandError(f"not a database: {error}") from None
    except OSError as error:
        raise CommandError(f"cannot use '{error.filename}': {error.strerror}") from None
    except ModuleNotFoundError:
        raise CommandError(f"PostgreSQL needs a driver; {extra_hint('postgresql')}") from None


@contextmanager
def database_errors() -> Iterator[None]:
    """Raise CommandError if a database cannot be used."""
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 (see byzanz.cli.serve)

    from byzanz.tables import AlreadyServed, UnknownSchema  # noqa: PLC0415

    try:
        yield
    except (AlreadyServed, UnknownSchema) as error:
        raise CommandError(str(error)) from None
    except ModuleNotFoundError as error:
        if error.name != "procrastinate":
            raise
        hint = extra_hint("postgresql")
        raise CommandError(f"PostgreSQL needs the package procrastinate; {hint}") from None
    except DBAPIError as error:
        why = str(error.orig).strip().splitlines()[0]
        raise CommandError(f"the database cannot be used: {why}") from None
