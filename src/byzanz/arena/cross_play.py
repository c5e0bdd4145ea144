"""Cross-play: in every ordered pair of bots, one copy of the first plays copies of the second."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

from .league import League, OnFailure
from .ledger import BadLedger, read_league


@dataclass(frozen=True)
class Cross:
    """The bots of a cross-play. All pairs play the same deals.

    Raises ValueError or UnknownBot if the bots cannot play.
    """

    players: int
    seed: int
    bots: tuple[str, ...]
    on_failure: OnFailure = OnFailure.FORFEIT

    def __post_init__(self) -> None:
        League(self.players, self.seed, self.bots)  # checks the arguments
        if len(set(self.bots)) < len(self.bots):
            twice = next(bot for bot in self.bots if self.bots.count(bot) > 1)
            raise ValueError(f"every bot plays against every other: name '{twice}' once")

    @property
    def leagues(self) -> tuple[League, ...]:
        """A league for each ordered pair: one copy of the first bot, and copies of the second."""
        return tuple(
            League(
                self.players, self.seed, (alone, *[others] * (self.players - 1)), self.on_failure
            )
            for alone, others in permutations(self.bots, 2)
        )

    def file(self, league: League) -> str:
        """Return a safe name for the file of a league's deals, whatever the bots' names are."""
        places = "-".join(f"{self.bots.index(bot):02}" for bot in league.names)
        names = "-among-".join(re.sub(r"[^A-Za-z0-9.@]+", "_", bot)[:30] for bot in league.names)
        return f"{places}-{names}.jsonl"


def read_cross(folder: Path) -> Cross | None:
    """Return the cross-play in a folder; None if there is none.

    Raises BadLedger if a file belongs to another cross-play, UnknownBot if a bot is not available.
    """
    if folder.exists() and not folder.is_dir():
        raise BadLedger(f"{folder} is not a folder")
    found = {path: read_league(path) for path in sorted(folder.glob("*.jsonl"))}
    leagues = {path: league for path, league in found.items() if league is not None}
    if not leagues:
        return None
    # Files are sorted by the indices of their bots, so this finds the bots in their order.
    bots = tuple(dict.fromkeys(bot for league in leagues.values() for bot in league.names))
    first = next(iter(leagues.values()))
    cross = Cross(first.players, first.seed, bots, first.on_failure)
    pairs = {cross.file(league): league for league in cross.leagues}
    for path, league in leagues.items():
        if pairs.get(path.name) != league:
            raise BadLedger(f"{path} does not belong to the other files of {folder}")
    return cross
