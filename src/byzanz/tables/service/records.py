"""Records of finished tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec

from byzanz.notation import parse_action, write_record
from byzanz.notation.record import write_actions
from byzanz.rules import Deal, Game, Played, Result
from byzanz.tables.model.abandonment import votes
from byzanz.tables.model.proof import proof_data
from byzanz.tables.model.refusals import Declined, TableReason
from byzanz.tables.model.statistics import set_profit
from byzanz.tables.model.table import LogEntry, Stage, Table
from byzanz.tables.model.undo import is_undo, taken_back

_SELL = "sell "
"""The beginning of the text of every sale."""
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
    game = table.game if table.stage is Stage.ENDED else finished_game(table)
    assert game is not None  # noqa: S101 - an ended table had begun
    return write_record(game, _names(table), _extra(table, table.undone))


def record_from_log(table: Table, deal: Deal, log: Iterable[LogEntry]) -> str:
    """Return the record of a finished table from its log, without playing the game again.

    Only a tie for the win needs the game, because the cards left in the hands break it.
    """
    kept: list[LogEntry] = []
    undone = 0
    for entry in log:
        if is_undo(entry.action):
            kept = kept[
                : next(at for at, each in enumerate(kept) if taken_back(entry) == each.number)
            ]
            undone += 1
        else:
            kept.append(entry)
    actions = [(entry.seat, entry.action) for entry in kept]
    result = _result(deal, actions)
    return write_actions(deal, actions, result, _names(table), _extra(table, undone))


def _result(deal: Deal, actions: Sequence[tuple[int, str]]) -> Result:
    profits = [0] * len(deal.hands)
    for seat, action in actions:
        if action.startswith(_SELL):
            profits[seat] += set_profit(action.removeprefix(_SELL))
    best = max(profits)
    if profits.count(best) == 1:
        return Result(tuple(profits), (profits.index(best),))
    return Game.replay(deal, [Played(seat, parse_action(text)) for seat, text in actions]).result


def _names(table: Table) -> list[str]:
    return [chair.name or chair.bot or _ANONYMOUS for chair in table.chairs]


def _extra(table: Table, undone: int) -> dict[str, object]:
    extra: dict[str, object] = {
        "bots": [chair.bot for chair in table.chairs],
        "date": datetime.fromtimestamp(table.created, UTC).date().isoformat(),
        "options": msgspec.structs.asdict(table.options),
    }
    if undone:
        extra["undone"] = undone
    if table.hints:
        extra["hints"] = table.hints
    if table.origin is not None:
        extra["origin"] = {"table": table.origin, "actions": table.origin_step}
    if table.stage is Stage.ENDED:
        extra["ended"] = {"votes": list(votes(table))}
    return extra | proof_data(table)
