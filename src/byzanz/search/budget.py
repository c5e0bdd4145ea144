"""The time or the number of iterations that a bot may spend on one decision."""

from __future__ import annotations

import re
from dataclasses import dataclass

BUDGET_TEXT = r"(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,6})?)s|(?P<iterations>[0-9]{1,9})it"
"""A regular expression that matches a budget as text."""


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit per decision, in seconds or in iterations.

    With iterations the same seed gives the same choice on every machine. Bots that do not search
    may ignore their budget. Raises ValueError unless exactly one limit is given and is positive.
    """

    seconds: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.iterations is None):
            raise ValueError("a budget has either seconds or iterations")
        if min(self.seconds or 0, self.iterations or 0) < 0 or not (
            self.seconds or self.iterations
        ):
            raise ValueError("a budget must be positive")

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Parse a text such as ``2s``, ``0.2s`` or ``800it``; raise ValueError for other texts."""
        found = re.fullmatch(BUDGET_TEXT, text)
        if found is None:
            raise ValueError(f"expected a budget such as 2s or 800it, not '{text}'")
        if found["seconds"] is not None:
            return cls(seconds=float(found["seconds"]))
        return cls(iterations=int(found["iterations"]))

    def used(self, seconds: float, iterations: int) -> float:
        """Return the used share of the budget; 1 or more if it is used up."""
        if self.iterations is not None:
            return iterations / self.iterations
        return seconds / (self.seconds or 1)

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.iterations is None else f"{self.iterations}it"


HALF_A_SECOND = Budget(seconds=0.5)
"""The default budget."""
