"""Which seats of a finished game are rated, and how a game changes the ratings of people.

A table with the option ``rated`` has no hints, no odds and no undo. The ratings of bots are fixed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from byzanz.arena.bot_ratings import bot_skills
from byzanz.arena.skill import Skill, rate

from .results import place
from .table import Actor, Chair, Table

MOST_MEETINGS = 6
"""The number of rated games between the same two people that count within a day."""


class RatedSeat(NamedTuple):
    """A seat of a rated game."""

    seat: int
    guest: str | None
    """The guest who played; None for a bot, and for a guest who has been forgotten since."""
    bot: str | None
    """The bot that owns the seat."""
    place: int
    """The place at the end of the game, from 1."""
    abandoned: bool
    """Whether the guest left or a bot decided anything for them, which counts as last place."""


def rated_seats(table: Table) -> tuple[RatedSeat, ...]:
    """Return the seats of a finished game that count; none if the game is not rated.

    A seat whose owner was forgotten during the game does not count.
    """
    if table.game is None or not table.game.over or not table.options.rated:
        return ()
    if table.undone or table.hints or table.origin or table.shared_deal:
        return ()
    skills, result = bot_skills(len(table.chairs)), table.game.result
    found = []
    for seat, chair in enumerate(table.chairs):
        if chair.guest is None and chair.left:
            continue
        bot = chair.bot if chair.guest is None else None
        if chair.guest is None and bot not in skills:
            return ()
        own = RatedSeat(seat, chair.guest, bot, place(result, seat), _abandoned(table, seat, chair))
        found.append(own)
    return tuple(found) if any(seat.guest for seat in found) else ()


def _abandoned(table: Table, seat: int, chair: Chair) -> bool:
    if chair.guest is None:
        return False
    decided = any(move.seat == seat and move.by is Actor.BOT for move in table.moves)
    return chair.left or chair.bot is not None or decided


def rated_skills(seats: Sequence[RatedSeat], before: Sequence[Skill]) -> tuple[Skill, ...]:
    """Return the skills after the game, given those before it. Bots keep theirs.

    Players who finished the game are compared with each other. Players who abandoned it are
    compared with everybody, as if they were last.
    """
    after = list(before)
    finished = [at for at, seat in enumerate(seats) if not seat.abandoned]
    if len(finished) > 1:
        places = [seats[at].place for at in finished]
        for at, skill in zip(finished, rate([before[at] for at in finished], places), strict=True):
            after[at] = skill
    if len(finished) < len(seats):
        last = len(seats) + 1
        everybody = rate(before, [last if seat.abandoned else seat.place for seat in seats])
        for at, seat in enumerate(seats):
            if seat.abandoned:
                after[at] = everybody[at]
    return tuple(
        old if seat.bot is not None else new
        for seat, old, new in zip(seats, before, after, strict=True)
    )
