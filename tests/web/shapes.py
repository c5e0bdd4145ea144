"""Checks that JSON has the shape that the API's types describe."""

from __future__ import annotations

from typing import Any

import msgspec

from byzanz.tables import VisibleGame
from byzanz.web.api import schema


class _ReadGame(VisibleGame):
    """A game as read from JSON, by the struct that describes it."""

    def __init__(self, data: Any) -> None:
        self.data = msgspec.convert(data, schema.CUSTOM_TYPES[VisibleGame])


def check_shape(value: Any, kind: Any) -> None:
    """Assert that the value has exactly the keys that the type describes."""
    read = msgspec.convert(value, kind, dec_hook=lambda _, data: _ReadGame(data))
    text = msgspec.json.encode(read, enc_hook=lambda game: game.data)
    assert msgspec.json.decode(text) == value
