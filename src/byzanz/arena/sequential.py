"""The rule of ``--until decided``: stop when one bot is shown to be better than every other.

The rule looks at the results after 10, 20, 40, 80, ... deals. The k-th look may be wrong with
probability 5 % / (k (k + 1)). These probabilities sum to at most 5 % over any number of looks, so
the probability that a league wrongly declares a bot better is at most 5 %.

At each look, only the bot with the highest win share can be declared better. It is declared better
if the interval of its paired difference to every other bot is above zero. The error probability of
a look is divided by the number of bots, since each of them could be declared better by mistake.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from .intervals import share_interval

ERROR = 0.05
"""The highest probability that the rule wrongly declares a bot better."""

FIRST_LOOK = 10
"""Number of deals at the first look. It doubles with every further look."""


def looks(deals: int) -> Iterator[int]:
    """Yield the numbers of deals at which the rule looks, up to ``deals``."""
    look = FIRST_LOOK
    while look <= deals:
        yield look
        look *= 2


def look_error(number: int) -> float:
    """Return the error probability allowed for the ``number``-th look at the results, from 1."""
    return ERROR / (number * (number + 1))


def leader(
    shares: npt.NDArray[np.float64], highest: npt.NDArray[np.float64], error: float
) -> int | None:
    """Return the bot that is shown to be better than every other; None if there is none.

    ``shares`` has a row for each deal and a column for each bot. ``highest`` has the highest
    possible share of each bot.
    """
    bots = shares.shape[1]
    best = int(np.argmax(shares.mean(axis=0)))
    level = 1 - 2 * error / bots
    for other in range(bots):
        if other == best:
            continue
        bounds = (-float(highest[other]), float(highest[best]))
        found = share_interval((shares[:, best] - shares[:, other]).tolist(), bounds, level)
        if found is None or found[0] <= 0:
            return None
    return best
