"""The door: ``byzanz`` and its commands, a file each. Nothing imports it.

A command is a module with ``add(commands)``, which describes its arguments and names the function
that runs it, and a line in :data:`byzanz.cli.main.COMMANDS`. This room may import every other.
"""

from .main import main

__all__ = ["main"]
