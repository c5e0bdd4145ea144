"""Bradley-Terry ratings from who finished above whom."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

MEAN = 1500.0
"""What the ratings of a league average."""

_ELO = 400 / np.log(10)
"""Rating points that multiply the odds of finishing above another by e: 400 multiply them by 10."""

_ROUNDS = 2000
_CLOSE = 1e-7


def ratings(above: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The likeliest ratings, given how often row finished above column.

    Any number of such matrices may be stacked in front. Every pair that met is granted half a win
    each way, so that who never lost has a rating too. Found by Hunter's iteration, which climbs.
    """
    met = above + np.swapaxes(above, -1, -2)
    wins = above + 0.5 * (met > 0)
    met = met + (met > 0)
    won = wins.sum(axis=-1)
    strength = np.ones(won.shape)
    for _ in range(_ROUNDS):
        sums = strength[..., :, None] + strength[..., None, :]
        better = won / np.maximum((met / sums).sum(axis=-1), 1e-300)
        better /= np.exp(np.log(better).mean(axis=-1, keepdims=True))
        moved = np.abs(np.log(better / strength)).max()
        strength = better
        if moved < _CLOSE:
            break
    return np.asarray(MEAN + _ELO * np.log(strength))
