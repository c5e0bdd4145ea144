"""The coach's drawer in a browser: by mouse and by keyboard, on a desk and on phones."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .layout import faults
from .person import PATIENCE, Person
from .test_accessibility import violations

Meet = Callable[..., Person]


@pytest.mark.parametrize("size", [(1366, 768), (844, 390), (360, 640)])
def test_a_hint_by_mouse_and_by_keyboard(meet: Meet, size: tuple[int, int]) -> None:
    scheme = "dark" if size[0] < 900 else "light"
    ada = meet(size=size, bypass_csp=True, pictures=True, color_scheme=scheme)
    ada.sits_down()
    ada.is_asked()
    page = ada.page
    page.click("#open-coach")
    page.click("#ask-hint button")
    page.wait_for_selector("#hint .suggestion", timeout=PATIENCE)
    page.wait_for_selector("#coach-odds .odds-bids")
    assert page.get_attribute("#open-coach", "aria-expanded") == "true"
    assert ada.text("#hint .sureness")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert faults(page) == []
    assert violations(ada) == []
    # The drawer leaves the hand and the buttons free.
    drawer = page.locator("#coach").bounding_box()
    hand = page.locator("#act .hand").bounding_box()
    button = page.locator("#do").bounding_box()
    assert drawer is not None
    assert hand is not None
    assert button is not None
    assert drawer["y"] + drawer["height"] <= min(hand["y"], button["y"])
    page.click("#close-coach")
    assert not page.is_visible("#coach")
    page.keyboard.press("h")  # the same hint is shown again
    assert page.is_visible("#hint .suggestion")
    assert ada.board["hints"] == "1"
    page.keyboard.press("Escape")
    assert not page.is_visible("#coach")
    assert faults(page) == []


def test_the_drawer_follows_the_game(meet: Meet) -> None:
    ada = meet(by_keyboard=True)
    ada.sits_down()
    ada.is_asked()
    ada.page.keyboard.press("o")
    ada.page.wait_for_selector("#coach-odds .odds-kinds")
    before = ada.text("#coach-odds")
    ada.page.keyboard.press("h")
    ada.page.wait_for_selector("#hint .suggestion", timeout=PATIENCE)
    ada.page.keyboard.press("p")
    ada.page.wait_for_function("() => !document.querySelector('#hint .suggestion')")
    ada.is_asked()
    ada.page.wait_for_function(
        "(text) => document.getElementById('coach-odds').innerText !== text", arg=before
    )
    ada.page.keyboard.press("o")
    assert not ada.page.is_visible("#coach")


def test_a_table_without_aids_has_no_coach(meet: Meet) -> None:
    ada = meet()
    ada.founds("novice", "novice")  # without the memory aid
    ada.is_asked()
    ada.page.keyboard.press("h")
    ada.page.keyboard.press("o")
    assert not ada.page.is_visible("#open-coach")
    assert not ada.page.is_visible("#coach")
