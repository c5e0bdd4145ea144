"""The estimate of a person's level."""

from __future__ import annotations

import random

import pytest

from byzanz.bots import LEVELS
from byzanz.coach.level import (
    _STRENGTHS,
    Outcome,
    _fit,
    estimate_level,
    mixed_table,
    suggest_level,
)


def test_a_newcomer_meets_level_one() -> None:
    assert suggest_level([]) == "level1"


def test_wins_raise_the_estimate_and_losses_lower_it() -> None:
    won = [Outcome(("level3",) * 3, 1.0)]
    lost = [Outcome(("level3",) * 3, 0.0)]
    assert estimate_level(lost) < estimate_level([]) < estimate_level(won)
    assert estimate_level(won) < estimate_level(won * 3)


def test_a_shared_win_counts_between_a_win_and_a_loss() -> None:
    table = ("level2",) * 3
    loss, shared, win = (estimate_level([Outcome(table, share)]) for share in (0.0, 0.5, 1.0))
    assert loss < shared < win


def test_games_with_other_bots_or_people_do_not_count() -> None:
    games = [Outcome(("trader", "level2"), 1.0), Outcome((), 1.0)]
    assert estimate_level(games) == estimate_level([])


@pytest.mark.parametrize("level", [2, 5, 9])
def test_the_estimate_finds_the_level_of_a_simulated_player(level: int) -> None:
    chance = random.Random(level)
    games: list[Outcome] = []
    for _ in range(150):
        table = mixed_table(suggest_level(games), 3)
        winning = 2.718281828 ** _fit(level, Outcome(table, 1.0))
        games.append(Outcome(table, float(chance.random() < winning)))
    assert estimate_level(games) == pytest.approx(level, abs=1.3)


def test_a_mixed_table_seats_near_levels() -> None:
    assert mixed_table("level5", 3) == ("level5", "level4", "level6")
    assert mixed_table("level1", 3) == ("level2", "level1", "level3")
    assert mixed_table("level10", 5) == ("level9", "level8", "level10", "level9", "level8")


def test_higher_levels_are_stronger() -> None:
    assert len(_STRENGTHS) == len(LEVELS)
    assert list(_STRENGTHS) == sorted(_STRENGTHS)
