from __future__ import annotations

import pytest

from byzanz.coach.evaluation import Evaluator, evaluate
from byzanz.network import Network
from byzanz.notation import write_action
from byzanz.rules import Deal, Game, Pass, Phase, options
from tests.network.nets import random_weights
from tests.random_games import other_world, random_game


@pytest.fixture(scope="module")
def evaluator() -> Evaluator:
    return Evaluator(Network(random_weights()))


def test_candidates_come_best_first_and_add_up() -> None:
    found = evaluate(Game.start(Deal.from_seed(4, 1)).view(0), worlds=32)
    behind = [one.behind for one in found.candidates]
    assert len(behind) > 2
    assert behind[0] == found.best.standard_error == 0
    assert behind[1:] == sorted(behind[1:])
    for one in found.candidates:
        top = found.best.win_probability
        assert one.win_probability == pytest.approx(top - one.behind / 100, abs=1e-5)
        assert 16 <= one.worlds <= 32
    assert sum(found.outlook) == pytest.approx(1, abs=1e-5)
    assert found.outlook[0] == pytest.approx(found.best.win_probability, abs=1e-5)


def test_the_played_action_is_always_a_candidate(evaluator: Evaluator) -> None:
    view = Game.start(Deal.from_seed(4, 1)).view(0)
    seen = {one.action for one in evaluator.evaluate(view, worlds=16).candidates}
    for action in view.options:
        if write_action(action) not in seen:
            found = evaluator.evaluate(view, worlds=32, include=[action])
            one = found.candidate(write_action(action))
            assert one.worlds == max(each.worlds for each in found.candidates)
            break
    else:
        pytest.fail("the network considers every action")


def test_a_sale_out_of_turn_is_compared_with_waiting(evaluator: Evaluator) -> None:
    for game in random_game(4, 3):
        state = game.state
        for seat in range(4):
            sales = options(state, seat).sales
            if sales and seat != state.turn and state.phase is Phase.AUCTION:
                found = evaluator.evaluate(game.view(seat), worlds=16, include=[sales[0]])
                assert {one.action for one in found.candidates} == {None, write_action(sales[0])}
                with pytest.raises(ValueError, match="expected a viewer who is to act"):
                    evaluator.evaluate(game.view(seat))
                with pytest.raises(ValueError, match="expected a viewer who is to act"):
                    evaluator.evaluate(game.view(seat), include=[Pass()])
                return
    pytest.fail("nobody could sell out of turn")


def test_what_the_seat_has_not_seen_changes_nothing(evaluator: Evaluator) -> None:
    compared = 0
    for number, game in enumerate(random_game(4, 8)):
        seat = game.state.turn
        if seat is not None and number % 9 == 0:
            other = other_world(game, seat, number)
            assert other.state != game.state or not game.state.deck
            one, same = (evaluator.evaluate(each.view(seat), worlds=16) for each in (game, other))
            assert one == same
            compared += 1
    assert compared > 8


def test_a_game_that_is_over_has_no_candidates() -> None:
    *_, game = random_game(3, 1)
    with pytest.raises(ValueError, match="not over"):
        evaluate(game.view(0))
