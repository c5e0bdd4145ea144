"""The lessons in a browser: with a pointer, by keyboard, on a phone, in every language.

``python -m tests.web.browser.test_lessons`` plays every lesson in every language.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from byzanz.coach.lessons import Lesson, load_lessons
from byzanz.locale import LANGUAGES, load_translations
from tests.web.browsers import launch

from .person import Person
from .process import ServerProcess
from .test_accessibility import violations

Meet = Callable[..., Person]
FIRST, *LESSONS = load_lessons().values()
PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}
SIDEWAYS = {"size": (844, 390), "has_touch": True, "is_mobile": True}


def plays(ada: Person, lesson: Lesson, language: str = "en") -> None:
    """Solve every step as the lesson says, up to its end."""
    for number in range(1, len(lesson.steps) + 1):
        solves(ada, lesson, number, language)
        ada.page.keyboard.press("Enter")  # the link to the next step has the focus
        ada.page.wait_for_selector("#words:not(.right), .lesson-end")
    end = load_translations(language).gettext(lesson.end)
    assert end in ada.page.inner_text(".lesson-end")


HELD_BACK = 400
"""Milliseconds after a change in which buttons ignore clicks, and a few more."""


def solves(ada: Person, lesson: Lesson, number: int, language: str = "en") -> None:
    """Solve one step as the lesson says."""
    gettext, step = load_translations(language).gettext, lesson.steps[number - 1]
    if number == 1:
        ada.page.goto(f"{ada.url}/learn/{lesson.name}/1")
    assert ada.page.inner_text("#words") == gettext(step.task)
    answers(ada, step.accept[0])
    ada.page.wait_for_selector("#words.right")
    assert gettext(step.right) in ada.page.inner_text("#words")


def answers(ada: Person, action: str) -> None:
    """Give an answer with the controls of the board."""
    verb, *chosen = action.split()
    ada.page.wait_for_selector("body.ready")
    asked = ada.page.get_attribute("#board", "data-asked")
    ada.page.wait_for_timeout(HELD_BACK)
    if verb == "pass":
        ada.page.keyboard.press("p") if ada.by_keyboard else ada.page.click("#pass")
    elif verb in ("give", "take"):
        picks(ada, f"#board input[name={verb}]", chosen)
    else:
        picks(ada, "#act .hand input", chosen)
    if verb != "pass":
        button = "sell" if verb == "sell" and ada.page.is_visible("#sell") else "do"
        presses(ada, button)
        if verb == "sell" and asked not in ("sale", "limit"):
            ada.page.wait_for_timeout(HELD_BACK)
            presses(ada, button)  # an early sale asks to confirm


def picks(ada: Person, inputs: str, chosen: list[str]) -> None:
    """Select cards or a kind: with the number keys, or by a click."""
    values = [each.get_attribute("value") for each in ada.page.query_selector_all(inputs)]
    for wanted in chosen:
        place = values.index(wanted)
        values[place] = None
        if ada.by_keyboard:
            ada.page.keyboard.press(str(place + 1))
        else:
            ada.page.locator(inputs).nth(place).click()


def presses(ada: Person, button: str) -> None:
    """Press a button of the action bar."""
    if ada.by_keyboard:
        ada.page.keyboard.press("s" if button == "sell" else "Enter")
    else:
        ada.page.click(f"#{button}")


@pytest.mark.parametrize(
    "language",
    [
        pytest.param(language, marks=() if language == "it" else pytest.mark.slow)
        for language in LANGUAGES
    ],
)
def test_the_first_lesson_can_be_played_in_every_language(meet: Meet, language: str) -> None:
    by_keyboard = language in ("de", "hu")
    given = {"it": PHONE, "nl": SIDEWAYS}.get(language, {})
    ada = meet(locale=language, by_keyboard=by_keyboard, **given)
    plays(ada, FIRST, language)


def test_every_lesson_can_be_begun_and_one_is_played_to_its_end(meet: Meet) -> None:
    ada = meet()
    for lesson in LESSONS[1:]:
        solves(ada, lesson, 1)
    plays(ada, LESSONS[0])
    ada.page.goto(f"{ada.url}/learn")
    shown = ada.page.inner_text(".lessons")
    assert len(re.findall(r"^Solved$", shown, re.MULTILINE)) == 1
    assert len(re.findall(r"^1 of \d solved$", shown, re.MULTILINE)) == len(LESSONS) - 1


def test_a_wrong_move_is_explained_and_taken_back_by_keyboard(meet: Meet) -> None:
    ada = meet(by_keyboard=True)
    ada.page.goto(f"{ada.url}/learn/two-minutes/1")
    ada.page.keyboard.press("p")
    ada.page.wait_for_selector("#words.wrong")
    assert "another player gets the olives" in ada.page.inner_text("#words")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("#act")
    answers(ada, "bid C3 G1")
    ada.page.wait_for_selector("#words.right")


def test_a_lesson_can_be_left_and_resumed(meet: Meet) -> None:
    ada = meet()
    ada.page.goto(f"{ada.url}/learn")
    ada.page.click(".go")
    answers(ada, "bid C3 G1")
    ada.page.click("text=Next")
    ada.page.click("text=Leave")
    assert ada.page.inner_text(".go").startswith("Continue")
    ada.page.click(".go")
    assert ada.page.url.endswith("/learn/two-minutes/2")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_lessons(meet: Meet, scheme: str) -> None:
    ada = meet(color_scheme=scheme, bypass_csp=True, pictures=True)
    for path in ("", "/two-minutes/1", "/two-minutes/1?answer=pass"):
        ada.page.goto(f"{ada.url}/learn{path}")
        assert violations(ada) == []


@pytest.mark.parametrize("given", [PHONE, SIDEWAYS, {"size": (1280, 800)}])
def test_nothing_scrolls_and_everything_can_be_touched(
    meet: Meet, given: dict[str, object]
) -> None:
    ada = meet(locale="de", **given)
    for lesson, step in (("two-minutes", 1), ("two-minutes", 4), ("order", 2)):
        ada.page.goto(f"{ada.url}/learn/{lesson}/{step}")
        assert ada.page.evaluate(_TOO_SMALL) == []
        assert ada.page.evaluate(_SCROLLS) == []


_TOO_SMALL = """() => [...document.querySelectorAll(".teacher a, .actions button:not([hidden])")]
  .map((each) => each.getBoundingClientRect())
  .filter((box) => box.width < 44 || box.height < 44
    || box.bottom > innerHeight || box.right > innerWidth)
  .map((box) => JSON.stringify(box))"""
_SCROLLS = """() => [document.documentElement, document.body, document.querySelector(".words")]
  .filter((each) => each.scrollHeight > each.clientHeight + 1
    || each.scrollWidth > each.clientWidth + 1)
  .map((each) => each.tagName + "." + each.className)"""


def main() -> None:
    """Play every lesson in every language."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        if browser is None:
            sys.exit("No browser starts. Install Chromium, Chrome or Edge.")
        with ServerProcess(Path(folder)) as server:
            for language in LANGUAGES:
                ada = Person(browser, server.url, locale=language)
                for lesson in (FIRST, *LESSONS):
                    plays(ada, lesson, language)
                ada.leave()
                print(language, "played", flush=True)  # noqa: T201
        browser.close()


if __name__ == "__main__":
    main()
