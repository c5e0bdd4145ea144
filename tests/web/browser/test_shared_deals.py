"""The deal of the day, a deal for friends and the finished games, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

from .person import Person
from .test_accessibility import violations

Meet = Callable[..., Person]

PHONE = (360, 640)


def fits(ada: Person) -> bool:
    """Return whether the page is no wider than the screen."""
    wide: int = ada.page.evaluate("document.documentElement.scrollWidth")
    return wide <= ada.page.viewport_size["width"]  # type: ignore[index]


def test_a_deal_is_played_by_keyboard_and_compared(meet: Meet) -> None:
    ada = meet(size=PHONE, locale="hu-HU", color_scheme="dark", bypass_csp=True)
    ada.page.goto(f"{ada.url}/daily")
    assert fits(ada)
    assert violations(ada) == []
    ada.page.focus("form[action^='/daily/'] button")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("body.ready #board.board")
    assert ada.page.query_selector("#undo") is None
    ada.has_it_played_to_the_end()
    assert violations(ada) == []
    ada.page.click(".ending a[href^='/daily/']")
    ada.page.wait_for_selector("svg.histogram")
    assert fits(ada)
    assert violations(ada) == []
    ada.page.goto(f"{ada.url}/games")
    assert ada.page.locator("table.games tbody tr").count() == 1
    assert fits(ada)
    assert violations(ada) == []
    ada.page.goto(f"{ada.url}/games/delete")
    assert violations(ada) == []
    ada.page.check("[name=sure]")
    ada.page.click("form[action='/me/forget'] .danger")
    ada.page.wait_for_selector("form.play")
    ada.page.goto(f"{ada.url}/games")
    assert ada.page.locator("table.games").count() == 0


def test_friends_play_one_deal_by_its_link_and_are_compared(meet: Meet) -> None:
    ada, bela = meet(size=PHONE, bypass_csp=True), meet(name="Bela")
    ada.page.goto(f"{ada.url}/duplicate")
    assert fits(ada)
    assert violations(ada) == []
    ada.page.fill("#name", "Ada")
    ada.page.select_option("#bot", "novice")
    ada.page.select_option("#players", "3")
    ada.page.click("form.new .main")
    ada.page.wait_for_url("**/duplicate/*")
    link = ada.page.url
    for each in (ada, bela):
        each.page.goto(link)
        each.page.fill("#name", each.name)
        each.page.click("form[action$='/play'] .main")
        each.page.wait_for_selector("body.ready #board.board")
        each.has_it_played_to_the_end()
    ada.page.goto(link)
    assert ada.page.locator(".ranking li").count() == 2
    assert ada.page.locator(".side-by-side thead th").count() == 3
    assert fits(ada)
    assert violations(ada) == []
