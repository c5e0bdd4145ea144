"""The matrix of a cross-play: the win share of every bot against every other, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .cross_play import Cross
from .intervals import METHODS
from .league import League, PlayedDeal
from .results import Estimate
from .standings import Tally


@dataclass(frozen=True)
class Cell:
    """The result of one copy of a bot against copies of another."""

    alone: str
    others: str
    deals: int
    games: int
    wins: Estimate
    """Win share of the single bot; a shared win is split."""
    failed: tuple[str, ...] = ()
    """The bots of this pair that failed."""

    @property
    def half(self) -> float | None:
        """Half the width of the 95 % interval; None with fewer than two deals.

        The interval is not symmetric: use ``wins.low`` and ``wins.high`` to show it.
        """
        if self.wins.low is None or self.wins.high is None:
            return None
        return (self.wins.high - self.wins.low) / 2


@dataclass(frozen=True)
class Matrix:
    """The results of a cross-play for each pair of bots."""

    cross: Cross
    cells: tuple[Cell, ...]
    """The pairs that have played at least one deal."""
    faults: dict[str, dict[str, int]]
    """For each bot, the number of failures of each kind."""

    @property
    def fair(self) -> float:
        """The win share that every bot would have if all were equally strong."""
        return 1 / self.cross.players

    @property
    def title(self) -> str:
        """The number of players, deals and games, as a line of text."""
        deals = {cell.deals for cell in self.cells}
        if len(self.cells) < len(self.cross.leagues):
            deals.add(0)
        span = " to ".join(map(str, sorted({min(deals), max(deals)})))
        unit = "deal" if span == "1" else "deals"
        games = sum(cell.games for cell in self.cells)
        return f"{self.cross.players} players, {span} {unit} a pair in duplicate, {games} games"

    def cell(self, alone: str, others: str) -> Cell | None:
        """Return the cell of a pair; None if the pair has not played."""
        pair = (alone, others)
        return next((cell for cell in self.cells if (cell.alone, cell.others) == pair), None)

    def data(self) -> dict[str, Any]:
        """Return the matrix as JSON values."""
        cells = [asdict(cell) | {"half": cell.half} for cell in self.cells]
        methods = {"wins": METHODS["wins"]}
        return asdict(self) | {"cells": cells, "fair": self.fair, "intervals": methods}


class CrossTally:
    """The counts of the deals of each pair."""

    def __init__(self, cross: Cross) -> None:
        self._cross = cross
        self._tallies = {league: Tally(league) for league in cross.leagues}

    @property
    def played(self) -> int:
        """The number of counted deals, over all pairs."""
        return sum(len(tally.played) for tally in self._tallies.values())

    def total(self, deals: int) -> int:
        """Return how many deals are counted once each pair has played its first ``deals`` deals."""
        return sum(
            deals + sum(number >= deals for number in tally.played)
            for tally in self._tallies.values()
        )

    def count(self, league: League, played: PlayedDeal) -> None:
        """Count a deal for its pair, unless it has been counted before."""
        self._tallies[league].count(played)

    def missing(self, deals: int) -> Iterator[tuple[League, int]]:
        """Return the deals still to be played, ordered by number and then by pair."""
        done = {league: tally.played for league, tally in self._tallies.items()}
        return (
            (league, number)
            for number in range(deals)
            for league, played in done.items()
            if number not in played
        )

    def matrix(self) -> Matrix:
        """Return the matrix; raises ValueError if no deal is counted.

        The order in which the deals were counted makes no difference. Intervals are computed as in
        the standings of a league.
        """
        cells = []
        faults = {bot: Counter[str]() for bot in self._cross.bots}
        for league, tally in self._tallies.items():
            if not tally.played:
                continue
            found = tally.standings()
            by_name = {one.bot: one for one in found.bots}
            alone, others = league.names
            failed = tuple(bot for bot in league.names if by_name[bot].faults)
            wins = by_name[alone].wins
            cells.append(Cell(alone, others, found.deals, found.games, wins, failed))
            for one in found.bots:
                faults[one.bot].update(one.faults)
        if not cells:
            raise ValueError("no deal was played")
        return Matrix(
            self._cross,
            tuple(cells),
            {bot: dict(found_faults) for bot, found_faults in faults.items()},
        )
