"""Bradley-Terry ratings from pairwise results."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

MEAN = 1500.0
"""The mean rating of a league."""

_ELO = 400 / np.log(10)
"""Rating points that multiply the odds by e; 400 points multiply them by 10."""

_MAX_ITERATIONS = 2000
_TOLERANCE = 1e-7


def ratings(above: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the maximum-likelihood ratings, given how often row finished above column.

    Further dimensions in front hold stacked matrices. Every pair that met gets half a win each way,
    so that a bot that never lost has a finite rating. Uses Hunter's MM algorithm.
    """
    met = above + np.swapaxes(above, -1, -2)
    wins = above + 0.5 * (met > 0)
    met = met + (met > 0)
    won = wins.sum(axis=-1)
    strength = np.ones(won.shape)
    for _ in range(_MAX_ITERATIONS):
        sums = strength[..., :, None] + strength[..., None, :]
        better = won / np.maximum((met / sums).sum(axis=-1), 1e-300)
        better /= np.exp(np.log(better).mean(axis=-1, keepdims=True))
        moved = np.abs(np.log(better / strength)).max()
        strength = better
        if moved < _TOLERANCE:
            break
    return np.asarray(MEAN + _ELO * np.log(strength))
