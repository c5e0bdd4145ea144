"""Standings of a league: win shares, profits, places and ratings, with confidence intervals.

The games of a deal share their cards and are not independent. So the intervals come from a
bootstrap over whole deals.
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

_RESAMPLES = 1000
_PERCENTILES = (2.5, 97.5)

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """An estimate with its 95 % interval, which needs at least two deals."""

    value: float
    low: float | None = None
    high: float | None = None


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
    rating: Estimate
    places: tuple[float, ...]
    """Shares of first place, second place and so on; shared places are split."""
    above: dict[str, float]
    """By other bot, the share of games finished above it; ties count half."""
    faults: dict[str, int]
    """Number of safe actions played for it, by fault."""


@dataclass(frozen=True)
class Standings:
    """The results of a league, best rating first."""

    league: League
    deals: int
    games: int
    bots: tuple[Standing, ...]

    @property
    def fair(self) -> float:
        """The win share of a bot among equals."""
        return 1 / self.league.players

    def data(self) -> dict[str, Any]:
        """Return the standings as JSON values."""
        return asdict(self) | {"fair": self.fair}


class Tally:
    """The counts of a league's deals, small enough to keep all of them in memory."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._deals: dict[int, Array] = {}
        self._faults: dict[str, Counter[str]] = {name: Counter() for name in league.names}

    @property
    def played(self) -> set[int]:
        """The numbers of the counted deals."""
        return set(self._deals)

    def count(self, played: PlayedDeal) -> None:
        """Count a deal; a deal that is counted already changes nothing."""
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
        """Return the standings; raises ValueError if no deal is counted.

        They do not depend on the order of the deals. The seed of the bootstrap is fixed, so the
        same deals give the same intervals.
        """
        if not self._deals:
            raise ValueError("no deal was played")
        league = self._league
        deals = np.stack([self._deals[number] for number in sorted(self._deals)])
        whole = _figures(deals.sum(axis=0), league.players)
        resampled = _bootstrap(deals, league.players) if len(deals) > 1 else None

        def estimate(figure: str, bot: int) -> Estimate:
            value = float(whole[figure][bot])
            if resampled is None:
                return Estimate(value)
            low, high = np.percentile(resampled[figure][:, bot], _PERCENTILES)
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
    """Return the figures by bot, given the counts; extra dimensions in front are kept."""
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


def _bootstrap(deals: Array, players: int) -> Mapping[str, Array]:
    """Return the figures of many resamples of the deals, stacked."""
    rng = np.random.default_rng(0)
    number = len(deals)
    flat = deals.reshape(number, -1)
    sums = [
        np.bincount(rng.integers(number, size=number), minlength=number) @ flat
        for _ in range(_RESAMPLES)
    ]
    return _figures(np.stack(sums).reshape(_RESAMPLES, *deals.shape[1:]), players)
