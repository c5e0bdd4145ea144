"""Aids for people at a table: hints and odds. The options of a table say who may use them."""

from __future__ import annotations

from dataclasses import replace

from byzanz.rules import View

from .plan import Aid
from .play import check_playing, next_version, seat_of, with_chair
from .refusals import Declined, TableReason
from .table import Change, Stage, Table


def can_use(table: Table, seat: int | None, aid: Aid) -> bool:
    """Return whether the player of this seat may use an aid with this option.

    Hints and odds use everything that a perfect memory would know. If the table hides some of it,
    or if other people play, only ``Aid.ALWAYS`` allows them. In a shared deal and in a rated game,
    nobody has them.
    """
    if seat is None or table.stage is not Stage.PLAYING or aid is Aid.NEVER:
        return False
    if table.shared_deal is not None or table.options.rated:
        return False
    hides = not (table.options.memory_aid and table.options.open_profit)
    return aid is Aid.ALWAYS or not (hides or table.has_other_people(seat))


def view_for_odds(table: Table, guest: str) -> View:
    """Return the view from which the guest's odds are computed; raises Declined if not allowed."""
    seat = seat_of(table, guest)
    check_playing(table)
    if not can_use(table, seat, table.options.odds):
        raise Declined(TableReason.NO_ODDS)
    return _view(table, seat)


def view_for_hint(table: Table, guest: str, decision: int | None = None) -> View:
    """Return the view from which the guest's hint is computed; raises Declined if not allowed.

    If ``decision`` is given, the table must still be waiting for it.
    """
    seat = seat_of(table, guest)
    check_playing(table)
    if not can_use(table, seat, table.options.hints):
        raise Declined(TableReason.NO_HINTS)
    if decision is not None and decision != table.decision:
        raise Declined(TableReason.STALE_DECISION)
    if seat not in table.waiting_for or not table.chairs[seat].by_owner:
        raise Declined(TableReason.NOTHING_TO_DECIDE)
    return _view(table, seat)


def count_hint(table: Table, guest: str, seen: Table, now: float) -> Change:
    """Count a hint for the guest; raises Declined if their decision is not that of ``seen``."""
    view_for_hint(table, guest, seen.decision)
    seat = seat_of(table, guest)
    if table.sales[seat] != seen.sales[seat]:
        raise Declined(TableReason.STALE_DECISION)
    chair = table.chairs[seat]
    chairs = with_chair(table, seat, replace(chair, hints=chair.hints + 1))
    return Change(next_version(table, now, chairs=chairs, undone_by=None))


def _view(table: Table, seat: int) -> View:
    if table.game is None:
        raise Declined(TableReason.NOT_STARTED)
    return table.game.view(seat)
