"""Whole games, played through the page."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO

import pytest

from byzanz.locale import LANGUAGES, translations
from byzanz.notation import judge

from .person import Person

Meet = Callable[..., Person]


@pytest.mark.parametrize("language", list(LANGUAGES))
def test_a_whole_game_against_bots_is_played_in_each_language(meet: Meet, language: str) -> None:
    ada = meet(locale=language, name="Ádám <i>", by_keyboard=language != "en")
    ada.sits_down()

    assert ada.page.locator("html").get_attribute("lang") == language
    assert ada.plays_to_the_end() > 20

    assert ada.text("#status") == translations(language).gettext("The game is over.")
    assert ada.page.locator(".ending tbody tr").count() == 4
    assert ada.page.locator(".ending .winner").count() >= 1
    record = ada.page.request.get(ada.page.url + "/record").text()
    assert [verdict.error for verdict in judge(BytesIO(record.encode()))] == [None]


def test_two_people_and_a_bot_play_by_link(meet: Meet) -> None:
    ada = meet(name="Ada", by_keyboard=True)
    ben = meet(name="Ben", locale="de-DE", by_keyboard=True)
    ada.page.goto(ada.url)
    ada.page.fill("#name", ada.name)
    ada.page.select_option("#seat-4", "none")
    ada.page.click("form.new .main")
    ada.page.wait_for_selector("body.ready")
    link = ada.text("#link")
    assert link == ada.page.url

    ben.page.goto(link)
    ben.page.fill("[name=name]", ben.name)
    ben.page.click("form[action$='/join'] .main")
    people = (ada, ben)
    for person in people:
        person.page.wait_for_selector("#board.board")
    while not all(person.board["asked"] == "over" for person in people):
        for person in people:
            if person.board["asked"] in ("bid", "give", "take", "limit", "sale"):
                person.decides()
        ada.page.wait_for_timeout(20)

    profits = [person.page.locator(".ending td").all_inner_texts() for person in people]
    assert profits[0] == profits[1]
    ada.page.click("text=Play again")
    ada.page.wait_for_selector("#board.board")
    ben.page.click(".next a[href*=table]")
    ben.page.wait_for_selector("#board.board")
    assert ben.page.url == ada.page.url


def test_a_finished_game_is_replayed_from_any_seat(meet: Meet) -> None:
    ada = meet()
    ada.sits_down(bot="random")
    decisions = ada.has_it_played_to_the_end()
    page = ada.page
    page.click(".next >> text=Replay")
    page.wait_for_selector("nav.steps")
    own = page.locator(".own .card").count()
    assert own == 0, "a spectator holds no cards"
    page.select_option("#eyes", "0")
    page.wait_for_url("**seat=0**")
    assert page.locator(".own .hand .card").count() == 4
    page.select_option("#eyes", "2")
    page.wait_for_url("**seat=2**")
    assert page.locator(".own .hand .card").count() == 4
    steps = int(page.locator("#step").get_attribute("max") or 0)
    assert steps > decisions
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=1**")
    page.click("text=End")
    page.wait_for_url(f"**step={steps}**")
    last = page.locator("#story li").last
    page.wait_for_function(
        "(line) => line.getBoundingClientRect().bottom <= innerHeight", arg=last.element_handle()
    )
    assert page.locator(".ending").count() == 1
    assert page.locator("#act").count() == 0
