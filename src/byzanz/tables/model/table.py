"""A table as an immutable value. It holds everything, including hidden cards and guests' ids."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from byzanz.rules import Game

from .plan import TableOptions
from .prepared import BY_HAND, Automatic, Dropped, Prepared
from .sayings import Saying


class Stage(StrEnum):
    """A stage in the life of a table."""

    OPEN = "open"
    """People can still join."""
    PLAYING = "playing"
    FINISHED = "finished"
    EXPIRED = "expired"
    """The table was closed because nobody had used it for a long time."""
    ENDED = "ended"
    """The players ended the game by vote, because somebody had abandoned it. It has no result."""


class Actor(StrEnum):
    """Who chose an action."""

    PERSON = "person"
    PREPARED = "prepared"
    """The person who owns the seat, before their turn."""
    AUTOMATIC = "automatic"
    """The service, because the owner of the seat allows it."""
    BOT = "bot"
    TABLE = "table"
    """Nobody: only one action was legal."""


class Replaced(StrEnum):
    """Why a bot stood in for the owner of a seat."""

    HOST = "host"
    """The host asked for it, because the owner was away."""
    TIME = "time"
    """The owner's time for a decision was up."""
    START = "start"
    """The host started the game before the owner accepted the invitation."""


@dataclass(frozen=True, slots=True)
class Chair:
    """One seat: the guest who owns it and the bot that plays it."""

    guest: str | None = None
    """The owner's id, kept after they leave; None for a bot, an open seat or a forgotten guest."""
    name: str | None = None
    """The owner's name, as shown to the others."""
    bot: str | None = None
    """The bot that plays this seat now; None if a person plays it."""
    standing_in: bool = False
    """Whether the bot plays only until the owner returns."""
    replaced: Replaced | None = None
    """Why a bot stood in; None if none did, or if the owner has acted since."""
    left: bool = False
    """Whether the owner left for good."""
    avatar: int | None = None
    """The owner's portrait; None if they chose none."""
    invited: bool = False
    """Whether the owner is invited to a rematch and has not accepted yet."""
    prepared: Prepared | None = None
    """The answer that the owner prepared. Only the owner may see it."""
    dropped: Dropped | None = None
    """Why the last prepared answer was dropped; None if the owner has acted since."""
    nonce: str | None = None
    """The owner's part of the deal's randomness, after ``player:`` or ``server:``."""
    automatic: Automatic = BY_HAND
    """The actions that the service plays for the owner automatically."""
    hints: int = 0
    """The number of hints that the owner has got."""
    votes_end: bool = False
    """Whether the owner has voted to end the game."""

    @property
    def by_owner(self) -> bool:
        """Whether a person plays this seat now."""
        return self.guest is not None and self.bot is None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a table's log."""

    number: int
    at: float
    seat: int
    action: str
    """The action in notation; or ``undo`` and the number of the entry that is taken back."""
    by: Actor


class Move(NamedTuple):
    """Facts about an action of the game that decide whether it can be taken back."""

    number: int
    """The number of its entry in the log."""
    seat: int
    by: Actor
    shown: bool
    """Whether it showed a card of the deck, or a hand card that nobody else had seen."""


@dataclass(frozen=True, slots=True)
class Change:
    """The result of a command."""

    table: Table
    """The table after the command; the same object if nothing changed."""
    entry: LogEntry | None = None
    """The new line of the log, if the command was an action."""
    created: Table | None = None
    """Another table that the command creates."""
    private: str | None = None
    """The only guest who may learn of the change; None if it is public."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table at one version. Commands return a new value and never change this one."""

    id: str
    created: float
    active: float
    """The time of the last change."""
    version: int
    """Grows with every visible change."""
    stage: Stage
    options: TableOptions
    host: str | None
    """The guest who may start the game and replace players; None if no person is left."""
    chairs: tuple[Chair, ...]
    seed: int
    """The random seed of the table's bots."""
    follows: str | None = None
    """The table that this one is a rematch of."""
    followed_by: str | None = None
    """The rematch of this table."""
    game: Game | None = None
    number: int = 0
    """The number of actions in the game, without those that were taken back."""
    logged: int = 0
    """The number of entries in the log."""
    moves: tuple[Move, ...] = ()
    """The actions in the game, without those that were taken back."""
    undone: int = 0
    """The number of decisions that were taken back."""
    undone_by: int | None = None
    """The seat that has just taken a decision back; None if somebody has acted since."""
    decision: int = 0
    """The number of the decision that the table waits for; other seats' sales do not change it."""
    sales: tuple[int, ...] = ()
    """The number of sets that each seat has sold, including sales taken back."""
    deadline: float | None = None
    """The time by which the current decision is due."""
    rotated: bool = False
    """Whether the game will have the same deal as the table that this one follows."""
    shared_deal: str | None = None
    """The id of the shared deal that is played here; None for a deal of its own."""
    origin: str | None = None
    """The table whose finished game is continued here."""
    origin_step: int | None = None
    """The number of actions that were taken over from there."""
    said: tuple[Saying, ...] = ()
    """The last things that people said, oldest first."""
    deal_secret: str | None = None
    """The secret from which the deal follows; None if the deal cannot be checked."""
    password: str | None = None
    """The hash of the password that joining and watching need; None if there is none."""
    revision: int = 0
    """Grows with every stored change, including those that only one guest may learn of."""

    @property
    def hints(self) -> int:
        """The number of hints that players have got."""
        return sum(chair.hints for chair in self.chairs)

    def has_other_people(self, seat: int) -> bool:
        """Return whether a person who has not left owns another seat."""
        chairs = enumerate(self.chairs)
        return any(at != seat and chair.guest and not chair.left for at, chair in chairs)

    def seat_of(self, guest: str | None) -> int | None:
        """Return the guest's seat, or None for a spectator or a guest who left."""
        if guest is not None:
            for seat, chair in enumerate(self.chairs):
                if chair.guest == guest and not chair.left:
                    return seat
        return None

    def is_open(self, seat: int) -> bool:
        """Return whether a person can still take this seat."""
        chair = self.chairs[seat]
        return self.stage is Stage.OPEN and chair.guest is None and chair.bot is None

    @property
    def open_seats(self) -> tuple[int, ...]:
        """The seats that a person can still take."""
        return tuple(seat for seat in range(len(self.chairs)) if self.is_open(seat))

    @property
    def is_complete(self) -> bool:
        """Whether no seat is open and every invitation is accepted."""
        return not self.open_seats and not any(chair.invited for chair in self.chairs)

    @property
    def waiting_for(self) -> tuple[int, ...]:
        """The seats that have a decision to make."""
        if self.stage is not Stage.PLAYING or self.game is None:
            return ()
        return self.game.state.waiting_for
