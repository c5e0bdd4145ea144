"""Ratings of players over many games, by OpenSkill's Plackett-Luce model.

A game is one ranking of all its seats, so the model learns from a whole table at once. Models that
compare pairs would count a table of six as fifteen games and become overconfident. Thurstone's
models also need a margin for ties, which nobody has measured for this game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

MEAN, DEVIATION = 25.0, 25.0 / 3
"""The rating of a player about whom nothing is known, and its standard deviation."""
LUCK = 25.0 / 6
"""How far a player's result in one game lies from their rating, as a standard deviation."""
_DRIFT = 25.0 / 300
"""How much a person's strength may change from one game to the next."""
SURE = 3.5
"""A rating is provisional while its standard deviation exceeds this, for about 25 games."""

_POINTS, _MIDDLE = 40, 1500
"""Pages show 40 points per unit, and 1500 points for a player about whom nothing is known."""


class Skill(NamedTuple):
    """An estimate of a player's strength: its mean and its standard deviation."""

    mu: float = MEAN
    sigma: float = DEVIATION

    @property
    def points(self) -> int:
        """The rating as pages show it: 1500 for a new player."""
        return round(_MIDDLE + _POINTS * (self.mu - MEAN))

    @property
    def margin(self) -> int:
        """The standard deviation in points."""
        return round(_POINTS * self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether the rating is still uncertain."""
        return self.sigma > SURE


def rate(skills: Sequence[Skill], places: Sequence[int], *, drift: bool = True) -> list[Skill]:
    """Return the players' skills after a game with these places; equal places are ties.

    Without ``drift``, the players' strength is taken to be constant, as that of bots is.
    """
    model = _model(drift=drift)
    teams = [[model.rating(skill.mu, skill.sigma)] for skill in skills]
    rated = model.rate(teams, ranks=[float(place) for place in places])
    return [Skill(team[0].mu, team[0].sigma) for team in rated]


def rate_all(games: Iterable[tuple[Sequence[str], Sequence[int]]]) -> dict[str, Skill]:
    """Return the skills of players whose strength never changes, after these games.

    A game is the players' names, all different, and their places.
    """
    skills: dict[str, Skill] = {}
    for names, places in games:
        before = [skills.get(name, Skill()) for name in names]
        skills.update(zip(names, rate(before, places, drift=False), strict=True))
    return skills


@cache
def _model(*, drift: bool) -> PlackettLuce:
    # Imported here, because importing it takes a tenth of a second.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    if drift:
        return PlackettLuce(MEAN, DEVIATION, LUCK, tau=_DRIFT)
    return PlackettLuce(MEAN, DEVIATION, LUCK, gamma=_one, tau=0.0)


def _one(*_: object) -> float:
    """Return 1 as the speed at which deviations shrink; OpenSkill's default is slower."""
    return 1.0
