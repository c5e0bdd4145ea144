"""Abandoned games: who counts as gone, and the vote of the others to end the game."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from .play import check_playing, next_version, seat_of, with_chair
from .refusals import Declined, TableReason
from .table import Replaced, Stage, Table


def gone_seats(
    table: Table, *, present: Collection[str], quiet: Collection[str], overdue: bool
) -> frozenset[int]:
    """Return the seats of people who have abandoned the game.

    ``present`` are the people who have used the table recently, and ``quiet`` those who have not
    used it for a long time. ``overdue`` is true if the table has waited for a long time.

    A person who left for good is gone. With a time limit, people are gone if their time was up and
    they have not come back. Otherwise they are gone if they are quiet, or if they are not present
    and the table has waited for their decision for a long time. A rated game cannot be abandoned.
    """
    if table.stage is not Stage.PLAYING or table.options.rated:  # a rated game cannot be abandoned
        return frozenset()
    gone = set()
    for seat, chair in enumerate(table.chairs):
        if chair.guest is None:
            continue
        if chair.left:
            gone.add(seat)
        elif chair.guest in present:
            continue
        elif table.options.think_seconds is not None:
            if chair.standing_in and chair.replaced is Replaced.TIME:
                gone.add(seat)
        elif chair.guest in quiet or (overdue and chair.bot is None and seat in table.waiting_for):
            gone.add(seat)
    return frozenset(gone)


def vote_to_end(
    table: Table, guest: str, gone: frozenset[int], now: float, *, wants: bool = True
) -> Table:
    """Store the guest's vote to end the abandoned game, or withdraw it.

    The game ends when everybody who is not gone has voted. A majority is not enough.
    """
    seat = seat_of(table, guest)
    check_playing(table)
    others = gone - {seat}
    if wants and not others:
        raise Declined(TableReason.NOT_ABANDONED)
    chair = table.chairs[seat]
    if chair.votes_end == wants and not (wants and _agreed(table, others)):
        return table
    chairs = with_chair(table, seat, replace(chair, votes_end=wants))
    # A vote does not change ``active``, which tells how long the table has waited.
    voted = next_version(table, table.active, chairs=chairs)
    if not wants or not _agreed(voted, others):
        return voted
    return next_version(table, now, chairs=chairs, stage=Stage.ENDED)


def votes(table: Table) -> tuple[int, ...]:
    """Return the seats whose owners have voted to end the game."""
    return tuple(seat for seat, chair in enumerate(table.chairs) if chair.votes_end)


def _agreed(table: Table, gone: frozenset[int]) -> bool:
    """Return whether everybody who is not gone has voted."""
    people = [
        (seat, chair) for seat, chair in enumerate(table.chairs) if chair.guest and not chair.left
    ]
    return all(chair.votes_end for seat, chair in people if seat not in gone)
