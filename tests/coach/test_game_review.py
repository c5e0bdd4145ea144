from __future__ import annotations

from functools import cache

import pytest

from byzanz import coach
from byzanz.coach.game_review import accuracy_of, is_star, mark_for, review_game
from byzanz.coach.results import Candidate, Evaluation, Review
from byzanz.network import Network
from byzanz.notation import Record, write_action
from byzanz.rules import Game
from tests.network.nets import random_weights
from tests.random_games import finished, other_world


@cache
def network() -> Network:
    return Network(random_weights())


@cache
def whole() -> tuple[Game, Review]:
    game = finished(3, 4)
    return game, review_game(game, worlds=16, jobs=2, network=network())


def test_a_review_judges_every_decision_with_a_choice() -> None:
    game, review = whole()
    assert [one.seat for one in review.seats] == [0, 1, 2]
    assert (review.players, review.actions) == (3, len(game.plays))
    for one in review.seats:
        assert one.decisions
        assert 0 <= one.accuracy <= 100
        for decision in one.decisions:
            played = game.plays[decision.number - 1]
            assert (played.seat, write_action(played.action)) == (one.seat, decision.played)
            then = Game.replay(game.deal, game.plays[: decision.number - 1])
            view = decision.evaluation.view()
            assert (view.hand, view.phase) == (then.view(one.seat).hand, then.state.phase)
            assert decision.candidate.behind == decision.loss >= 0


def test_luck_own_losses_and_the_rest_add_up_to_the_result() -> None:
    game, review = whole()
    luck = [one.luck for one in review.seats]
    for one, split in zip(review.seats, luck, strict=True):
        assert split is not None
        whole_change = split.luck + split.own + split.rest
        assert split.end - split.start == pytest.approx(whole_change)
        assert split.own == pytest.approx(-one.loss)
        assert split.end == 100 * (one.seat in game.result.winners) / len(game.result.winners)
    assert sum(split.luck for split in luck if split) == pytest.approx(0, abs=1e-3)


def test_curves_add_up_to_one_and_end_with_the_result() -> None:
    game, review = whole()
    for curve in (review.curve, *[one.curve for one in review.seats]):
        assert all(sum(point.win_probabilities) == pytest.approx(1, abs=1e-4) for point in curve)
        assert [point.number for point in curve] == sorted(point.number for point in curve)
        assert curve[-1].number == len(game.plays)
        assert max(curve[-1].win_probabilities) == 1 / len(game.result.winners)


def test_a_review_can_be_stored() -> None:
    _, review = whole()
    assert Review.from_json(review.to_json()) == review
    with pytest.raises(ValueError, match="version 1, not 9"):
        Review.from_json(review.to_json().replace(b'"version":1', b'"version":9', 1))
    with pytest.raises(ValueError, match="missing required field"):
        Review.from_json("{}")


def test_a_seat_can_be_reviewed_alone_and_threads_change_nothing() -> None:
    game, review = whole()
    record = Record(game.deal, ("a", "b", "c"), plays=game.plays)
    counted: list[tuple[int, int]] = []
    alone = review_game(
        record, [1], worlds=16, jobs=1, network=network(),
        progress=lambda done, total: counted.append((done, total)),
    )  # fmt: skip
    assert alone.seats == (review.seat(1),)
    assert alone.curve == ()
    total = len(alone.seats[0].decisions)
    assert counted == [(done, total) for done in range(1, total + 1)]
    with pytest.raises(LookupError):
        alone.seat(0)
    with pytest.raises(ValueError, match="no seat 3 at a table of 3"):
        coach.review(game, [3])


def test_a_review_of_a_game_in_play_tells_nothing_about_hidden_cards() -> None:
    game = finished(4, 6)
    then = Game.replay(game.deal, game.plays[:30])
    for seat in (0, 3):
        found = [
            review_game(each, [seat], worlds=16, jobs=1, network=network()).to_json()
            for each in (then, other_world(then, seat, 1), other_world(then, seat, 2))
        ]
        assert len(set(found)) == 1
        assert Review.from_json(found[0]).seats[0].luck is None


def test_marks_need_a_large_and_certain_loss() -> None:
    marks = [mark_for(loss, 0.5) for loss in (1.9, 2.0, 3.9, 4.0, 7.9, 8.0)]
    assert marks == [None, "inaccuracy", "inaccuracy", "mistake", "mistake", "blunder"]
    assert mark_for(9.0, 3.0) is None
    assert mark_for(9.0, 2.9) == "blunder"


def test_a_star_needs_a_best_action_that_the_network_rarely_chooses() -> None:
    def evaluation(prior: float, behind: float, error: float) -> Evaluation:
        best = Candidate("pass", 0.3, 0.0, 0.0, 64, prior)
        natural = Candidate("bid C1", 0.3, behind, error, 64, 0.7)
        return Evaluation("", 0, (best, natural), ())

    assert is_star(evaluation(0.1, 3.0, 0.5), "pass")
    assert not is_star(evaluation(0.1, 3.0, 0.5), "bid C1")
    assert not is_star(evaluation(0.3, 3.0, 0.5), "pass")
    assert not is_star(evaluation(0.1, 1.9, 0.5), "pass")
    assert not is_star(evaluation(0.1, 3.0, 1.1), "pass")


def test_accuracy_falls_with_the_mean_loss() -> None:
    assert accuracy_of([], 4) == accuracy_of([0.0, 0.0], 4) == 100
    assert accuracy_of([0.0, 2.0], 4) == 77.9
    assert accuracy_of([1.0], 3) > accuracy_of([1.0], 6) > accuracy_of([2.0], 6)
