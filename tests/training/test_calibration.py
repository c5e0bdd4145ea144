"""Calibration: predicted win probabilities are compared with results and corrected."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from byzanz.network import Calibration, Network
from byzanz.training.calibration import Predictions, calibrated, predict
from tests.network.nets import profit_weights


def made_up(
    slope: float = 1.0, own_bias: float = 0.0, linear: float = 0.0, decisions: int = 20_000
) -> Predictions:
    """Return predictions whose best calibration has these parameters."""
    rng = np.random.default_rng(5)
    predicted = rng.dirichlet([1.5] * 4, decisions)
    true = predicted**slope * np.exp(linear * predicted + [own_bias, 0, 0, 0])
    true /= true.sum(1, keepdims=True)
    winners = (true.cumsum(1) > rng.random(decisions)[:, None]).argmax(1)
    observed = np.zeros((decisions, 6))
    observed[np.arange(decisions), winners] = 1
    return Predictions(4, np.pad(predicted, ((0, 0), (0, 2))), observed, np.arange(decisions))


@pytest.mark.parametrize(
    "parameters", [(0.7, 0.0, 0.0), (1.0, 0.3, 0.5), (1.3, -0.2, 0.0), (1.0, 0.0, -0.8)]
)
def test_the_fit_finds_the_parameters(parameters: tuple[float, float, float]) -> None:
    found = made_up(*parameters, decisions=200_000).fit()
    assert found == pytest.approx(parameters, abs=0.1)


def test_bins_show_overconfident_predictions() -> None:
    bins = made_up().bins()
    assert all(abs(each.error) < 4 * each.standard_error for each in bins if each.games >= 100)
    overconfident = made_up(0.6).bins()
    assert overconfident[5].error < -0.05
    assert overconfident[0].error > 0.02


def test_a_second_prediction_in_a_game_does_not_reduce_the_standard_error() -> None:
    once = made_up(decisions=4000)
    twice = Predictions(
        4, np.repeat(once.predicted, 2, 0), np.repeat(once.observed, 2, 0), np.repeat(once.games, 2)
    )
    for one, two in zip(once.bins(), twice.bins(), strict=True):
        assert (two.decisions, two.games) == (2 * one.decisions, one.games)
        assert two.standard_error == pytest.approx(one.standard_error)
        if one.games >= 100:
            binomial = np.sqrt(one.predicted * (1 - one.predicted) / one.games)
            assert one.standard_error == pytest.approx(binomial, rel=0.15)


def test_there_is_a_prediction_for_every_choice_of_a_game() -> None:
    network = Network(profit_weights())
    found = predict(network, players=3, games=70, seed=9, temperature=1.0)
    assert np.allclose(found.predicted.sum(1), 1, atol=1e-5)
    assert np.allclose(found.observed.sum(1), 1)
    assert np.unique(found.games).tolist() == list(range(70))
    first = [found.predicted[found.games == game][0] for game in range(70)]
    assert np.allclose(np.array(first)[:, :3], 1 / 3)  # nobody has any profit yet
    likely = found.predicted[:, 0] > 0.8
    assert found.observed[likely, 0].mean() > found.observed[~likely, 0].mean()


def test_calibrated_weights_predict_the_calibrated_probabilities() -> None:
    before = predict(Network(profit_weights()), players=4, games=6, seed=2, temperature=1.0)
    weights = calibrated(profit_weights(), {4: Calibration(1.5, 0.7, 0.4)})
    after = predict(Network(weights), players=4, games=6, seed=2, temperature=1.0)
    wins = before.predicted[:, :4]
    expected = wins**1.5 * np.exp(0.4 * wins + [0.7, 0, 0, 0])
    assert np.allclose(after.predicted[:, :4], expected / expected.sum(1, keepdims=True), atol=1e-4)
    plain = calibrated(weights, {})
    assert np.array_equal(plain.calibration, profit_weights().calibration)


def test_calibration_needs_no_pytorch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import byzanz.training.calibration, byzanz.arena.charts, byzanz.cli.calibrate"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_the_calibration_error_and_the_brier_score() -> None:
    predicted = np.array([[0.25, 0.75, 0], [0.25, 0.75, 0], [0.85, 0.15, 0]], np.float32)
    observed = np.array([[0, 1, 0], [1, 0, 0], [1, 0, 0]], np.float32)
    found = Predictions(3, predicted, observed, np.arange(3))
    assert found.calibration_error() == pytest.approx((2 * 0.25 + 0.15) / 3)
    assert found.brier_score() == pytest.approx((0.125 + 1.125 + 0.045) / 3)
