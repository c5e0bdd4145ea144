"""Seatings: policies are distributed over games and seats as the settings say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byzanz.training import Settings
from byzanz.training.env import IMITATOR, LEARNER, SCRIPTED, SCRIPTS, TRADER
from byzanz.training.opponents import blocks, evaluation_seating, training_seating

SETTINGS = Settings(
    num_envs=4000, minibatch_size=4000, num_snapshots=3, self_play_fraction=0.5,
    single_kind_fraction=0.5, opponents=(("past", 5.0), ("trader", 4.5), ("sensible", 0.5)),
)  # fmt: skip


def existing(players: np.ndarray) -> np.ndarray:
    """Return a mask of the seats that exist."""
    return np.asarray(np.arange(6) < players[:, None])


def test_a_player_count_given_twice_is_twice_as_frequent() -> None:
    seating = training_seating(
        replace(SETTINGS, players=(3, 3, 4), num_envs=3000), np.random.default_rng(1)
    )
    assert np.bincount(seating.players).tolist() == [0, 0, 0, 2000, 1000]


def test_all_player_counts_are_equally_frequent() -> None:
    seating = training_seating(SETTINGS, np.random.default_rng(1))
    assert [int((seating.players == count).sum()) for count in (3, 4, 5, 6)] == [1000] * 4


def test_the_learner_plays_in_every_game_and_in_every_seat_of_half_of_them() -> None:
    seating = training_seating(SETTINGS, np.random.default_rng(1))
    learners = ((seating.policies == LEARNER) & existing(seating.players)).sum(1)
    assert learners.min() == 1
    alone = (learners == seating.players).mean()
    assert alone == 0.5


def test_opponents_are_as_frequent_as_their_weights() -> None:
    seating = training_seating(SETTINGS, np.random.default_rng(1))
    others = seating.policies[existing(seating.players) & (seating.policies != LEARNER)]
    networks = others[others < SCRIPTED]
    assert set(networks) == {1, 2, 3}
    assert 0.45 < len(networks) / len(others) < 0.55
    assert 0.4 < (others == TRADER).mean() < 0.5


def test_half_of_the_other_games_have_opponents_of_a_single_kind() -> None:
    seating = training_seating(SETTINGS, np.random.default_rng(1))
    seats = existing(seating.players)
    foreign = seats & (seating.policies != LEARNER)
    policies = [set(row[those]) for row, those in zip(seating.policies, foreign, strict=True)]
    several = foreign.sum(1) == seating.players - 1
    alike = [len(found) == 1 for found in policies]
    # In some of the others, the opponents are of a single kind by chance.
    assert 0.5 < np.mean(several & alike) / 0.5 < 0.62


def test_some_training_games_have_a_random_start_and_no_evaluation_game_has() -> None:
    settings = replace(SETTINGS, random_start_fraction=0.25)
    first = training_seating(settings, np.random.default_rng(1)).first
    assert 0.22 < (first > 1).mean() < 0.28
    assert len(set(first)) > 80
    seating = evaluation_seating(TRADER, (3, 4), 60, np.random.default_rng(1))
    assert (seating.first == 1).all()


def test_each_snapshot_plays_in_its_own_block_of_envs() -> None:
    seating = training_seating(SETTINGS, np.random.default_rng(1))
    own = blocks(SETTINGS)
    assert [(policy, block.start, block.stop) for policy, block in own.items()] == [
        (1, 2000, 2667),
        (2, 2667, 3333),
        (3, 3333, 4000),
    ]
    for snapshot, block in own.items():
        policies = seating.policies[block][existing(seating.players[block])]
        assert set(policies[(policies > LEARNER) & (policies < SCRIPTED)]) == {snapshot}
    assert not np.any(seating.policies[:2000][existing(seating.players[:2000])])


def test_the_imitator_has_a_block_as_large_as_its_share() -> None:
    opponents = (("past", 3.0), ("imitator", 2.0), ("trader", 5.0))
    settings = replace(SETTINGS, opponents=opponents)
    own = blocks(settings)
    assert own[IMITATOR] == slice(3200, 4000)
    seating = training_seating(settings, np.random.default_rng(1))
    seats = existing(seating.players)
    assert set(seating.policies[own[IMITATOR]][seats[own[IMITATOR]]]) == {LEARNER, IMITATOR, TRADER}
    others = seating.policies[seats & (seating.policies != LEARNER)]
    assert 0.17 < (others == IMITATOR).mean() < 0.23
    assert 0.45 < (others == TRADER).mean() < 0.55


def test_a_buffer_too_small_for_an_update_is_refused() -> None:
    with pytest.raises(ValueError, match="the buffer is too small"):
        replace(Settings.small(), num_envs=8)


def test_a_best_response_has_one_seat_among_frozen_copies() -> None:
    seating = training_seating(SETTINGS.best_response(), np.random.default_rng(1))
    seats = existing(seating.players)
    assert np.all(((seating.policies == LEARNER) & seats).sum(1) == 1)
    assert set(seating.policies[seats]) == {LEARNER, 1}


def test_the_same_random_numbers_give_the_same_seating() -> None:
    one, two = (training_seating(SETTINGS, np.random.default_rng([3, 4])) for _ in range(2))
    assert np.array_equal(one.policies, two.policies)
    assert np.array_equal(one.seeds, two.seeds)


def test_in_an_evaluation_the_learner_plays_every_seat_of_every_deal() -> None:
    seating = evaluation_seating(TRADER, (3, 4, 5, 6), 60, np.random.default_rng(1))
    for count in (3, 4, 5, 6):
        block = seating.players == count
        seats = (seating.policies[block] == LEARNER).nonzero()[1]
        deals = seating.seeds[block]
        assert len(set(deals)) == 60 // count
        assert sorted(zip(deals, seats, strict=True)) == [
            (deal, seat) for deal in sorted(set(deals)) for seat in range(count)
        ]
    assert set(seating.policies[:, :3].ravel()) == {LEARNER, TRADER}


def test_opponents_can_be_given_with_weights() -> None:
    settings = SETTINGS.with_opponents({"self": 2, "imitator": 6, "past": 0, "trader": 2})
    seating = training_seating(
        replace(settings, single_kind_fraction=1.0), np.random.default_rng(1)
    )
    seats = zip(seating.policies, seating.players, strict=True)
    others = [set(row[:count]) - {LEARNER} for row, count in seats]
    assert others.count(set()) == 800
    assert 0.57 < others.count({IMITATOR}) / 4000 < 0.63
    assert 0.17 < others.count({TRADER}) / 4000 < 0.23
    assert blocks(settings) == {IMITATOR: slice(800, 4000)}


def test_all_scripts_can_be_opponents() -> None:
    settings = SETTINGS.with_opponents({"past": 1, **dict.fromkeys(SCRIPTS, 1)})
    seating = training_seating(settings, np.random.default_rng(1))
    assert {*SCRIPTS.values()} <= {*seating.policies[existing(seating.players)].tolist()}


def test_self_play_alone_is_possible() -> None:
    settings = SETTINGS.with_opponents({"self": 1})
    assert not training_seating(settings, np.random.default_rng(1)).policies.any()
    assert blocks(settings) == {}


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"self": 1, "pasta": 2}, "unknown opponent 'pasta'; use self, imitator, past"),
        ({"self": 1, "trader": 2}, "'past' or 'imitator'"),
        ({"self": 0, "past": 0}, "a weight above 0"),
    ],
)
def test_impossible_opponents_are_refused(weights: dict[str, float], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SETTINGS.with_opponents(weights)
