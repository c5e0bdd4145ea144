"""The ``byzanz`` command and its subcommands, one module each.

A subcommand is a module whose function ``add(commands)`` describes its arguments and names the
function that runs it. :data:`byzanz.cli.main.COMMANDS` lists these modules. This package may import
all others; none imports it.
"""

from .main import main

__all__ = ["main"]
