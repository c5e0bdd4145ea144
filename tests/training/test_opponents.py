"""Seats are shared out as the settings say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from byzanz.training import Settings
from byzanz.training.env import IMITATOR, LEARNER, SCRIPTED, SCRIPTS, TRADER
from byzanz.training.opponents import blocks, league, one_against

SETTINGS = Settings(
    games=4000, minibatch=4000, past_at_once=3, alone=0.5, alike=0.5,
    company=(("past", 5.0), ("trader", 4.5), ("sensible", 0.5)),
)  # fmt: skip


def there(players: np.ndarray) -> np.ndarray:
    """Which seats exist."""
    return np.asarray(np.arange(6) < players[:, None])


def test_a_number_of_players_named_twice_is_twice_as_frequent() -> None:
    seating = league(replace(SETTINGS, players=(3, 3, 4), games=3000), np.random.default_rng(1))
    assert np.bincount(seating.players).tolist() == [0, 0, 0, 2000, 1000]


def test_all_numbers_of_players_are_played_alike() -> None:
    seating = league(SETTINGS, np.random.default_rng(1))
    assert [int((seating.players == count).sum()) for count in (3, 4, 5, 6)] == [1000] * 4


def test_the_learner_sits_at_every_table_and_alone_at_half_of_them() -> None:
    seating = league(SETTINGS, np.random.default_rng(1))
    learners = ((seating.kinds == LEARNER) & there(seating.players)).sum(1)
    assert learners.min() == 1
    alone = (learners == seating.players).mean()
    assert alone == 0.5


def test_others_sit_there_as_often_as_they_should() -> None:
    seating = league(SETTINGS, np.random.default_rng(1))
    others = seating.kinds[there(seating.players) & (seating.kinds != LEARNER)]
    networks = others[others < SCRIPTED]
    assert set(networks) == {1, 2, 3}
    assert 0.45 < len(networks) / len(others) < 0.55
    assert 0.4 < (others == TRADER).mean() < 0.5


def test_at_half_of_the_tables_with_others_these_are_all_alike() -> None:
    seating = league(SETTINGS, np.random.default_rng(1))
    seats = there(seating.players)
    foreign = seats & (seating.kinds != LEARNER)
    kinds = [set(row[those]) for row, those in zip(seating.kinds, foreign, strict=True)]
    several = foreign.sum(1) == seating.players - 1
    alike = [len(found) == 1 for found in kinds]
    # At some more the learner has one seat, and a few of those are alike by chance.
    assert 0.5 < np.mean(several & alike) / 0.5 < 0.62


def test_some_games_begin_astray_and_none_that_measure() -> None:
    begin = league(replace(SETTINGS, astray=0.25), np.random.default_rng(1)).begin
    assert 0.22 < (begin > 1).mean() < 0.28
    assert len(set(begin)) > 80
    assert (one_against(TRADER, (3, 4), 60, np.random.default_rng(1)).begin == 1).all()


def test_each_past_self_plays_in_its_own_block_of_slots() -> None:
    seating = league(SETTINGS, np.random.default_rng(1))
    own = blocks(SETTINGS)
    assert [(kind, block.start, block.stop) for kind, block in own.items()] == [
        (1, 2000, 2667),
        (2, 2667, 3333),
        (3, 3333, 4000),
    ]
    for past, block in own.items():
        kinds = seating.kinds[block][there(seating.players[block])]
        assert set(kinds[(kinds > LEARNER) & (kinds < SCRIPTED)]) == {past}
    assert not np.any(seating.kinds[:2000][there(seating.players[:2000])])


def test_the_imitator_has_a_block_as_large_as_its_share() -> None:
    company = (("past", 3.0), ("imitator", 2.0), ("trader", 5.0))
    settings = replace(SETTINGS, company=company)
    own = blocks(settings)
    assert own[IMITATOR] == slice(3200, 4000)
    seating = league(settings, np.random.default_rng(1))
    seats = there(seating.players)
    assert set(seating.kinds[own[IMITATOR]][seats[own[IMITATOR]]]) == {LEARNER, IMITATOR, TRADER}
    others = seating.kinds[seats & (seating.kinds != LEARNER)]
    assert 0.17 < (others == IMITATOR).mean() < 0.23
    assert 0.45 < (others == TRADER).mean() < 0.55


def test_a_lesson_needs_enough_that_is_remembered() -> None:
    with pytest.raises(ValueError, match="too little is remembered"):
        replace(Settings.small(), games=8)


def test_a_best_response_learns_in_one_seat_among_frozen_copies() -> None:
    seating = league(SETTINGS.exploiting(), np.random.default_rng(1))
    seats = there(seating.players)
    assert np.all(((seating.kinds == LEARNER) & seats).sum(1) == 1)
    assert set(seating.kinds[seats]) == {LEARNER, 1}


def test_the_same_chance_seats_and_deals_the_same() -> None:
    one, two = (league(SETTINGS, np.random.default_rng([3, 4])) for _ in range(2))
    assert np.array_equal(one.kinds, two.kinds)
    assert np.array_equal(one.seeds, two.seeds)


def test_who_is_measured_sits_in_every_seat_of_every_deal() -> None:
    seating = one_against(TRADER, (3, 4, 5, 6), 60, np.random.default_rng(1))
    for count in (3, 4, 5, 6):
        block = seating.players == count
        seats = (seating.kinds[block] == LEARNER).nonzero()[1]
        deals = seating.seeds[block]
        assert len(set(deals)) == 60 // count
        assert sorted(zip(deals, seats, strict=True)) == [
            (deal, seat) for deal in sorted(set(deals)) for seat in range(count)
        ]
    assert set(seating.kinds[:, :3].ravel()) == {LEARNER, TRADER}


def test_settings_come_back_from_json() -> None:
    settings = replace(Settings.small(), players=(3, 4))
    assert Settings.from_json(settings.as_json()) == settings


def test_company_is_kept_as_it_is_told() -> None:
    settings = SETTINGS.among({"self": 2, "imitator": 6, "past": 0, "trader": 2})
    seating = league(replace(settings, alike=1.0), np.random.default_rng(1))
    seats = zip(seating.kinds, seating.players, strict=True)
    others = [set(row[:count]) - {LEARNER} for row, count in seats]
    assert others.count(set()) == 800
    assert 0.57 < others.count({IMITATOR}) / 4000 < 0.63
    assert 0.17 < others.count({TRADER}) / 4000 < 0.23
    assert blocks(settings) == {IMITATOR: slice(800, 4000)}


def test_all_scripted_players_may_be_company() -> None:
    settings = SETTINGS.among({"past": 1, **dict.fromkeys(SCRIPTS, 1)})
    seating = league(settings, np.random.default_rng(1))
    assert {*SCRIPTS.values()} <= {*seating.kinds[there(seating.players)].tolist()}


def test_the_learner_may_keep_to_itself() -> None:
    settings = SETTINGS.among({"self": 1})
    assert not league(settings, np.random.default_rng(1)).kinds.any()
    assert blocks(settings) == {}


@pytest.mark.parametrize(
    ("often", "wrong"),
    [
        ({"self": 1, "pasta": 2}, "nobody is called 'pasta'; company is self, imitator, past"),
        ({"self": 1, "trader": 2}, "past selves or the imitator"),
        ({"self": 0, "past": 0}, "somebody"),
    ],
)
def test_company_that_nobody_can_keep_is_refused(often: dict[str, float], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        SETTINGS.among(often)
