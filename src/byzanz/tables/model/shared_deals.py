"""Shared deals: one deal that many guests play, each at a table of their own.

All of them have the same seat and the same bots. The bots' random numbers are fixed, so that the
same play leads to the same game.
"""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

from byzanz.bots import BOTS, LEVELS
from byzanz.coach.level import mixed_table
from byzanz.rules import Deal

from .plan import BotSeat, Host, NewTable, SeatPlan
from .refusals import Declined, TableReason

OLDEST_DAYS = 366
"""The number of days for which the deal of a day can be played."""
DAILY_PLAYERS = 4

_UNSTEADY_BOTS = frozenset(("random", "strategist", "emperor", LEVELS[-1]))
"""Built-in bots whose play depends on time: they think for a fixed time, or sell out of turn."""


@dataclass(frozen=True, slots=True)
class SharedDeal:
    """A deal that many guests play. Its cards follow from its id and a secret of the server."""

    id: str
    """The date of a deal of the day, such as 2026-11-18; otherwise an id that nobody can guess."""
    created: float
    seat: int
    """The seat that every guest plays."""
    bots: tuple[str, ...]
    """The bots of the other seats, in their order."""
    host: str | None = None
    """The guest who made it; None for a deal of the day."""

    @property
    def is_daily(self) -> bool:
        """Whether it is the deal of a day."""
        return is_day(self.id)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.bots) + 1

    @property
    def plan(self) -> NewTable:
        """The plan of each table that plays the deal."""
        seats: list[SeatPlan] = [BotSeat(bot) for bot in self.bots]
        return NewTable((*seats[: self.seat], Host(), *seats[self.seat :]))


class Standing(Struct, frozen=True, kw_only=True):
    """Where a guest stands in a shared deal. Only guests who have finished it get the results."""

    deal: str
    players: int
    seat: int
    bots: tuple[str, ...]
    finished_by: int
    """The number of guests who are compared and have finished the deal."""
    table: str | None = None
    """The guest's own table; None if they have not begun."""
    ranked: bool = False
    """Whether the guest's try is compared with the others; late tries at a daily deal are not."""
    finished: bool = False
    left: bool = False
    """Whether the guest left the table for good, which ends their try without a result."""
    profit: int | None = None
    place: int | None = None
    """The guest's place at their own table."""
    profits: tuple[int, ...] | None = None
    """The profits of all who are compared, highest first; None until the guest has finished."""

    @property
    def rank(self) -> int | None:
        """The guest's rank by profit among all, from 1; None until they have finished."""
        if self.profits is None or self.profit is None:
            return None
        return 1 + sum(other > self.profit for other in self.profits)

    @property
    def beaten(self) -> float | None:
        """The share of the others who have a lower profit.

        None if there are no others, or until the guest has finished.
        """
        if self.profits is None or self.profit is None:
            return None
        others = len(self.profits) - self.ranked
        below = sum(other < self.profit for other in self.profits)
        return below / others if others else None


def is_day(text: str) -> bool:
    """Return whether the text is a date such as 2026-11-18."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def day_of(now: float) -> str:
    """Return the day of a time in seconds since 1970; days change at midnight UTC."""
    return datetime.fromtimestamp(now, UTC).date().isoformat()


def days_before(day: str, count: int) -> tuple[str, ...]:
    """Return the days before this one, newest first."""
    return tuple(
        (date.fromisoformat(day) - timedelta(back)).isoformat() for back in range(1, count + 1)
    )


def daily_deal(day: str, bots: Sequence[str], secret: str, now: float) -> SharedDeal:
    """Return the deal of a day; raises Declined for a day in the future or too long ago.

    The opponents become stronger from Monday to Sunday.
    """
    today = date.fromisoformat(day_of(now))
    if not is_day(day) or not timedelta(0) <= today - date.fromisoformat(day) < timedelta(
        OLDEST_DAYS
    ):
        raise Declined(TableReason.NO_SUCH_DEAL)
    weekday, others = date.fromisoformat(day).weekday(), DAILY_PLAYERS - 1
    if set(LEVELS) <= set(bots):
        playing = mixed_table(LEVELS[weekday + 1], others)
    else:
        steady = steady_bots(bots) or tuple(bots)
        playing = (steady[weekday % len(steady)],) * others
    return SharedDeal(day, now, _words(secret, day)[2] % DAILY_PLAYERS, playing)


def steady_bots(bots: Sequence[str]) -> tuple[str, ...]:
    """Return the built-in bots among these whose play does not depend on time."""
    return tuple(bot for bot in bots if bot in BOTS and bot not in _UNSTEADY_BOTS)


def dealt(deal: SharedDeal, secret: str) -> tuple[Deal, int]:
    """Return the cards of a shared deal, and the seed of its bots."""
    cards, chance, _ = _words(secret, deal.id)
    return Deal.from_seed(deal.players, cards), chance


def _words(secret: str, name: str) -> tuple[int, int, int]:
    """Return three numbers of 64 bits that nobody can guess without the secret."""
    digest = hmac.digest(secret.encode(), name.encode(), "sha256")
    first, second, third = [int.from_bytes(digest[at : at + 8]) for at in (0, 8, 16)]
    return first, second, third
