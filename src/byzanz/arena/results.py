"""The results of a league as values: estimates, standings and paired differences."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from .intervals import METHODS, Interval
from .league import League


@dataclass(frozen=True)
class Estimate:
    """An estimate with its 95 % interval, which needs at least two deals."""

    value: float
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, value: float, interval: Interval | None) -> Estimate:
        """Return the estimate with this interval, or without one."""
        return cls(float(value)) if interval is None else cls(float(value), *map(float, interval))


@dataclass(frozen=True)
class Standing:
    """The results of one bot."""

    bot: str
    games: int
    """Number of seats played, over all games."""
    wins: Estimate
    """Win share per seat played; a shared win is split."""
    profit: Estimate
    """Mean profit per seat played."""
    rating: Estimate | None
    """None for a bot that failed, and if no other bot can be rated."""
    places: tuple[float, ...]
    """The share of games finished first, second and so on; ties are split among their places."""
    above: dict[str, float]
    """For each other bot, the share of games finished above it; a tie counts as half."""
    faults: dict[str, int]
    """The number of failures of each kind. In older files, every safe action was counted."""
    failed: int = 0
    """Number of seats in which the bot failed; 0 in older files."""


@dataclass(frozen=True)
class Difference:
    """The win share of one bot minus that of another, on the same deals."""

    bot: str
    other: str
    wins: Estimate


@dataclass(frozen=True)
class Standings:
    """The results of a league. The bot with the best rating is first; bots that failed are last."""

    league: League
    deals: int
    games: int
    bots: tuple[Standing, ...]
    differences: tuple[Difference, ...] = ()
    """The difference for every pair of bots; ``bot`` is the one with the better standing."""

    @property
    def fair(self) -> float:
        """The win share that every bot would have if all were equally strong."""
        return 1 / self.league.players

    def data(self) -> dict[str, Any]:
        """Return the standings as JSON values."""
        return asdict(self) | {"fair": self.fair, "intervals": METHODS}
