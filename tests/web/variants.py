"""Servers with and without the extra ``server``: uvloop and httptools, or asyncio and h11."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from byzanz.web import connections, server

VARIANTS = ("plain", "fast")


@contextmanager
def variant(name: str) -> Iterator[None]:
    """Start the servers of this process without the extra (``plain``) or with it (``fast``)."""
    with pytest.MonkeyPatch.context() as patch:
        if name == "fast":
            pytest.importorskip("httptools")
        else:
            patch.setattr(connections, "_http_protocol", lambda: connections.LimitedH11)
            patch.setattr(server, "_loop_factory", lambda: None)
        yield
