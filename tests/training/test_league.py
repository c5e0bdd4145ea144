"""Seats are shared out as the settings say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from byzanz.training import Settings
from byzanz.training.advancing import LEARNER, SCRIPTED, TRADER
from byzanz.training.league import league, one_against

SETTINGS = Settings(games=4000)


def there(players: np.ndarray) -> np.ndarray:
    """Which seats exist."""
    return np.asarray(np.arange(6) < players[:, None])


def test_all_numbers_of_players_are_played_alike() -> None:
    seating = league(SETTINGS, 2, np.random.default_rng(1))
    assert [int((seating.players == count).sum()) for count in (3, 4, 5, 6)] == [1000] * 4


def test_the_learner_sits_at_every_table_and_alone_at_half_of_them() -> None:
    seating = league(SETTINGS, 2, np.random.default_rng(1))
    learners = ((seating.kinds == LEARNER) & there(seating.players)).sum(1)
    assert learners.min() == 1
    alone = (learners == seating.players).mean()
    assert 0.45 < alone < 0.55


def test_others_sit_there_as_often_as_they_should() -> None:
    seating = league(SETTINGS, 3, np.random.default_rng(1))
    others = seating.kinds[there(seating.players) & (seating.kinds != LEARNER)]
    networks = others[others < SCRIPTED]
    assert set(networks) == {1, 2, 3}
    assert 0.55 < len(networks) / len(others) < 0.65
    assert 0.32 < (others == TRADER).mean() < 0.38


def test_without_past_selves_the_learner_takes_their_seats() -> None:
    seating = league(SETTINGS, 0, np.random.default_rng(1))
    assert not np.any((seating.kinds > LEARNER) & (seating.kinds < SCRIPTED))


def test_a_best_response_learns_in_one_seat_among_frozen_copies() -> None:
    seating = league(SETTINGS.exploiting(), 1, np.random.default_rng(1))
    seats = there(seating.players)
    assert np.all(((seating.kinds == LEARNER) & seats).sum(1) == 1)
    assert set(seating.kinds[seats]) == {LEARNER, 1}


def test_the_same_chance_seats_and_deals_the_same() -> None:
    one, two = (league(SETTINGS, 1, np.random.default_rng([3, 4])) for _ in range(2))
    assert np.array_equal(one.kinds, two.kinds)
    assert np.array_equal(one.seeds, two.seeds)


def test_who_is_measured_sits_in_every_seat_equally_often() -> None:
    seating = one_against(TRADER, (3, 5), 60, np.random.default_rng(1))
    for count in (3, 5):
        own = seating.kinds[seating.players == count] == LEARNER
        assert own[:, :count].sum(0).tolist() == [60 // count] * count
    assert set(seating.categories()[:, :3].ravel()) == {0, 4}


def test_settings_come_back_from_json() -> None:
    settings = replace(Settings.small(), players=(3, 4))
    assert Settings.from_json(settings.as_json()) == settings
