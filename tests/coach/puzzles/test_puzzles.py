"""The puzzles of the package are sound, and lines that are no puzzles are refused."""

from __future__ import annotations

from datetime import date, timedelta
from importlib.resources import files

import msgspec
import pytest

from byzanz.coach.puzzles import (
    THEMES,
    BadPuzzle,
    Puzzle,
    load_puzzles,
    parse_puzzle,
    puzzle_id,
    puzzle_of_the_day,
    read_puzzles,
    select,
    write_puzzle,
)
from byzanz.coach.puzzles.difficulty import difficulty_of, is_trivial
from byzanz.coach.puzzles.proof import ERRORS, LEAST, MARGIN, MOST, WORLDS, is_proved
from byzanz.coach.puzzles.selection import without_duplicates
from byzanz.coach.puzzles.themes import tags_of, theme_of
from byzanz.notation import parse_action, write_view

PUZZLES = list(load_puzzles().values())
FIRST = PUZZLES[0]


def changed(**fields: object) -> str:
    """Return the line of a puzzle with these fields."""
    return write_puzzle(msgspec.structs.replace(FIRST, **fields))


def test_every_line_of_the_package_is_a_puzzle_of_its_own() -> None:
    data = (files("byzanz.coach.puzzles") / "data" / "puzzles.jsonl").read_bytes()
    assert read_puzzles(data.splitlines()) == PUZZLES
    assert len(load_puzzles()) == len(data.splitlines())
    assert without_duplicates(PUZZLES) == PUZZLES


def test_every_answer_leads_by_the_margin_in_a_game_that_is_not_decided() -> None:
    for puzzle in PUZZLES:
        assert is_proved(puzzle.candidates), puzzle.id
        assert LEAST <= puzzle.candidates[0].win_probability <= MOST, puzzle.id
        for one in () if puzzle.exact else puzzle.candidates[1:]:
            beyond_doubt = one.behind - ERRORS * one.standard_error > MARGIN
            assert beyond_doubt or one.worlds == WORLDS, puzzle.id


def test_theme_tags_and_difficulty_follow_from_the_candidates_and_the_levels() -> None:
    for puzzle in PUZZLES:
        view, (best, second) = puzzle.view(), puzzle.candidates[:2]
        actions = parse_action(best.action or ""), parse_action(second.action or "")
        assert puzzle.theme == theme_of(view, *actions), puzzle.id
        assert puzzle.tags == tags_of(view, actions), puzzle.id
        assert puzzle.difficulty == difficulty_of(puzzle.fares), puzzle.id
        assert not is_trivial(puzzle.fares, best.prior), puzzle.id


def test_a_position_tells_only_what_the_seat_to_act_sees() -> None:
    for puzzle in PUZZLES:
        view = puzzle.view()
        assert write_view(view) == puzzle.position
        assert view.seat == view.turn


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("{}", "missing required field"),
        ("[1]", "xpected"),
        (changed(version=2), "expected a puzzle of version 1, not 2"),
        (changed(id="22222"), f"expected the id {FIRST.id}"),
        (changed(answer="sell C1 C1 C1", position=FIRST.position), "is not legal"),
        (changed(answer="fly"), "action"),
        (changed(position="view/1"), "position"),
        (changed(candidates=FIRST.candidates[1:]), "the answer as the first"),
        (changed(candidates=FIRST.candidates[:1]), "at least two candidates"),
    ],
)
def test_what_is_no_puzzle_is_refused_with_what_was_expected(line: str, told: str) -> None:
    with pytest.raises(BadPuzzle, match=told):
        parse_puzzle(line)
    with pytest.raises(BadPuzzle, match="line 2: "):
        read_puzzles([write_puzzle(FIRST), line])


def test_an_answer_that_leads_by_less_is_not_proved() -> None:
    best, second, *_ = FIRST.candidates
    near = msgspec.structs.replace(second, behind=MARGIN - 0.01)
    unsure = msgspec.structs.replace(second, behind=MARGIN, standard_error=MARGIN / ERRORS + 0.01)
    assert is_proved((best, msgspec.structs.replace(second, behind=MARGIN, standard_error=1.0)))
    assert not is_proved((best, near))
    assert not is_proved((best, unsure))
    assert not is_proved((best,))


def test_the_difficulty_is_the_level_from_which_on_all_are_right() -> None:
    assert difficulty_of([0.9] * 9) == 1
    assert difficulty_of([0.0] * 9) == 10
    assert difficulty_of([1.0, 0.4, *[0.5] * 7]) == 3
    assert difficulty_of([*[0.0] * 8, 0.5]) == 9


def test_every_puzzle_has_its_day_before_one_returns() -> None:
    start = date(2026, 12, 30)
    days = [start + timedelta(days=day) for day in range(len(PUZZLES))]
    assert {puzzle_of_the_day(load_puzzles(), day).id for day in days} == set(load_puzzles())
    after = start + timedelta(days=len(PUZZLES))
    assert puzzle_of_the_day(load_puzzles(), after) == puzzle_of_the_day(load_puzzles(), start)
    with pytest.raises(LookupError):
        puzzle_of_the_day({}, start)


def many(theme: str, difficulty: int, count: int) -> list[Puzzle]:
    """Return puzzles that differ in their ids."""
    return [
        msgspec.structs.replace(
            FIRST, id=puzzle_id(f"{theme}{difficulty}{at}"), theme=theme, difficulty=difficulty
        )
        for at in range(count)
    ]


def test_a_selection_is_balanced_and_does_not_depend_on_the_order() -> None:
    given = many("pass", 1, 50) + many("pass", 7, 2) + many("give", 3, 20) + many("take", 5, 3)
    chosen = select(given, 20)
    assert select(given[::-1], 20) == chosen
    counts = {theme: sum(one.theme == theme for one in chosen) for theme in THEMES}
    assert counts["pass"] == counts["give"] == 6
    assert counts["take"] == 3
    assert sum(one.difficulty == 7 for one in chosen) == 2
