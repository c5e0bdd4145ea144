"""Puzzles are proved again with other worlds, and mining finds the same ones with any processes.

``byzanz puzzles check``, which ``make soak`` runs, proves all of them in 2,000 worlds.
"""

from __future__ import annotations

import msgspec
import pytest

from byzanz.coach.puzzles import Origin, Puzzle, load_puzzles, parse_puzzle, write_puzzle
from byzanz.coach.puzzles.mining import Mined, Source, examine, mine, self_play
from byzanz.coach.puzzles.proof import MARGIN, Comparer, is_proved
from byzanz.rules import Deal, Game

FEW_WORLDS, SURE_ERRORS = 32, 4.0
SEED = 7
"""A seed for other worlds than those of the first proof."""


def sample(count: int) -> list[Puzzle]:
    """Return this many puzzles, spread evenly over the list."""
    puzzles = list(load_puzzles().values())
    step = max(len(puzzles) / count, 1)
    return [puzzles[int(at * step)] for at in range(min(count, len(puzzles)))]


@pytest.mark.parametrize("puzzle", sample(20), ids=lambda puzzle: puzzle.id)
def test_the_search_prefers_the_answer_in_other_worlds(puzzle: Puzzle) -> None:
    nearest = msgspec.structs.replace(puzzle, candidates=puzzle.candidates[:4])
    best, *others = Comparer().prove(nearest, FEW_WORLDS, SEED)
    assert best.action == puzzle.answer
    for one in others:
        assert one.behind >= MARGIN - SURE_ERRORS * one.standard_error, one


def test_a_wrong_answer_is_not_proved() -> None:
    puzzle = sample(1)[0]
    found = Comparer().prove(puzzle, FEW_WORLDS)
    assert found[0].action == puzzle.answer
    assert not is_proved((found[1], found[0]))


def test_a_position_without_a_clear_answer_is_no_puzzle() -> None:
    view = Game.start(Deal.from_seed(players=3, seed=4)).view(0)
    assert examine(view, Origin(players=3, number=1)) is None


def test_the_seed_decides_games_and_players() -> None:
    sources = list(self_play(6, 5, [3, 6]))
    assert sources == list(self_play(6, 5, [3, 6]))
    assert {source.players for source in sources} == {3, 6}
    assert len({source.seed for source in sources}) == 6


def test_a_search_that_is_over_finds_nothing() -> None:
    assert list(mine(self_play(3, 1, [3]), until=0.0)) == []
    assert list(mine([Source(1, 3)], jobs=1, until=1.0)) == []


def test_a_mined_puzzle_survives_the_file() -> None:
    puzzle = sample(1)[0]
    assert parse_puzzle(write_puzzle(puzzle)) == puzzle
    assert Mined(1, (puzzle,)).puzzles == (puzzle,)
