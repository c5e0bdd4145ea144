"""How long a bot may think about one decision."""

from __future__ import annotations

import re
from dataclasses import dataclass

BUDGET_TEXT = r"(?P<seconds>[0-9]{1,4}(?:\.[0-9]{1,6})?)s|(?P<iterations>[0-9]{1,9})it"


@dataclass(frozen=True, slots=True)
class Budget:
    """Thinking allowed per decision: seconds on the clock, or a number of iterations.

    Iterations make a searching bot's answers repeatable; seconds make them timely. A bot that
    does not search answers at once and may ignore its budget.
    """

    seconds: float | None = None
    iterations: int | None = None

    def __post_init__(self) -> None:
        if (self.seconds is None) == (self.iterations is None):
            raise ValueError("a budget is in seconds or in iterations")
        if min(self.seconds or 0, self.iterations or 0) < 0 or not (
            self.seconds or self.iterations
        ):
            raise ValueError("a budget is above zero")

    @classmethod
    def parse(cls, text: str) -> Budget:
        """The budget that a text such as ``2s``, ``0.2s`` or ``800it`` names; raises ValueError."""
        found = re.fullmatch(BUDGET_TEXT, text)
        if found is None:
            raise ValueError(f"expected a budget such as 2s or 800it, not '{text}'")
        if found["seconds"] is not None:
            return cls(seconds=float(found["seconds"]))
        return cls(iterations=int(found["iterations"]))

    def used(self, seconds: float, iterations: int) -> float:
        """Which part of it so much is: 1 and more is all of it."""
        if self.iterations is not None:
            return iterations / self.iterations
        return seconds / (self.seconds or 1)

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.iterations is None else f"{self.iterations}it"


HALF_A_SECOND = Budget(seconds=0.5)
"""What a bot gets if nothing else is said."""
