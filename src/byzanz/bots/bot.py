"""The base class of bots."""

from __future__ import annotations

from abc import ABC, abstractmethod

from byzanz.rules import Action, Chance, Sell, View
from byzanz.search.budget import HALF_A_SECOND, Budget


class Bot(ABC):
    """A player that sees only its View."""

    interrupts: bool = False
    """Whether the bot sells out of turn. If False, :meth:`sale` is never called."""

    def __init__(self, chance: Chance, budget: Budget | None = None) -> None:
        """Create a bot. The default budget is half a second per decision."""
        self.chance = chance
        self.budget = budget or HALF_A_SECOND

    @abstractmethod
    def choose(self, view: View) -> Action:
        """Return a legal action for the viewer, who must act."""

    def sale(self, view: View) -> Sell | None:  # noqa: ARG002
        """Return a set to sell out of turn (R5.1), or None.

        It is called after an action, if it is not the viewer's turn and the viewer holds a set.
        """
        return None

    def close(self) -> None:  # noqa: B027
        """Release the bot's resources, such as a process. The bot cannot be used afterwards."""

    def reseed(self, seed: int) -> None:
        """Make the bot behave like a new bot with this seed.

        Raises NotImplementedError if the bot does not support this. Bots that remember earlier
        decisions of a game do not.
        """
        raise NotImplementedError


class StatelessBot(Bot):
    """A bot that remembers nothing between decisions except its stream of random numbers."""

    def reseed(self, seed: int) -> None:
        """Restart the stream of random numbers with this seed."""
        self.chance = Chance(seed)
