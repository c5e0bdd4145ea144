"""Standings of a league: win shares, profits, places and ratings, with confidence intervals.

The games of a deal share their cards and are not independent, so deals are the unit of all
intervals. :mod:`byzanz.arena.intervals` has the methods.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import numpy.typing as npt

from .intervals import LEVEL, mean_interval, share_interval
from .league import League, Outcome, PlayedDeal
from .ratings import rating_margins, ratings
from .results import Difference, Estimate, Standing, Standings
from .scoring import score
from .sequential import leader, look_error, looks

__all__ = ["Difference", "Estimate", "Standing", "Standings", "Tally"]

_SEATS, _PROFIT, _WINS, _FAILED, _PLACES = range(5)
"""The first columns of a bot's counts.

From ``_PLACES`` on there is a column for each place, and then one for each bot, with the number of
finishes above that bot.
"""

Array = npt.NDArray[np.float64]


class Tally:
    """The counts of a league's deals, small enough to keep all of them in memory."""

    def __init__(self, league: League) -> None:
        self._league = league
        self._deals: dict[int, Array] = {}
        self._faults: dict[str, Counter[str]] = {name: Counter() for name in league.names}
        self._highest = _highest_shares(league)

    @property
    def played(self) -> set[int]:
        """The numbers of the counted deals."""
        return set(self._deals)

    def count(self, played: PlayedDeal) -> None:
        """Count a deal, unless it has been counted before."""
        if played.number in self._deals:
            return
        bots = len(self._league.names)
        counts = np.zeros((bots, _PLACES + self._league.players + bots))
        for game in played.games:
            self._add(counts, game)
        self._deals[played.number] = counts
        for name, found in played.faults.items():
            self._faults[name].update(found)

    def decided(self, deals: int) -> str | None:
        """Return the bot that is shown to be better than all others, or None.

        Looks at the first ``deals`` deals at most, as :mod:`byzanz.arena.sequential` describes. A
        bot that failed is never returned. Raises KeyError if a deal of a look is not counted.
        """
        for number, look in enumerate(looks(deals), start=1):
            first = np.stack([self._deals[deal] for deal in range(look)])
            best = leader(_win_shares(first), self._highest, look_error(number))
            if best is not None and not self._faults[self._league.names[best]]:
                return self._league.names[best]
        return None

    def standings(self) -> Standings:
        """Return the standings; raises ValueError if no deal is counted.

        The order in which the deals were counted makes no difference.
        """
        if not self._deals:
            raise ValueError("no deal was played")
        deals = np.stack([self._deals[number] for number in sorted(self._deals)])
        rated = self._ratings(deals)
        found = [self._standing(deals, bot, rated.get(bot)) for bot in range(deals.shape[1])]
        found.sort(key=_rank)
        games = len(deals) * len(self._league.seatings)
        differences = self._differences(deals, [one.bot for one in found])
        return Standings(self._league, len(deals), games, tuple(found), differences)

    def _add(self, counts: Array, game: Outcome) -> None:
        """Add one game to the counts of its deal."""
        scored = score(game, self._league.on_failure)
        above = _PLACES + self._league.players
        for seat, bot in enumerate(game.bots):
            row, place = counts[bot], scored.places[seat]
            tied = scored.places.count(place)
            row[_SEATS] += 1
            row[_PROFIT] += scored.profit[seat]
            row[_WINS] += scored.wins[seat]
            row[_FAILED] += seat in game.failed
            row[_PLACES + place - 1 : _PLACES + place - 1 + tied] += 1 / tied
            for other, theirs in zip(game.bots, scored.places, strict=True):
                if other != bot:
                    row[above + other] += (place < theirs) + (place == theirs) / 2

    def _standing(self, deals: Array, bot: int, rating: Estimate | None) -> Standing:
        names, players = self._league.names, self._league.players
        total = deals[:, bot].sum(axis=0)
        seats = total[_SEATS]
        wins = _win_shares(deals)[:, bot].tolist()
        highest = (0.0, float(self._highest[bot]))
        profits = (deals[:, bot, _PROFIT] / deals[:, bot, _SEATS]).tolist()
        above = self._above(deals.sum(axis=0))
        met = above + above.T
        return Standing(
            bot=names[bot],
            games=int(seats),
            wins=Estimate.of(total[_WINS] / seats, share_interval(wins, highest)),
            profit=Estimate.of(total[_PROFIT] / seats, mean_interval(profits)),
            rating=rating,
            places=tuple((total[_PLACES : _PLACES + players] / seats).tolist()),
            above={
                name: float(above[bot, other] / met[bot, other])
                for other, name in enumerate(names)
                if met[bot, other]
            },
            faults=dict(self._faults[names[bot]]),
            failed=int(total[_FAILED]),
        )

    def _ratings(self, deals: Array) -> dict[int, Estimate]:
        """Return the ratings of the bots that never failed, from the results among these bots."""
        sound = [bot for bot, name in enumerate(self._league.names) if not self._faults[name]]
        if len(sound) < 2:
            return {}
        above = self._above(deals)[:, sound][:, :, sound]
        found = ratings(above.sum(axis=0), len(deals))
        if len(deals) < 2:
            return {bot: Estimate(float(found[at])) for at, bot in enumerate(sound)}
        margins = rating_margins(above, found, LEVEL)
        return {
            bot: Estimate.of(found[at], (found[at] - margins[at], found[at] + margins[at]))
            for at, bot in enumerate(sound)
        }

    def _differences(self, deals: Array, ranked: list[str]) -> tuple[Difference, ...]:
        shares = _win_shares(deals)
        found = []
        for bot, other in combinations(ranked, 2):
            one, two = self._league.names.index(bot), self._league.names.index(other)
            gaps = shares[:, one] - shares[:, two]
            bounds = (-float(self._highest[two]), float(self._highest[one]))
            estimate = Estimate.of(gaps.mean(), share_interval(gaps.tolist(), bounds))
            found.append(Difference(bot, other, estimate))
        return tuple(found)

    def _above(self, counts: Array) -> Array:
        """Return the columns that count how often a bot finished above each other bot."""
        return counts[..., _PLACES + self._league.players :]


def _win_shares(deals: Array) -> Array:
    """Return each bot's win share per seat in each deal."""
    return np.asarray(deals[..., _WINS] / deals[..., _SEATS])


def _highest_shares(league: League) -> Array:
    """Return the highest possible win share of each bot.

    It is less than 1 for a bot with several seats in a game, as only one of them can win.
    """
    seatings = league.seatings
    return np.array(
        [
            sum(bot in seating for seating in seatings)
            / sum(seating.count(bot) for seating in seatings)
            for bot in range(len(league.names))
        ]
    )


def _rank(standing: Standing) -> tuple[bool, float, float]:
    """Return the sort key of a standing: the best rating is first; bots that failed are last."""
    rating = 0.0 if standing.rating is None else standing.rating.value
    return bool(standing.faults), -rating, -standing.wins.value
