"""The plan for a new table: its seats and its options."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from byzanz.arena.bot_ratings import bot_skills
from byzanz.rules import SETUPS

from .refusals import Declined, TableReason

SHORTEST_THINKING = 60
LONGEST_THINKING = 14 * 24 * 3600
"""The shortest and the longest time limit for a decision, in seconds."""


class Pace(StrEnum):
    """How fast a page shows the moves of bots. The table itself never waits."""

    SLOW = "slow"
    NORMAL = "normal"
    FAST = "fast"
    INSTANT = "instant"


class Aid(StrEnum):
    """When people may use an aid: hints or odds."""

    BOTS = "bots"
    """Against bots alone, at a table that hides nothing from people."""
    ALWAYS = "always"
    """At any time, even if the other options hide what the aid uses."""
    NEVER = "never"


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table. They restrict what people see; a bot always gets its whole view."""

    listed: bool = False
    """Whether the lobby shows the table. Otherwise people need its link."""
    pace: Pace = Pace.NORMAL
    memory_aid: bool = True
    """Whether people are shown everything that a perfect memory would know (I6)."""
    open_profit: bool = True
    """Whether people are shown the others' profit before the end."""
    hints: Aid = Aid.BOTS
    """When people may ask for a hint."""
    odds: Aid = Aid.BOTS
    """When people may see the odds."""
    rated: bool = False
    """Whether the game changes the ratings of people. It then has no hints, odds or undo."""
    talk: bool = True
    """Whether people can send each other reactions and phrases."""
    host_starts: bool = False
    """Whether a game waits until the host starts it, even when the last open seat is taken."""
    think_seconds: Annotated[int, Meta(ge=SHORTEST_THINKING, le=LONGEST_THINKING)] | None = None
    """The time limit for a decision, after which a bot stands in; None for no limit."""

    def __post_init__(self) -> None:
        seconds = self.think_seconds
        if seconds is not None and not SHORTEST_THINKING <= seconds <= LONGEST_THINKING:
            raise Declined(
                TableReason.BAD_TIME, shortest=SHORTEST_THINKING, longest=LONGEST_THINKING
            )

    def write(self) -> str:
        """Return the options as JSON text."""
        return json.dumps(msgspec.structs.asdict(self))

    @classmethod
    def read(cls, text: str) -> TableOptions:
        """Return the options from JSON text; raises msgspec.DecodeError if it is not valid."""
        return msgspec.json.decode(text, type=cls)


@dataclass(frozen=True, slots=True)
class Open:
    """A seat for a person who joins later."""


@dataclass(frozen=True, slots=True)
class Host:
    """The seat of the guest who creates the table."""


@dataclass(frozen=True, slots=True)
class BotSeat:
    """A seat that the bot of this name plays."""

    bot: str


SeatPlan = Open | Host | BotSeat


@dataclass(frozen=True, slots=True)
class NewTable:
    """The plan for a table with 3 to 6 seats (R2.1). Exactly one of them is the host's."""

    seats: tuple[SeatPlan, ...]
    options: TableOptions = TableOptions()  # noqa: RUF009 (immutable)

    def __post_init__(self) -> None:
        hosts = sum(isinstance(seat, Host) for seat in self.seats)
        if len(self.seats) not in SETUPS or hosts != 1:
            raise Declined(TableReason.BAD_PLAN, fewest=min(SETUPS), most=max(SETUPS))
        if self.options.rated:
            self._check_rated()

    def _check_rated(self) -> None:
        """Raise Declined if the rated game has no time limit, or a bot without a rating."""
        if self.options.think_seconds is None:
            raise Declined(TableReason.RATED_NEEDS_TIME)
        skills = bot_skills(len(self.seats))
        if any(isinstance(seat, BotSeat) and seat.bot not in skills for seat in self.seats):
            raise Declined(TableReason.UNRATED_BOT)
