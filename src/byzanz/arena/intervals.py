"""Confidence intervals for means over deals, valid for few deals and near the ends of a scale.

Shares use the interval of Korn and Graubard (1998): the exact binomial interval of Clopper and
Pearson, with an effective number of deals in place of the number of trials. A deal counts as at
least one trial. It counts as more if the shares of the deals vary less than wins and losses would.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt
from statistics import NormalDist, fmean

LEVEL = 0.95
"""The default confidence level."""

METHODS = {
    "wins": "Korn-Graubard: Clopper-Pearson with an effective number of deals",
    "differences": "Korn-Graubard, paired by deal",
    "profit": "Student's t over deals",
    "rating": "Student's t, with a variance clustered by deal",
}
"""The method of each interval, for readers of the results."""

PRIOR_DEALS = 1.0
"""The weight, in deals, of the assumption that a deal is worth no more than one trial."""

Interval = tuple[float, float]

_STEPS = 100
_TERMS = 500
_TINY = 1e-300


def share_interval(
    values: Sequence[float], bounds: Interval = (0.0, 1.0), level: float = LEVEL
) -> Interval | None:
    """Return the interval for the mean of values that lie within bounds, one value per deal.

    The interval contains the mean of the values and does not exceed the bounds. Returns None for
    fewer than two deals.
    """
    if len(values) < 2:
        return None
    least, most = bounds
    shares = [(value - least) / (most - least) for value in values]
    low, high = _unit_interval(shares, level)
    return least + low * (most - least), least + high * (most - least)


def _unit_interval(shares: Sequence[float], level: float) -> Interval:
    """Return the interval for the mean of shares from 0 to 1."""
    mean = min(max(fmean(shares), 0.0), 1.0)
    trials = _effective_trials(shares, mean, level)
    won = mean * trials
    tail = (1 - level) / 2
    low = beta_quantile(tail, won, trials - won + 1) if won > 0 else 0.0
    high = beta_quantile(1 - tail, won + 1, trials - won) if won < trials else 1.0
    return min(low, mean), max(high, mean)


def mean_interval(
    values: Sequence[float], level: float = LEVEL, *, least: float = 0.0
) -> Interval | None:
    """Return Student's t interval for the mean of values that are never less than ``least``.

    Returns None for fewer than two values, and for equal values, because they do not show how far
    values spread.
    """
    count = len(values)
    if count < 2 or min(values) == max(values):
        return None
    mean = fmean(values)
    half = t_quantile(level, count - 1) * sqrt(_variance(values, mean) / count)
    return max(mean - half, least), mean + half


def _effective_trials(shares: Sequence[float], mean: float, level: float) -> float:
    """Return the number of independent trials that tell as much as the deals."""
    deals = len(shares)
    most = mean * (1 - mean)
    if most < 1e-12:
        return float(deals)
    observed = _variance(shares, mean) / most
    ratio = ((deals - 1) * observed + PRIOR_DEALS) / (deals - 1 + PRIOR_DEALS)
    # The variance is an estimate too, so Student's t replaces the normal distribution.
    widening = (normal_quantile(level) / t_quantile(level, deals - 1)) ** 2
    return max(float(deals), deals / ratio * widening)


def _variance(values: Sequence[float], mean: float) -> float:
    return sum((value - mean) ** 2 for value in values) / (len(values) - 1)


@lru_cache(maxsize=256)
def normal_quantile(level: float) -> float:
    """Return the half-width of the central interval of this level, in standard deviations."""
    return NormalDist().inv_cdf((1 + level) / 2)


@lru_cache(maxsize=4096)
def t_quantile(level: float, freedom: int) -> float:
    """Return the half-width of the central interval of Student's t distribution at this level."""
    # If t has Student's distribution, freedom / (freedom + t²) has a beta distribution.
    share = beta_quantile(1 - level, freedom / 2, 0.5)
    return sqrt(freedom * (1 - share) / share)


@lru_cache(maxsize=4096)
def beta_quantile(probability: float, a: float, b: float) -> float:
    """Return the quantile of a beta distribution, found by Newton's method within bounds."""
    low, high, x = 0.0, 1.0, a / (a + b)
    for _ in range(_STEPS):
        excess = beta_distribution(x, a, b) - probability
        low, high = (x, high) if excess < 0 else (low, x)
        density = exp((a - 1) * log(x) + (b - 1) * log1p(-x) - _log_beta(a, b))
        better = x - excess / max(density, _TINY)
        before, x = x, better if low < better < high else (low + high) / 2
        if abs(x - before) < 1e-12 * x:
            break
    return x


def beta_distribution(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_distribution(1 - x, b, a)
    front = exp(a * log(x) + b * log1p(-x) - _log_beta(a, b)) / a
    fraction, c, d = 1.0, 1.0, 0.0
    for term in range(_TERMS):
        half = term // 2
        if term == 0:
            step = 1.0
        elif term % 2 == 0:
            step = half * (b - half) * x / ((a + term - 1) * (a + term))
        else:
            step = -(a + half) * (a + b + half) * x / ((a + term - 1) * (a + term))
        d = 1 / _away_from_zero(1 + step * d)
        c = _away_from_zero(1 + step / c)
        fraction *= c * d
        if abs(1 - c * d) < 1e-12:
            break
    return front * (fraction - 1)


def _log_beta(a: float, b: float) -> float:
    """Return the logarithm of the beta function."""
    return lgamma(a) + lgamma(b) - lgamma(a + b)


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
