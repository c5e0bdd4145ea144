"""Taking back a decision.

Against bots alone, a player may take back their last decision at any time before the game ends.
If other people are at the table, nobody may have acted since, and no hidden card may have been
shown. In a shared deal and in a rated game, nothing can be taken back. The log keeps what was
taken back.
"""

from __future__ import annotations

from dataclasses import replace

from byzanz.rules import Game

from .play import check_playing, next_version, played_by_owner, seat_of, settle_prepared
from .refusals import Declined, TableReason
from .table import Actor, Change, LogEntry, Move, Stage, Table

_UNDO = "undo "
"""The beginning of every log entry that takes a decision back."""

_CHOSEN = (Actor.PERSON, Actor.PREPARED)
"""The actors whose actions count as decisions of a person."""


def undoable(table: Table, seat: int | None) -> int | None:
    """Return the number of the log entry that the seat can take back, or None."""
    if seat is None or table.stage is not Stage.PLAYING:
        return None
    place = _last_decision(table, seat)
    if place is None or _refusal(table, seat, place) is not None:
        return None
    return table.moves[place].number


def undo(table: Table, guest: str, number: int, now: float) -> Change:
    """Take back the last decision of the guest, and all actions after it.

    ``number`` is the number of this decision's log entry, so that a late request takes nothing else
    back.
    """
    seat = seat_of(table, guest)
    check_playing(table)
    place = _last_decision(table, seat)
    if place is None:
        raise Declined(TableReason.NOTHING_TO_UNDO)
    if table.moves[place].number != number:
        raise Declined(TableReason.STALE_DECISION)
    refusal = _refusal(table, seat, place)
    if refusal is not None:
        raise Declined(refusal)
    entry = LogEntry(table.logged, now, seat, f"{_UNDO}{number}", Actor.PERSON)
    before = take_back(table, entry)
    own = replace(played_by_owner(table.chairs[seat]), prepared=None, dropped=None, replaced=None)
    chairs = (*table.chairs[:seat], own, *table.chairs[seat + 1 :])
    settled = settle_prepared(replace(before, chairs=chairs))
    return Change(next_version(settled, now, deadline=None), entry)


def is_undo(action: str) -> bool:
    """Return whether this text of a log entry takes a decision back."""
    return action.startswith(_UNDO)


def taken_back(entry: LogEntry) -> int:
    """Return the number of the log entry that this entry takes back."""
    return int(entry.action.removeprefix(_UNDO))


def take_back(table: Table, entry: LogEntry) -> Table:
    """Return the table with the game as it was before the decision that this entry takes back.

    Numbers of decisions and sales are not reused, so that an answer to an earlier question is never
    mistaken for an answer to a later one.
    """
    if table.game is None:
        raise Declined(TableReason.NOT_STARTED)
    number = taken_back(entry)
    place = next(place for place, move in enumerate(table.moves) if move.number == number)
    game = Game.replay(table.game.deal, table.game.plays[:place])
    return replace(
        table,
        game=game,
        number=place,
        logged=entry.number + 1,
        moves=table.moves[:place],
        undone=table.undone + 1,
        undone_by=entry.seat,
        decision=table.decision + 1,
        stage=Stage.PLAYING,
    )


def _last_decision(table: Table, seat: int) -> int | None:
    places = range(len(table.moves) - 1, -1, -1)
    return next((place for place in places if _decides(table.moves[place], seat)), None)


def _decides(move: Move, seat: int) -> bool:
    return move.seat == seat and move.by in _CHOSEN


def _refusal(table: Table, seat: int, place: int) -> TableReason | None:
    """Return why the decision at this place cannot be taken back, or None."""
    if table.shared_deal is not None:
        return TableReason.NO_UNDO
    if table.options.rated:
        return TableReason.RATED
    since = table.moves[place + 1 :]
    if any(move.seat != seat and move.by in _CHOSEN for move in since):
        return TableReason.ANSWERED_SINCE
    if not table.has_other_people(seat):
        return None
    if not all(_follows(move, seat) for move in since):
        return TableReason.ANSWERED_SINCE
    if any(move.shown for move in table.moves[place:]):
        return TableReason.SHOWN_SINCE
    return None


def _follows(move: Move, seat: int) -> bool:
    """Return whether the action was forced, or played automatically for this seat."""
    return move.by is Actor.TABLE or (move.seat == seat and move.by is Actor.AUTOMATIC)
