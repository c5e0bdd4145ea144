"""The formats of files of records, recognised by their first bytes."""

from __future__ import annotations

GZIP, ZSTANDARD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"
"""The first bytes of files compressed with gzip and with Zstandard."""

BINARY = b"\x89BYZANZ\n"
"""The first bytes of a file of games in binary format (``docs/datasets.md``)."""


def is_plain(start: bytes) -> bool:
    """Return whether a file that begins with these bytes is plain text."""
    return not start.startswith((GZIP, ZSTANDARD, BINARY))
