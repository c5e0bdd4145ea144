from __future__ import annotations

from byzanz.coach.endgame import solve
from byzanz.coach.evaluation import Evaluator
from byzanz.rules import Deal, Game, View
from tests.coach.exhaustive import compare, deal_count, last_positions


def test_the_coach_finds_what_brute_force_finds() -> None:
    """``python -m tests.coach.exhaustive``, part of ``make soak``, compares 2,000 positions."""
    evaluator = Evaluator()
    found = [
        (right, error, view.phase.value, deal_count(view))
        for players in (3, 4, 5, 6)
        for seed in range(6)
        for right, error, view in compare(players, seed, evaluator, most_deals=50)
    ]
    assert len(found) >= 40
    assert {phase for _, _, phase, _ in found} == {"market", "limit", "final-sale"}
    assert any(deals > 1 for _, _, _, deals in found)
    assert all(right and error <= 1e-6 for right, error, _, _ in found)


def test_positions_in_which_others_decide_are_not_solved() -> None:
    assert solve(Game.start(Deal.from_seed(4, 1)).view(0)) is None


def test_a_sample_of_the_deals_is_close_to_all_of_them() -> None:
    view = next(
        view
        for seed in range(20)
        for view in last_positions(4, seed)
        if 100 < deal_count(view) < 2000 and 0.2 < max(solved(view)) < 0.8
    )
    exact, sampled = solve(view), solve(view, seed=3, most_deals=1)
    assert exact is not None
    assert sampled is not None
    assert (exact.sampled, sampled.sampled) == (0, 4000)
    assert abs(sum(sampled.outlook) - 1) < 1e-9
    for action, value in exact.values.items():
        assert abs(sampled.values[action] - value) < 0.04


def solved(view: View) -> list[float]:
    found = solve(view)
    assert found is not None
    return list(found.values.values())
