"""How the bots of a league fare: shares, profits, places and ratings, with intervals.

The deal is the unit: its games share cards and are not independent, so intervals come from drawing
whole deals anew, many times (the bootstrap).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .league import League, PlayedDeal
from .ratings import ratings

_REDRAWN = 1000
_TAILS = (2.5, 97.5)

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval, which takes two deals at least."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Standing:
    """How one bot fares."""

    bot: str
    games: int
    """Seats that it played, in all games."""
    wins: Estimate
    """Its share of the win for each seat it played; a shared win is split."""
    profit: Estimate
    """Average for each seat it played."""
    rating: Estimate
    places: tuple[float, ...]
    """How often it came first, second and so on; shared places are split."""
    above: dict[str, float]
    """By other bot, how often it finished above it; level counts half."""
    faults: dict[str, int]
    """How often a safe action was played for it, by reason."""


@dataclass(frozen=True)
class Standings:
    """How the bots of a league fare, the best rated first."""

    league: League
    deals: int
    games: int
    bots: tuple[Standing, ...]

    @property
    def fair(self) -> float:
        """The share of the win that is neither good nor bad."""
        return 1 / self.league.players

    def data(self) -> dict[str, Any]:
        """The standings as plain JSON values."""
        return asdict(self) | {"fair": self.fair}


class Tally:
    """What is counted of each deal, little enough to keep for all."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._deals: dict[int, Array] = {}
        self._faults: dict[str, Counter[str]] = {name: Counter() for name in league.names}

    @property
    def played(self) -> set[int]:
        """The numbers of the deals counted."""
        return set(self._deals)

    def count(self, played: PlayedDeal) -> None:
        """The deal is counted; a second time changes nothing."""
        if played.number in self._deals:
            return
        players, bots = self._league.players, len(self._league.names)
        counts = np.zeros((bots, 2 + players + bots))
        for game in played.games:
            for seat, bot in enumerate(game.bots):
                row, place = counts[bot], game.places[seat]
                level = game.places.count(place)
                row[0] += 1
                row[1] += game.profit[seat]
                row[1 + place : 1 + place + level] += 1 / level
                for other, theirs in zip(game.bots, game.places, strict=True):
                    if other != bot:
                        row[2 + players + other] += (place < theirs) + (place == theirs) / 2
        self._deals[played.number] = counts
        for name, found in played.faults.items():
            self._faults[name].update(found)

    def standings(self) -> Standings:
        """How the bots fare, the same in whatever order the deals came; raises ValueError if none.

        The chance of the bootstrap is fixed, so the same deals give the same intervals.
        """
        if not self._deals:
            raise ValueError("no deal was played")
        league = self._league
        deals = np.stack([self._deals[number] for number in sorted(self._deals)])
        whole = _figures(deals.sum(axis=0), league.players)
        redrawn = _redrawn(deals, league.players) if len(deals) > 1 else None

        def estimate(figure: str, bot: int) -> Estimate:
            value = float(whole[figure][bot])
            if redrawn is None:
                return Estimate(value)
            low, high = np.percentile(redrawn[figure][:, bot], _TAILS)
            return Estimate(value, float(low), float(high))

        found = [
            Standing(
                bot=name,
                games=int(whole["seats"][at]),
                wins=estimate("wins", at),
                profit=estimate("profit", at),
                rating=estimate("rating", at),
                places=tuple(whole["places"][at].tolist()),
                above={
                    other: float(whole["above"][at, to])
                    for to, other in enumerate(league.names)
                    if not np.isnan(whole["above"][at, to])
                },
                faults=dict(self._faults[name]),
            )
            for at, name in enumerate(league.names)
        ]
        best_first = sorted(found, key=lambda standing: -standing.rating.value)
        games = len(deals) * len(league.seatings)
        return Standings(league, len(deals), games, tuple(best_first))


def _figures(counts: Array, players: int) -> Mapping[str, Array]:
    """Figures by bot from what was counted; stacked counts give stacked figures."""
    seats, places = counts[..., 0], counts[..., 2 : 2 + players]
    above = counts[..., 2 + players :]
    met = above + np.swapaxes(above, -1, -2)
    return {
        "seats": seats,
        "wins": places[..., 0] / seats,
        "profit": counts[..., 1] / seats,
        "places": places / seats[..., None],
        "above": np.divide(above, met, out=np.full(above.shape, np.nan), where=met > 0),
        "rating": ratings(above),
    }


def _redrawn(deals: Array, players: int) -> Mapping[str, Array]:
    """The figures of many leagues whose deals are drawn from these, with repetition."""
    chance = np.random.default_rng(0)
    number = len(deals)
    flat = deals.reshape(number, -1)
    sums = [
        np.bincount(chance.integers(number, size=number), minlength=number) @ flat
        for _ in range(_REDRAWN)
    ]
    return _figures(np.stack(sums).reshape(_REDRAWN, *deals.shape[1:]), players)
