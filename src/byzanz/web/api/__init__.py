"""The JSON API: the commands and views of the pages, for other programs.

Requests and responses are msgspec types, and requests are read strictly. The OpenAPI document is
made from these types and the operations. The state of a table is sent only as a
:class:`~byzanz.tables.TableView`.
"""

from .routing import OPERATIONS, routes

__all__ = ["OPERATIONS", "routes"]
