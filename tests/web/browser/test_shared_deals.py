"""The deal of the day, a deal for friends, finished games and ratings, in a real browser."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from byzanz.notation import judge

from .person import Person
from .test_accessibility import violations

Meet = Callable[..., Person]

PHONE = (360, 640)
CLIPBOARD = ["clipboard-read", "clipboard-write"]


def fits(ada: Person) -> bool:
    """Return whether the page is no wider than the screen."""
    wide: int = ada.page.evaluate("document.documentElement.scrollWidth")
    return wide <= ada.page.viewport_size["width"]  # type: ignore[index]


@pytest.mark.slow
def test_a_deal_is_played_by_keyboard_and_compared(meet: Meet) -> None:
    ada = meet(
        size=PHONE, locale="hu-HU", color_scheme="dark", bypass_csp=True, permissions=CLIPBOARD
    )
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
    ada.page.focus("a[data-share-text]")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector(".copied:not(:empty)")
    copied = ada.page.evaluate("navigator.clipboard.readText()")
    assert copied == f"{ada.text('.sheet .line')}\n{ada.page.url}"
    ada.page.goto(f"{ada.url}/games")
    assert ada.page.locator("table.games tbody tr").count() == 1
    assert fits(ada)
    assert violations(ada) == []
    with ada.page.expect_download() as downloading:
        ada.page.press("a[href='/games/records']", "Enter")
    (verdict,) = judge(io.BytesIO(downloading.value.path().read_bytes()))
    assert verdict.error is None
    ada.page.focus("#players")
    ada.page.keyboard.press("End")  # six players
    ada.page.press(".filters button", "Enter")
    ada.page.wait_for_url("**/games?players=6*")
    assert ada.page.locator("table.games").count() == 0
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


def test_a_rated_game_is_opened_and_ratings_are_read_by_keyboard(meet: Meet) -> None:
    ada = meet(size=PHONE, locale="hu-HU", bypass_csp=True)
    ada.page.goto(ada.url)
    ada.page.fill("#name", "Ada")
    ada.page.press("details.options summary", "Enter")
    ada.page.press("[name=rated]", "Space")
    ada.page.press("form.new .main", "Enter")
    ada.page.wait_for_selector("body.ready #board")
    assert fits(ada)
    ada.page.goto(f"{ada.url}/ratings")
    assert fits(ada)
    assert violations(ada) == []
    assert ada.page.locator(".leaderboard .is-bot").count() == 15
    assert ada.page.locator(".leaderboard .own").count() == 0  # nothing is rated yet
    ada.page.press(".player-counts a[href$='players=6']", "Enter")
    ada.page.wait_for_selector(".player-counts [aria-current][href$='players=6']")
    assert fits(ada)
