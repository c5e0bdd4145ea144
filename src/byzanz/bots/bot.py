"""What a bot is."""

from __future__ import annotations

from abc import ABC, abstractmethod

from byzanz.rules import Action, Chance, Sell, View
from byzanz.search.budget import HALF_A_SECOND, Budget


class Bot(ABC):
    """A player that knows its View and nothing else."""

    interrupts: bool = False
    """Whether this bot ever sells out of turn; one that does is asked after every action."""

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        """A bot whose decisions may take this long; half a second if nothing is said."""
        self.chance = chance
        self.budget = budget or HALF_A_SECOND

    @abstractmethod
    def choose(self, view: View) -> Action:
        """A legal action for the viewer, who is to act."""

    def sale(self, view: View) -> Sell | None:  # noqa: ARG002
        """A set to sell out of turn (R5.1), or None."""
        return None

    def close(self) -> None:  # noqa: B027
        """What the bot held is given back; the game is over for it."""
