"""What is said is held against what comes."""

from __future__ import annotations

import numpy as np
import pytest

from byzanz.network import Correction, Network
from byzanz.training.calibration import Sayings, corrected, listen
from tests.network.nets import by_profit


def made_up(
    sharpness: float = 1.0, lean: float = 0.0, favour: float = 0.0, decisions: int = 20_000
) -> Sayings:
    """Sayings that should have been corrected like this."""
    chance = np.random.default_rng(5)
    said = chance.dirichlet([1.5] * 4, decisions)
    true = said**sharpness * np.exp(favour * said + [lean, 0, 0, 0])
    true /= true.sum(1, keepdims=True)
    winners = (true.cumsum(1) > chance.random(decisions)[:, None]).argmax(1)
    came = np.zeros((decisions, 6))
    came[np.arange(decisions), winners] = 1
    return Sayings(4, np.pad(said, ((0, 0), (0, 2))), came, np.arange(decisions))


@pytest.mark.parametrize(
    "correction", [(0.7, 0.0, 0.0), (1.0, 0.3, 0.5), (1.3, -0.2, 0.0), (1.0, 0.0, -0.8)]
)
def test_the_correction_that_says_best_what_came_is_found(
    correction: tuple[float, float, float],
) -> None:
    found = made_up(*correction, decisions=200_000).correction()
    assert found == pytest.approx(correction, abs=0.1)


def test_bins_show_where_too_much_was_said() -> None:
    bins = made_up().bins()
    assert all(abs(each.error) < 4 * each.doubt for each in bins if each.games >= 100)
    said_too_much = made_up(0.6).bins()
    assert said_too_much[5].error < -0.05
    assert said_too_much[0].error > 0.02


def test_what_is_said_twice_in_a_game_is_no_surer() -> None:
    once = made_up(decisions=4000)
    twice = Sayings(
        4, np.repeat(once.said, 2, 0), np.repeat(once.came, 2, 0), np.repeat(once.games, 2)
    )
    for one, two in zip(once.bins(), twice.bins(), strict=True):
        assert (two.decisions, two.games) == (2 * one.decisions, one.games)
        assert two.doubt == pytest.approx(one.doubt)
        if one.games >= 100:
            by_chance = np.sqrt(one.said * (1 - one.said) / one.games)
            assert one.doubt == pytest.approx(by_chance, rel=0.15)


def test_a_network_is_heard_at_every_choice_of_its_games() -> None:
    network = Network(by_profit())
    sayings = listen(network, players=3, games=70, seed=9, heat=1.0)
    assert np.allclose(sayings.said.sum(1), 1, atol=1e-5)
    assert np.allclose(sayings.came.sum(1), 1)
    assert np.unique(sayings.games).tolist() == list(range(70))
    first = [sayings.said[sayings.games == game][0] for game in range(70)]
    assert np.allclose(np.array(first)[:, :3], 1 / 3)  # nobody has any profit yet
    likely = sayings.said[:, 0] > 0.8
    assert sayings.came[likely, 0].mean() > sayings.came[~likely, 0].mean()


def test_corrected_chances_are_what_was_found_best() -> None:
    said = listen(Network(by_profit()), players=4, games=6, seed=2, heat=1.0)
    weights = corrected(by_profit(), {4: Correction(1.5, 0.7, 0.4)})
    again = listen(Network(weights), players=4, games=6, seed=2, heat=1.0)
    wanted = said.said[:, :4] ** 1.5 * np.exp(0.4 * said.said[:, :4] + [0.7, 0, 0, 0])
    assert np.allclose(again.said[:, :4], wanted / wanted.sum(1, keepdims=True), atol=1e-4)
    plain = corrected(weights, {})
    assert np.array_equal(plain.corrections, by_profit().corrections)
