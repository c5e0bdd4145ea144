"""The database that a command is for, and what may be wrong with it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from .exit_codes import Unusable

if TYPE_CHECKING:
    from byzanz.tables import Store


def add_database(parser: argparse.ArgumentParser) -> None:
    """The command takes a database."""
    database = parser.add_mutually_exclusive_group()
    database.add_argument(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME (default: a file in your data folder)",
    )
    database.add_argument(
        "--data", type=Path, metavar="FOLDER", help="the folder for the database's file instead"
    )


def database_url(options: argparse.Namespace) -> str | None:
    """The address of the database that was asked for; None for the usual one."""
    if options.data is not None:
        return f"sqlite:///{options.data / 'byzanz.db'}"
    url: str | None = options.database
    return url


def open_store(options: argparse.Namespace) -> Store:
    """The store that was asked for; raises Unusable."""
    from byzanz.tables import Store  # noqa: PLC0415 (see byzanz.cli.serve)

    with known_database():
        return Store.open(database_url(options))


@contextmanager
def known_database() -> Iterator[None]:
    """What is wrong with a database's address is told in a line; raises Unusable."""
    from sqlalchemy.exc import ArgumentError  # noqa: PLC0415 (see byzanz.cli.serve)

    try:
        yield
    except (ArgumentError, ValueError) as error:
        raise Unusable(f"not a database: {error}") from None
    except OSError as error:
        raise Unusable(f"cannot use '{error.filename}': {error.strerror}") from None
    except ModuleNotFoundError:
        raise Unusable("PostgreSQL needs its driver: pip install 'byzanz[postgresql]'") from None


@contextmanager
def usable_database() -> Iterator[None]:
    """What is wrong with a database is told in a line; raises Unusable."""
    from sqlalchemy.exc import DBAPIError  # noqa: PLC0415 (see byzanz.cli.serve)

    from byzanz.tables import AlreadyServed, UnknownSchema  # noqa: PLC0415

    try:
        yield
    except (AlreadyServed, UnknownSchema) as error:
        raise Unusable(str(error)) from None
    except DBAPIError as error:
        why = str(error.orig).strip().splitlines()[0]
        raise Unusable(f"the database cannot be used: {why}") from None
