from __future__ import annotations

import numpy as np
import pytest

from byzanz.encoding.features import SLOTS
from byzanz.encoding.moment import Moment
from byzanz.fast import RECORD_LENGTH, rows_of, to_record
from byzanz.fast.convert import record_of
from byzanz.fast.layout import CHANCE
from byzanz.network import Network
from byzanz.rules import Chance, Deal, Game, world
from byzanz.search.network_evaluator import contenders, evaluate_worlds, most_probable
from tests.network.nets import random_weights
from tests.network.world_value import value_in_world


def test_candidates_depend_on_the_view_alone() -> None:
    chance, network = Chance(3), Network(random_weights())
    game = Game.start(Deal.from_seed(4, 4))
    for _ in range(25):
        seat = game.state.turn
        assert seat is not None
        seen = game.view(seat)
        unseen = list(seen.pool)
        chance.shuffle(unseen)
        one, other = record_of(seen), rows_of(to_record(Moment(world(seen, unseen))))[0]
        assert most_probable(network, one) == most_probable(network, other)
        game = game.play(seat, network.choose(seen))


def test_significantly_worse_candidates_drop_out_and_no_others() -> None:
    rng = np.random.default_rng(1)
    luck = rng.random(64)
    near = luck + rng.normal(0.0, 0.2, 64)
    results = np.stack((luck - 0.2 + rng.normal(0.0, 0.1, 64), luck, near), axis=1)
    log_prior = np.log(np.full(3, 1 / 3))
    assert sorted(contenders(results, log_prior)) == [1, 2]
    assert contenders(results[:4], log_prior)[-1] == 0, "few worlds rank, but drop nobody"
    assert contenders(results - [0.0, 0.5, 0.5], log_prior).tolist() == [0]


def test_the_prior_decides_between_equal_results() -> None:
    same = np.repeat(np.random.default_rng(1).random((400, 1)), 2, axis=1)
    assert contenders(same, np.log([0.2, 0.8])).tolist()[0] == 1
    assert contenders(np.repeat(same, 10, axis=0), np.log([0.001, 0.999])).tolist()[0] == 1


@pytest.mark.parametrize("players", [3, 6])
def test_a_world_is_evaluated_from_the_seats_own_view(players: int) -> None:
    network = Network(random_weights())
    games, shares = np.zeros((2, RECORD_LENGTH), np.int64), np.zeros(SLOTS)
    game = Game.start(Deal.from_seed(players, 5))
    tried = 0
    while (seat := game.state.turn) is not None:
        root = record_of(game.view(seat), tried)
        sequences, _ = most_probable(network, root)
        for numbers in sequences[:2] if len(sequences) > 1 else ():
            seed, results = int(root[CHANCE]), np.zeros((1, 1))
            expected = value_in_world(network, root.copy(), seed, numbers)
            evaluate_worlds(
                network.arrays, network.workspace, root, np.array([numbers]), results, games, shares
            )
            assert results[0, 0] == pytest.approx(expected, abs=1e-6)
            tried += 1
        game = game.play(seat, network.choose(game.view(seat)))
    assert tried > 100
