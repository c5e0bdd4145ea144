"""Intervals contain the true mean about as often as they promise, also at the ends."""

from __future__ import annotations

from statistics import fmean

import numpy as np
import pytest

from byzanz.arena.intervals import (
    beta_distribution,
    beta_quantile,
    mean_interval,
    normal_quantile,
    share_interval,
    t_quantile,
)

RUNS = {3: 300, 15: 400, 50: 400, 300: 400}


def draw(kind: str, mean: float, deals: int, rng: np.random.Generator) -> list[float]:
    """Return win shares of deals: one game per deal, four, or four that depend on the cards."""
    if kind == "one game":
        return [float(won) for won in rng.random(deals) < mean]
    chances = rng.beta(2 * mean, 2 * (1 - mean), deals) if kind == "four alike" else mean
    return [float(won) / 4 for won in rng.binomial(4, chances, deals)]


@pytest.mark.parametrize("kind", ["one game", "four games", "four alike"])
@pytest.mark.parametrize("mean", [0.02, 0.5, 0.98])
@pytest.mark.parametrize("deals", RUNS)
def test_shares_are_covered(kind: str, mean: float, deals: int) -> None:
    rng = np.random.default_rng([deals, int(100 * mean), len(kind)])
    hits, widths, errors = 0, [], []
    for _ in range(RUNS[deals]):
        shares = draw(kind, mean, deals, rng)
        found = share_interval(shares)
        assert found is not None
        low, high = found
        assert 0 <= low <= fmean(shares) <= high <= 1
        assert high > low
        hits += low <= mean <= high
        widths.append(high - low)
        errors.append(fmean(shares) - mean)
    assert hits / RUNS[deals] > 0.92  # 95 %, less what chance explains in so few runs
    if deals == 300 and mean == 0.5:  # not wider than needed
        assert fmean(widths) < 1.25 * 2 * 1.96 * float(np.std(errors))


def test_few_deals_without_a_loss_prove_little() -> None:
    assert share_interval([1.0] * 3) == (pytest.approx(0.025 ** (1 / 3)), 1)
    assert share_interval([0.0] * 3) == (0, pytest.approx(1 - 0.025 ** (1 / 3)))
    assert share_interval([1.0] * 300) == (pytest.approx(0.9878, abs=1e-4), 1)
    assert share_interval([1.0]) is None


def test_bounds_scale_the_interval() -> None:
    shares = [0.0, 1.0, 0.5, 0.75]
    low, high = share_interval(shares) or (0, 0)
    scaled = share_interval([2 * share - 1 for share in shares], (-1, 1))
    assert scaled == (pytest.approx(2 * low - 1), pytest.approx(2 * high - 1))


@pytest.mark.parametrize("deals", [3, 15, 50])
def test_means_are_covered_and_never_negative(deals: int) -> None:
    rng = np.random.default_rng(deals)
    hits = 0
    for _ in range(300):
        low, high = mean_interval(rng.normal(20, 5, deals).tolist()) or (0, 0)
        hits += low <= 20 <= high
    assert hits / 300 > 0.92
    assert (mean_interval([0.0, 0.0, 9.0]) or (1, 0))[0] == 0


def test_equal_means_have_no_interval() -> None:
    assert mean_interval([7.0, 7.0, 7.0]) is None
    assert mean_interval([7.0]) is None


def test_quantiles_are_those_of_the_tables() -> None:
    assert normal_quantile(0.95) == pytest.approx(1.959964, abs=1e-6)
    for freedom, value in ((1, 12.7062), (2, 4.30265), (10, 2.22814), (1000, 1.96234)):
        assert t_quantile(0.95, freedom) == pytest.approx(value, abs=1e-4)
    # The beta distribution with whole parameters is a sum of binomial probabilities.
    assert beta_distribution(0.3, 2, 5) == pytest.approx(1 - 0.7**6 - 6 * 0.3 * 0.7**5)
    assert beta_distribution(0.9, 40.5, 3.25) + beta_distribution(0.1, 3.25, 40.5) == 1
    assert (beta_distribution(0, 2, 2), beta_distribution(1, 2, 2)) == (0, 1)
    for probability in (0.001, 0.5, 0.975):
        quantile = beta_quantile(probability, 7.5, 290.5)
        assert beta_distribution(quantile, 7.5, 290.5) == pytest.approx(probability)
