"""How long a bot may think about one decision."""

from __future__ import annotations

from dataclasses import dataclass


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
        if min(self.seconds or 0, self.iterations or 0) < 0 or not (self.seconds or self.iterations):
            raise ValueError("a budget is above zero")

    def __str__(self) -> str:
        return f"{self.seconds:g}s" if self.iterations is None else f"{self.iterations}it"


HALF_A_SECOND = Budget(seconds=0.5)
"""What a bot gets if nothing else is said."""
