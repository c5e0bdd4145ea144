"""The JSON that the API sends."""

from __future__ import annotations

from typing import Any

import msgspec

from byzanz.notation import view_data
from byzanz.tables import VisibleGame


def encode(value: Any) -> bytes:
    """Return the value as JSON."""
    return _ENCODER.encode(value)


def game_data(game: VisibleGame) -> dict[str, Any]:
    """Return a game as :class:`byzanz.web.api.schema.GameView` describes it.

    Everything that the table's options hide is null.
    """
    data = view_data(game.view, course=True)
    if not game.complete:
        # Position and pool are derived from the whole view; from a part of it they would be wrong.
        data |= {"position": None, "pool": None, "gone": None}
    for number, seat in enumerate(data["seats"]):
        seat["sets_sold"] = game.sets_sold[number]
        if game.profit(number) is None:
            seat |= {"kept": None, "profit": None}
    return data


def _encode_custom(value: object) -> Any:
    if isinstance(value, VisibleGame):
        return game_data(value)
    raise NotImplementedError(f"{type(value).__name__} has no JSON form")


_ENCODER = msgspec.json.Encoder(enc_hook=_encode_custom)
