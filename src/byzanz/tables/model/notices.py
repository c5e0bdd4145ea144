"""Notices: what an absent person may be told about a table.

A notice has a kind and an occasion. The occasion is a number that stays the same until there is
something new to tell. Both follow from the table alone, so that nothing is lost or told twice after
a restart.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple
from zlib import crc32

from byzanz.rules import Done, Phase, Played, Sell

from .table import Chair, Stage, Table

_BEGUN = 1
"""The occasion of the notice that a game has begun. Notices before that have other occasions."""


class NoticeKind(StrEnum):
    """The kind of a notice."""

    TURN = "turn"
    """The table waits for the person's decision."""
    FULL = "full"
    """Every seat of the host's table is taken, or the game has begun."""
    REMATCH = "rematch"
    """The person is invited to a rematch, or it has begun."""


class Notice(NamedTuple):
    """Something that a guest may be told about a table."""

    guest: str
    kind: NoticeKind
    occasion: int


def notices(table: Table, least_seconds: float) -> tuple[Notice, ...]:
    """Return what each person at the table may be told now.

    Tables with only one person have no notices. Tables with less than ``least_seconds`` per
    decision have no notices about turns.
    """
    people = [chair for chair in table.chairs if chair.guest is not None and not chair.left]
    if len(people) < 2 or table.stage not in (Stage.OPEN, Stage.PLAYING):
        return ()
    if table.stage is Stage.OPEN:
        return _before_the_game(table, people)
    return (*_begun(table, people), *_turns(table, least_seconds))


def _before_the_game(table: Table, people: list[Chair]) -> tuple[Notice, ...]:
    found = [
        Notice(chair.guest, NoticeKind.REMATCH, 0)
        for chair in people
        if chair.guest is not None and chair.invited
    ]
    if table.is_complete and table.host is not None:
        seated = " ".join(sorted(chair.guest or "" for chair in people))
        found.append(Notice(table.host, NoticeKind.FULL, 2 + (crc32(seated.encode()) >> 2)))
    return tuple(found)


def _begun(table: Table, people: list[Chair]) -> tuple[Notice, ...]:
    """Return the notices that the game has begun, for everybody who need not act at once."""
    if table.number:
        return ()
    kind = NoticeKind.FULL if table.follows is None else NoticeKind.REMATCH
    acting = {table.chairs[seat].guest for seat in table.waiting_for}
    return tuple(
        Notice(chair.guest, kind, _BEGUN)
        for chair in people
        if chair.guest is not None and chair.guest not in acting
    )


def _turns(table: Table, least_seconds: float) -> tuple[Notice, ...]:
    thinking = table.options.think_seconds
    if thinking is not None and thinking < least_seconds:
        return ()
    return tuple(
        Notice(guest, NoticeKind.TURN, _turn_began(table, seat))
        for seat in table.waiting_for
        if table.chairs[seat].by_owner and (guest := table.chairs[seat].guest) is not None
    )


def _turn_began(table: Table, seat: int) -> int:
    """Return the number of actions before the seat's turn.

    Neither the seat's own actions nor other seats' sales begin a new turn.
    """
    began = table.number
    game = table.game
    if game is None:
        return began
    sales = (Sell, Done) if game.state.phase is Phase.FINAL_SALE else (Sell,)
    for event in reversed(game.course):
        if isinstance(event, Played):
            if event.seat != seat and not isinstance(event.action, sales):
                return began
            began -= 1
    return 0
