"""Cross-play: every bot alone among every other, a league for each pair, and a file for each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from .league import League
from .ledger import BadLedger, read_league


@dataclass(frozen=True)
class Cross:
    """Which bots meet. All pairs are dealt the same deals."""

    players: int
    seed: int
    bots: tuple[str, ...]

    def __post_init__(self) -> None:
        League(self.players, self.seed, self.bots)  # refuses what can be no league
        if len(set(self.bots)) < len(self.bots):
            twice = next(bot for bot in self.bots if self.bots.count(bot) > 1)
            raise ValueError(f"every bot meets every other: name '{twice}' once")

    @property
    def leagues(self) -> tuple[League, ...]:
        """A league for each ordered pair: its first bot alone among as many of the other."""
        return tuple(
            League(self.players, self.seed, (alone, *[others] * (self.players - 1)))
            for alone, others in permutations(self.bots, 2)
        )

    def file(self, league: League) -> str:
        """The name of the file for the league's deals, safe whatever its bots are called."""
        places = "-".join(f"{self.bots.index(bot):02}" for bot in league.names)
        words = "-among-".join(re.sub(r"[^A-Za-z0-9.@]+", "_", bot)[:30] for bot in league.names)
        return f"{places}-{words}.jsonl"


def read_cross(folder: Path) -> Cross | None:
    """The cross whose deals a folder holds; None if it holds none; raises BadLedger."""
    if folder.exists() and not folder.is_dir():
        raise BadLedger(f"{folder} is not a folder")
    found = {path: read_league(path) for path in sorted(folder.glob("*.jsonl"))}
    leagues = {path: league for path, league in found.items() if league is not None}
    if not leagues:
        return None
    # The files are sorted by the places of their bots: the first names of all are in order.
    bots = tuple(dict.fromkeys(bot for league in leagues.values() for bot in league.names))
    first = next(iter(leagues.values()))
    cross = Cross(first.players, first.seed, bots)
    pairs = {cross.file(league): league for league in cross.leagues}
    for path, league in leagues.items():
        if pairs.get(path.name) != league:
            raise BadLedger(f"{path} does not belong to the other files of {folder}")
    return cross
