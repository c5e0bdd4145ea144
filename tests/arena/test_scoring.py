"""A seat whose bot failed scores nothing, and the other seats are ranked without it."""

from __future__ import annotations

import pytest

from byzanz.arena import OnFailure, Outcome
from byzanz.arena.scoring import score

GAME = Outcome((0, 1, 2, 3), (40, 30, 30, 10), (1, 2, 2, 4))


def failed(*seats: int) -> Outcome:
    return Outcome(GAME.bots, GAME.profit, GAME.places, seats)


@pytest.mark.parametrize(
    ("seats", "wins", "profit", "places"),
    [
        ((), (1, 0, 0, 0), (40, 30, 30, 10), (1, 2, 2, 4)),
        ((0,), (0, 0.5, 0.5, 0), (0, 30, 30, 10), (4, 1, 1, 3)),
        ((3,), (1, 0, 0, 0), (40, 30, 30, 0), (1, 2, 2, 4)),
        ((0, 1), (0, 0, 1, 0), (0, 0, 30, 10), (3, 3, 1, 2)),
        ((0, 1, 2, 3), (0, 0, 0, 0), (0, 0, 0, 0), (1, 1, 1, 1)),
    ],
)
def test_forfeit(
    seats: tuple[int, ...],
    wins: tuple[float, ...],
    profit: tuple[int, ...],
    places: tuple[int, ...],
) -> None:
    found = score(failed(*seats), OnFailure.FORFEIT)
    assert (found.wins, found.profit, found.places) == (wins, profit, places)


def test_fallback_scores_the_game_as_it_was_played() -> None:
    assert score(failed(0, 1), OnFailure.FALLBACK) == score(GAME, OnFailure.FORFEIT)
