"""How every bot of a cross fares alone among every other: shares of the win, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from .cross_play import Cross
from .league import League, PlayedDeal
from .standings import Estimate, Tally


@dataclass(frozen=True)
class Cell:
    """How one bot fares alone among others of one kind."""

    alone: str
    others: str
    deals: int
    games: int
    wins: Estimate
    """The share of the win of the one that is alone; a shared win is split."""

    @property
    def half(self) -> float | None:
        """Half the width of the 95 % interval, which takes two deals at least."""
        if self.wins.low is None or self.wins.high is None:
            return None
        return (self.wins.high - self.wins.low) / 2


@dataclass(frozen=True)
class Matrix:
    """How the bots of a cross fare, pair by pair."""

    cross: Cross
    cells: tuple[Cell, ...]
    """The pairs that played a deal at least."""
    faults: dict[str, dict[str, int]]
    """By bot, how often a safe action was played for it, by reason."""

    @property
    def fair(self) -> float:
        """The share of the win that is neither good nor bad, as a bot has among its own kind."""
        return 1 / self.cross.players

    @property
    def title(self) -> str:
        """What was played, in a line."""
        deals = {cell.deals for cell in self.cells}
        if len(self.cells) < len(self.cross.leagues):
            deals.add(0)
        span = " to ".join(map(str, sorted({min(deals), max(deals)})))
        unit = "deal" if span == "1" else "deals"
        games = sum(cell.games for cell in self.cells)
        return f"{self.cross.players} players, {span} {unit} a pair in duplicate, {games} games"

    def cell(self, alone: str, others: str) -> Cell | None:
        """The cell of a pair; None if it has not played."""
        pair = (alone, others)
        return next((cell for cell in self.cells if (cell.alone, cell.others) == pair), None)

    def data(self) -> dict[str, Any]:
        """The matrix as plain JSON values."""
        cells = [asdict(cell) | {"half": cell.half} for cell in self.cells]
        return asdict(self) | {"cells": cells, "fair": self.fair}


class CrossTally:
    """What is counted of each pair's deals."""

    def __init__(self, cross: Cross) -> None:
        self._cross = cross
        self._tallies = {league: Tally(league) for league in cross.leagues}

    @property
    def played(self) -> int:
        """How many deals are counted, of all pairs together."""
        return sum(len(tally.played) for tally in self._tallies.values())

    def total(self, deals: int) -> int:
        """How many will be counted once every pair has played so many."""
        return sum(
            deals + sum(number >= deals for number in tally.played)
            for tally in self._tallies.values()
        )

    def count(self, league: League, played: PlayedDeal) -> None:
        """The deal is counted for its pair; a second time changes nothing."""
        self._tallies[league].count(played)

    def missing(self, deals: int) -> Iterator[tuple[League, int]]:
        """What is still to be played; every pair has its first deal before any has its second."""
        done = {league: tally.played for league, tally in self._tallies.items()}
        return (
            (league, number)
            for number in range(deals)
            for league, played in done.items()
            if number not in played
        )

    def matrix(self) -> Matrix:
        """How the bots fare, the same in whatever order the deals came; raises ValueError if none.

        Intervals are those of a league's standings.
        """
        cells = []
        faults = {bot: Counter[str]() for bot in self._cross.bots}
        for league, tally in self._tallies.items():
            if not tally.played:
                continue
            found = tally.standings()
            by_name = {one.bot: one for one in found.bots}
            alone, others = league.names
            cells.append(Cell(alone, others, found.deals, found.games, by_name[alone].wins))
            for one in found.bots:
                faults[one.bot].update(one.faults)
        if not cells:
            raise ValueError("no deal was played")
        return Matrix(
            self._cross, tuple(cells), {bot: dict(lapses) for bot, lapses in faults.items()}
        )
