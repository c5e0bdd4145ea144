"""The puzzles in a browser: with a pointer, by keyboard, on a phone, and without faults by axe."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

import pytest

from byzanz.coach.puzzles import Puzzle, load_puzzles
from byzanz.coach.puzzles.puzzle import THEMES

from .person import Person
from .test_accessibility import violations
from .test_lessons import PHONE, SIDEWAYS, answers

Meet = Callable[..., Person]
BY_THEME = {
    theme: puzzle
    for theme in THEMES
    for puzzle in reversed(load_puzzles().values())
    if puzzle.theme == theme
}


def path(puzzle: Puzzle, answer: str = "", more: str = "") -> str:
    """Return the address of a puzzle, or of the page about an answer."""
    return f"/puzzles/{puzzle.id}" + (f"?answer={quote(answer)}{more}" if answer else "")


def gives(puzzle: Puzzle) -> list[str]:
    """Return the candidates that give a card: there the number keys choose from the offer."""
    actions = [candidate.action or "" for candidate in puzzle.candidates]
    return [action for action in actions if action.startswith("give")]


@pytest.mark.parametrize(
    ("given", "themes"),
    [({"by_keyboard": True}, THEMES), (PHONE, ("bid", "take"))],
    ids=["keyboard", "phone"],
)
def test_a_puzzle_of_each_theme_can_be_solved(
    meet: Meet, given: dict[str, object], themes: tuple[str, ...]
) -> None:
    ada = meet(**given)
    for puzzle in [puzzle for theme, puzzle in BY_THEME.items() if theme in themes]:
        ada.page.goto(ada.url + path(puzzle))
        answers(ada, puzzle.answer)
        ada.page.wait_for_selector("#words.right")
        assert ada.page.is_visible(".options .best")


def test_a_wrong_answer_is_tried_again_and_the_next_puzzle_follows_by_keyboard(meet: Meet) -> None:
    ada = meet(by_keyboard=True)
    puzzle = BY_THEME["give"]
    ada.page.goto(ada.url + path(puzzle))
    answers(ada, next(wrong for wrong in gives(puzzle) if wrong != puzzle.answer))
    ada.page.wait_for_selector("#words.wrong")
    assert not ada.page.query_selector(".options")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#act")
    answers(ada, puzzle.answer)
    ada.page.wait_for_selector("#words.right")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#act")
    assert puzzle.id not in ada.page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_puzzles(meet: Meet, scheme: str) -> None:
    ada = meet(color_scheme=scheme, bypass_csp=True, pictures=True)
    puzzle = BY_THEME["give"]
    wrong = puzzle.candidates[1].action or ""
    for address in ("/puzzles", path(puzzle, wrong), path(puzzle, wrong, "&solution=1")):
        ada.page.goto(ada.url + address)
        assert violations(ada) == [], address


@pytest.mark.parametrize("given", [PHONE, SIDEWAYS])
def test_everything_can_be_touched(meet: Meet, given: dict[str, object]) -> None:
    ada = meet(locale="de", **given)
    puzzle = max(BY_THEME.values(), key=lambda one: len(one.candidates))
    for address in (path(puzzle), path(puzzle, puzzle.answer)):
        ada.page.goto(ada.url + address)
        assert ada.page.evaluate(_OUTSIDE) == [], address


_OUTSIDE = """() => [...document.querySelectorAll(".teacher a, .actions button:not([hidden])")]
  .map((each) => each.getBoundingClientRect())
  .filter((box) => box.width < 44 || box.height < 44
    || box.bottom > innerHeight || box.right > innerWidth)
  .map((box) => JSON.stringify(box))
  .concat(document.documentElement.scrollWidth > innerWidth ? ["wide"] : [])"""
