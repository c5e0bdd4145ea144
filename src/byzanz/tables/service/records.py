"""Records of finished tables."""

from __future__ import annotations

from datetime import UTC, datetime

import msgspec

from byzanz.notation import write_record
from byzanz.rules import Game
from byzanz.tables.model.abandonment import votes
from byzanz.tables.model.proof import proof_data
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.table import Stage, Table

_ANONYMOUS = "guest"
"""The name of a guest without a name in a record."""


def finished_game(table: Table) -> Game:
    """Return the game of a finished table; raises Declined if it is not finished."""
    if table.game is None or table.stage is not Stage.FINISHED:
        raise Declined(TableReason.NOT_FINISHED)
    return table.game


def record_of(table: Table) -> str:
    """Return the record of a finished table's game; raises Declined if it is not finished.

    The record of a game that was ended by vote has no result. Its header names the voters.
    """
    extra: dict[str, object] = {
        "bots": [chair.bot for chair in table.chairs],
        "date": datetime.fromtimestamp(table.created, UTC).date().isoformat(),
        "options": msgspec.structs.asdict(table.options),
    }
    if table.undone:
        extra["undone"] = table.undone
    if table.hints:
        extra["hints"] = table.hints
    if table.origin is not None:
        extra["origin"] = {"table": table.origin, "actions": table.origin_step}
    extra |= proof_data(table)
    names = [chair.name or chair.bot or _ANONYMOUS for chair in table.chairs]
    if table.stage is Stage.ENDED and table.game is not None:
        return write_record(table.game, names, {**extra, "ended": {"votes": list(votes(table))}})
    return write_record(finished_game(table), names, extra)
