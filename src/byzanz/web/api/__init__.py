"""The JSON API: the same commands and views as the pages', for other programs.

What it takes and gives are msgspec types, read strictly; from them and the operations comes the
OpenAPI document. Like the pages it imports :mod:`byzanz.tables` and below, and of a table it
sends nothing but what a Sight holds.
"""

from .routing import OPERATIONS, routes

__all__ = ["OPERATIONS", "routes"]
