"""What a new table is to be: who sits where, and its options."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from enum import StrEnum

from byzanz.rules import SETUPS

from .reasons import Declined, TableReason

SHORTEST_THINKING = 60
LONGEST_THINKING = 14 * 24 * 3600
"""Seconds that a table may allow for a decision, at least and at most."""


class Pace(StrEnum):
    """How fast a page shows what bots do. The table itself never waits."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    INSTANT = "instant"


@dataclass(frozen=True, slots=True)
class TableOptions:
    """How a table is played. The two that redact do so for people; a bot gets its whole View."""

    listed: bool = False
    """Whether the lobby shows the table; else only who has its link finds it."""
    pace: Pace = Pace.NORMAL
    memory_aid: bool = True
    """Whether people are shown what a perfect memory would know (I6)."""
    open_profit: bool = True
    """Whether people are shown the others' profit before the end."""
    think_seconds: int | None = None
    """Time for a decision; when it is up a bot stands in. None is all the time in the world."""

    def __post_init__(self) -> None:
        seconds = self.think_seconds
        if seconds is not None and not SHORTEST_THINKING <= seconds <= LONGEST_THINKING:
            raise Declined(
                TableReason.BAD_TIME, shortest=SHORTEST_THINKING, longest=LONGEST_THINKING
            )

    def write(self) -> str:
        """The options as JSON text."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str) -> TableOptions:
        """The options that the JSON text holds."""
        found = json.loads(text)
        return cls(**{**found, "pace": Pace(found["pace"])})


@dataclass(frozen=True, slots=True)
class Open:
    """A seat for a person who joins later."""


@dataclass(frozen=True, slots=True)
class Host:
    """The seat of who creates the table."""


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat that a bot of this name plays."""

    bot: str


SeatPlan = Open | Host | BotSeat


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be: 3 to 6 seats (R2.1), one of them the host's."""

    seats: tuple[SeatPlan, ...]
    options: TableOptions = TableOptions()

    def __post_init__(self) -> None:
        hosts = sum(isinstance(seat, Host) for seat in self.seats)
        if len(self.seats) not in SETUPS or hosts != 1:
            raise Declined(TableReason.BAD_PLAN, fewest=min(SETUPS), most=max(SETUPS))
