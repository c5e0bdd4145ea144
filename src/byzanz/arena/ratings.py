"""Bradley-Terry ratings from pairwise results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from .intervals import t_quantile

MEAN = 1500.0
"""The mean rating of a league."""

_ELO = 400 / np.log(10)
"""Rating points that multiply the odds by e; 400 points multiply them by 10."""

_MAX_ITERATIONS = 2000
_TOLERANCE = 1e-7

Array = npt.NDArray[np.float64]


def ratings(above: Array, deals: int) -> Array:
    """Return the maximum-likelihood ratings of bots, computed by Hunter's MM algorithm.

    ``above`` has a row and a column for each bot, and counts how often the bot of the row finished
    above the bot of the column. ``deals`` is the number of deals in which the bots met. For every
    pair that met, one more deal is added and counted as half won by each side, so that a bot that
    never lost has a finite rating.
    """
    met = above + above.T
    wins = above + 0.5 * met / deals
    met = met + met / deals
    won = wins.sum(axis=-1)
    strength = np.ones(won.shape)
    for _ in range(_MAX_ITERATIONS):
        better = won / np.maximum((met / (strength[:, None] + strength)).sum(axis=-1), 1e-300)
        better /= np.exp(np.log(better).mean())
        moved = np.abs(np.log(better / strength)).max()
        strength = better
        if moved < _TOLERANCE:
            break
    return np.asarray(MEAN + _ELO * np.log(strength))


def rating_margins(above: Array, rated: Array, level: float) -> Array:
    """Return half the width of each rating's interval, given the results of at least two deals.

    ``above`` has a matrix for each deal. The variance is a sandwich estimate with deals as
    clusters. The deal that :func:`ratings` adds for each pair contributes to it, so a bot that won
    all deals has an interval of positive width.
    """
    deals, bots = len(above), len(rated)
    met = above + np.swapaxes(above, -1, -2)
    per_deal = met.mean(axis=0)
    odds = np.exp((rated[None, :] - rated[:, None]) / _ELO)
    expected = 1 / (1 + odds)
    scores = (above - met * expected).sum(axis=-1)
    scores -= scores.mean(axis=0)
    spread = scores.T @ scores * deals / (deals - 1)
    for one in range(bots):
        for two in range(one):
            chance = expected[one, two]
            pair = np.zeros(bots)
            pair[[one, two]] = 1, -1
            half = per_deal[one, two] / 2
            spread += half**2 * (chance**2 + (1 - chance) ** 2) * np.outer(pair, pair)
    weights = (deals + 1) * per_deal * expected * (1 - expected)
    information = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.pinv(information)
    variance = np.diag(inverse @ spread @ inverse)
    return np.asarray(_ELO * t_quantile(level, deals - 1) * np.sqrt(variance))
