"""Playing an action at a table, and what every change of a table has in common."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from byzanz.rules import Action, Done, Sell

from .prepared import settle
from .refusals import Declined, TableReason
from .table import Actor, Chair, Change, LogEntry, Move, Stage, Table


def play(table: Table, seat: int, action: Action) -> Table:
    """Play the action and change nothing else; raises IllegalAction if the rules refuse it."""
    if table.game is None:
        raise Declined(TableReason.NOT_STARTED)
    before = table.game.state
    game = table.game.play(seat, action)
    sales = table.sales
    if isinstance(action, Sell):
        sales = (*sales[:seat], sales[seat] + 1, *sales[seat + 1 :])
        answered = (before.phase, before.turn) != (game.state.phase, game.state.turn)
    else:
        # Seats finish the final sale in any order (I8): one seat's "done" does not make the
        # pending answers of the others stale.
        answered = not isinstance(action, Done)
    return replace(
        table,
        game=game,
        number=table.number + 1,
        decision=table.decision + answered,
        sales=sales,
        stage=Stage.FINISHED if game.over else table.stage,
    )


def log(table: Table, played: Table, entry: LogEntry) -> Change:
    """Return the change for an action. Prepared answers that no longer fit are dropped.

    The table gets a new deadline if it now waits for another decision.
    """
    noted = settle_prepared(note(table, played, entry.number, entry.seat, entry.by))
    same = played.decision == table.decision
    return Change(next_version(noted, entry.at, deadline=table.deadline if same else None), entry)


def note(table: Table, played: Table, number: int, seat: int, by: Actor) -> Table:
    """Return the table after an action, with the facts that decide whether it can be taken back."""
    if table.game is None or played.game is None:
        raise Declined(TableReason.NOT_STARTED)
    before, after = table.game.state, played.game.state
    shown = (
        len(after.deck) < len(before.deck)
        or after.players[seat].hidden != before.players[seat].hidden
    )
    move = Move(number, seat, by, shown)
    return replace(played, logged=number + 1, moves=(*table.moves, move), undone_by=None)


def settle_prepared(table: Table) -> Table:
    """Drop every prepared answer that no longer fits, and note why."""
    if table.game is None or not any(chair.prepared for chair in table.chairs):
        return table
    chairs = list(table.chairs)
    for seat, chair in enumerate(table.chairs):
        if chair.prepared is not None:
            kept, dropped = settle(chair.prepared, table.game.state, seat)
            if kept is None:
                chairs[seat] = replace(chair, prepared=None, dropped=dropped)
    return replace(table, chairs=tuple(chairs))


def next_version(table: Table, now: float, **changes: Any) -> Table:
    """Return the changed table with the next version.

    With a time limit, the table has a deadline if it waits for a person's decision.
    """
    new = replace(table, **{"version": table.version + 1, "active": now, **changes})
    seconds = new.options.think_seconds
    if seconds is None or all(new.chairs[seat].bot for seat in new.waiting_for):
        return replace(new, deadline=None)
    return new if new.deadline is not None else replace(new, deadline=now + seconds)


def with_chair(table: Table, seat: int, chair: Chair) -> tuple[Chair, ...]:
    """Return the table's chairs, with the chair of this seat replaced."""
    return (*table.chairs[:seat], chair, *table.chairs[seat + 1 :])


def played_by_owner(chair: Chair) -> Chair:
    """Return the chair without a stand-in."""
    return replace(chair, bot=None, standing_in=False)


def without_votes(chairs: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """Return the chairs without their votes to end the game."""
    if not any(chair.votes_end for chair in chairs):
        return chairs
    return tuple(replace(chair, votes_end=False) for chair in chairs)


def seat_of(table: Table, guest: str) -> int:
    """Return the guest's seat; raises Declined if there is none."""
    seat = table.seat_of(guest)
    if seat is None:
        raise Declined(TableReason.NOT_YOUR_SEAT)
    return seat


def check_playing(table: Table) -> None:
    """Raise Declined unless the game is in play."""
    check_not_ended(table)
    if table.stage is Stage.OPEN:
        raise Declined(TableReason.NOT_STARTED)


def check_not_ended(table: Table) -> None:
    """Raise Declined if the game is finished or was ended by vote, or the table has expired."""
    if table.stage is Stage.EXPIRED:
        raise Declined(TableReason.EXPIRED)
    if table.stage is Stage.ENDED:
        raise Declined(TableReason.ENDED)
    if table.stage is Stage.FINISHED:
        raise Declined(TableReason.FINISHED)
