"""A table: a value that holds everything about it, hidden cards and guests' ids too."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from byzanz.rules import Action, Game

from .plan import TableOptions


class Stage(StrEnum):
    """How far a table has come."""

    OPEN = "open"
    """People still join."""
    PLAYING = "playing"
    FINISHED = "finished"
    EXPIRED = "expired"
    """Nobody came for too long."""


class Hand(StrEnum):
    """Whose hand played an action."""

    PERSON = "person"
    BOT = "bot"
    TABLE = "table"
    """Nobody's: there was nothing to choose."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat: whose it is, and which bot plays it now."""

    guest: str | None = None
    """The owner, also after leaving for good; None for a bot's seat, or once forgotten."""
    name: str | None = None
    """The owner's name, as the others see it."""
    bot: str | None = None
    """The bot that plays here now; None where a person does."""
    standing_in: bool = False
    """Whether the bot plays only until the owner is back."""
    left: bool = False
    """Whether the owner left for good."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a table's log."""

    number: int
    at: float
    seat: int
    action: Action
    by: Hand


@dataclass(frozen=True, slots=True)
class Change:
    """What a command comes to."""

    table: Table
    """The table after it; the very same if there was nothing to do."""
    entry: Entry | None = None
    """Its line in the log, if it was an action."""
    founded: Table | None = None
    """Another table that begins with it."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one version; commands make the next one, and this one stays."""

    id: str
    created: float
    active: float
    """When it last changed."""
    version: int
    """Grows with everything that can be seen to change."""
    stage: Stage
    options: TableOptions
    host: str | None
    """The guest who may start and replace; None once no person is left."""
    chairs: tuple[Chair, ...]
    seed: int
    """Decides the chance of the table's bots."""
    follows: str | None = None
    """The table that this one is a rematch of."""
    followed_by: str | None = None
    """The rematch of this table."""
    game: Game | None = None
    number: int = 0
    """How many actions the log holds."""
    decision: int = 0
    """The number of the decision that the table waits for; another seat's sale leaves it."""
    sales: tuple[int, ...] = ()
    """By seat, how many sets it has sold."""
    deadline: float | None = None
    """When the time for the present decision is up."""

    def seat_of(self, guest: str | None) -> int | None:
        """The seat that the guest holds; None for who watches, or left."""
        if guest is not None:
            for seat, chair in enumerate(self.chairs):
                if chair.guest == guest and not chair.left:
                    return seat
        return None

    def is_open(self, seat: int) -> bool:
        """Whether a person may still sit down here."""
        chair = self.chairs[seat]
        return self.stage is Stage.OPEN and chair.guest is None and chair.bot is None

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats on which a person may still sit down."""
        return tuple(seat for seat in range(len(self.chairs)) if self.is_open(seat))

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that owe a decision."""
        if self.stage is not Stage.PLAYING or self.game is None:
            return ()
        return self.game.state.waiting_for
