from __future__ import annotations

from math import sqrt
from time import perf_counter

import numpy as np
import pytest

from byzanz.fast.layout import Floats, Ints
from byzanz.network import Network
from byzanz.rules import Action, Deal, Done, Game, Pass, Phase, View
from byzanz.search import Budget
from byzanz.search.network_evaluator import NetworkEvaluator
from byzanz.search.playout_evaluator import PlayoutEvaluator
from byzanz.search.search import Evaluator, Plan, Stage, search
from tests.random_games import random_game

START = Game.start(Deal.from_seed(4, 1)).view(0)


class Fixed(Stage):
    """Candidates with known win probabilities, of which one stays when the budget is used up."""

    batch = 12

    def __init__(self, means: list[float], deviation: float) -> None:
        self._means = np.array(means)
        self._deviation = deviation
        self._rng = np.random.default_rng(1)

    def evaluate(self, candidates: Ints, results: Floats) -> int:
        noise = self._rng.normal(0, self._deviation, results.shape)
        results[:] = self._means[candidates] + noise
        return results.size

    def survivors(self, candidates: Ints, results: Floats, used: float) -> Ints:
        order = np.argsort(-results.mean(axis=0))
        return order[:1] if used >= 1 else order


class Scripted:
    """An evaluator whose candidates are the first legal actions."""

    def __init__(self, *stages: Stage, count: int) -> None:
        self._stages = stages
        self._count = count

    def plan(self, view: View, budget: Budget, chance: int) -> Plan:
        actions: list[Action] = list(view.options)[: self._count]
        return Plan(actions, self._stages)


def test_estimates_are_means_with_standard_errors() -> None:
    evaluator = Scripted(Fixed([0.3, 0.7, 0.5], 0.1), count=3)
    found = search(START, evaluator, Budget(iterations=3000), 0)
    actions = list(START.options)
    assert [each.action for each in found] == [actions[1], actions[2], actions[0]]
    for each, mean in zip(found, (0.7, 0.5, 0.3), strict=True):
        assert each.worlds == 1000
        assert each.win_probability is not None
        assert each.standard_error == pytest.approx(0.1 / sqrt(1000), rel=0.1)
        assert abs(each.win_probability - mean) < 4 * 0.1 / sqrt(1000)


def test_estimates_of_two_stages_are_averaged_by_their_weights() -> None:
    first, second = Fixed([0.2, 0.4], 0.01), Fixed([0.8, 0.4], 0.01)
    first.end, second.earlier_weight = 0.5, 0.5
    found = search(START, Scripted(first, second, count=2), Budget(iterations=2400), 0)
    assert found[0].action == Pass()
    assert found[0].win_probability == pytest.approx((0.8 + 0.5 * 0.2) / 1.5, abs=0.01)
    assert found[1].win_probability == pytest.approx(0.4, abs=0.01)
    error = 0.01 / sqrt(600) * sqrt(1 + 0.25) / 1.5
    assert found[0].standard_error == pytest.approx(error, rel=0.2)
    assert found[0].worlds == 1200


def test_an_only_candidate_is_not_tried() -> None:
    (only,) = search(START, Scripted(Fixed([0.5], 0.1), count=1), Budget(iterations=100), 0)
    assert (only.action, only.worlds) == (Pass(), 0)
    assert only.win_probability is only.standard_error is None


def test_the_viewer_must_be_to_act_before_the_final_sale() -> None:
    evaluator = Scripted(Fixed([0.5], 0.1), count=1)
    with pytest.raises(ValueError, match="to act before the final sale"):
        search(Game.start(Deal.from_seed(4, 1)).view(1), evaluator, Budget(iterations=1), 0)
    final = next(game for game in random_game(3, 1) if game.state.phase is Phase.FINAL_SALE)
    seat = next(iter(final.state.waiting_for))
    assert Done() in final.view(seat).options or final.view(seat).options.sales
    with pytest.raises(ValueError, match="to act before the final sale"):
        search(final.view(seat), evaluator, Budget(iterations=1), 0)


@pytest.fixture(params=["playouts", "network"])
def evaluator(request: pytest.FixtureRequest) -> Evaluator:
    return PlayoutEvaluator() if request.param == "playouts" else NetworkEvaluator(Network.load())


def test_every_candidate_is_legal_and_has_an_estimate(evaluator: Evaluator) -> None:
    several = 0
    for number, game in enumerate(random_game(4, 3)):
        seat = game.state.turn
        if seat is None or number % 4 or game.state.phase is Phase.FINAL_SALE:
            continue
        seen = game.view(seat)
        found = search(seen, evaluator, Budget(iterations=48), number)
        assert all(each.action in seen.options for each in found)
        assert len({each.action for each in found}) == len(found)
        if len(found) > 1:
            several += 1
            assert all(each.worlds > 0 for each in found)
            assert all(0 <= (each.win_probability or 0) <= 1 for each in found)
            others = [each.win_probability or 0 for each in found[1:]]
            assert others == sorted(others, reverse=True)
    assert several > 10


def test_iterations_and_seed_decide_the_result(evaluator: Evaluator) -> None:
    first, again = (search(START, evaluator, Budget(iterations=300), 5) for _ in range(2))
    assert first == again
    assert search(START, evaluator, Budget(iterations=300), 6) != first


def test_a_budget_in_seconds_is_kept(evaluator: Evaluator) -> None:
    search(START, evaluator, Budget(iterations=1), 0)  # compile before measuring
    began = perf_counter()
    search(START, evaluator, Budget(seconds=0.2), 0)
    assert perf_counter() - began < 1.5  # the machine may be busy with other tests
