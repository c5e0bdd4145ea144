"""From the lobby to a table, alone and with a friend; the waiting room; opponents' cards."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe

from byzanz.web.portraits import bot_portrait

from .person import Person

Meet = Callable[..., Person]

PHONE = {"size": (360, 740), "has_touch": True, "is_mobile": True}


def _violations(person: Person) -> list[str]:
    return [rule["id"] for rule in Axe().run(person.page).response["violations"]]


def _portraits(person: Person, selector: str) -> list[str]:
    found: list[str] = person.page.eval_on_selector_all(
        selector, "(images) => images.map((image) => image.src.match(/avatar-(\\d+)/)[1])"
    )
    return found


def test_one_click_leads_from_the_lobby_to_a_table(meet: Meet) -> None:
    ada = meet()
    page = ada.page
    page.goto(ada.url)
    page.check(".opponent input[value=level7]")
    page.click("form.play .main")
    page.wait_for_selector("body.ready #board.board")
    assert str(bot_portrait("level7")) in _portraits(ada, ".avatar")
    assert len({*_portraits(ada, ".avatar")}) == 4
    ada.is_asked()
    page.goto(ada.url)
    assert "Your turn against" in ada.text(".game.calls")
    page.click(".game.calls .button.main")
    page.wait_for_selector("body.ready #board.board")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_friend_joins_by_link_and_the_host_starts(meet: Meet, scheme: str) -> None:
    ada = meet(color_scheme=scheme, bypass_csp=True, pictures=True)
    ben = meet(name="Ben", color_scheme=scheme, bypass_csp=True, **PHONE)
    ada.page.goto(ada.url)
    ada.page.fill("#name", "Ada")
    ada.page.click("form.new .main")
    ada.page.wait_for_selector("body.ready #board.waiting")
    qr = "() => document.querySelector('.qr').naturalWidth > 0"
    ada.page.wait_for_function(qr)

    ben.page.goto(ada.text("#link"))
    ben.page.fill("#sit-name", "Ben")
    ben.page.click("#sit .main")
    ben.page.wait_for_selector("body.ready .chair.mine")
    ada.page.wait_for_selector(".notices >> text=Ben sits down.")
    assert "Everybody is seated" in ada.text("#status")
    ben.page.click(".pick[value='7']")
    ada.page.wait_for_selector("#seat-1 .av-7")
    for person in (ada, ben):
        assert _violations(person) == []
        wide, room = person.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= room

    ada.starts()
    for person in (ada, ben):
        person.page.wait_for_selector("#board.board")
    ben.page.click("#open-menu")
    ben.page.click(".leave summary")
    ben.page.click(".leave .danger")
    ada.page.wait_for_selector(".notices >> text=Ben has left for good. A bot plays on.")


def test_an_opponents_cards_are_shown_large_by_tap_and_by_keyboard(meet: Meet) -> None:
    ada = meet(bypass_csp=True, pictures=True, **PHONE)
    ada.sits_down()
    ada.is_asked()
    page = ada.page
    page.tap("#tip [data-tip-seen]")  # it lies over the opponents
    page.tap(".panel >> nth=1 >> .pill")
    page.wait_for_selector("#closer:popover-open")
    assert ada.text("#closer-name") == ada.text(".panel >> nth=1 >> .name")
    cards = page.locator("#closer [data-part=known] .card")
    held = page.locator(".panel >> nth=1 >> .known")
    assert "4 cards in hand" in (held.get_attribute("aria-label") or "")
    assert cards.count() == 1, "no card is known yet: one back stands for all"
    assert (cards.first.bounding_box() or {})["width"] >= 60
    assert _violations(ada) == []
    page.keyboard.press("Escape")
    assert page.locator("#closer:popover-open").count() == 0
    page.focus(".panel >> nth=0 >> .look")
    page.keyboard.press("Enter")
    page.wait_for_selector("#closer:popover-open")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('.panel .look')")


def test_seats_are_chosen_by_face_with_the_keyboard(meet: Meet) -> None:
    ada = meet(bypass_csp=True, pictures=True)
    page = ada.page
    page.goto(ada.url)
    page.focus(".place-card:nth-child(5) summary")
    page.keyboard.press("Enter")
    page.focus("input[name=seat-5]:checked")
    page.keyboard.press("ArrowUp")
    assert ada.text(".place-card:nth-child(5) summary .title") == "Empress"
    assert _violations(ada) == []
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('summary')")
    page.click("form.new .main")
    page.wait_for_selector("#board.waiting")
    assert page.locator(".chair").count() == 5
    assert "Empress" in ada.text("#seat-4")


def test_no_language_name_is_cut_on_a_small_phone(meet: Meet) -> None:
    ada = meet(**PHONE)
    ada.page.goto(ada.url)
    room, widest = ada.page.evaluate(
        """() => {
            const box = document.getElementById("language"), style = getComputedStyle(box);
            const pen = document.createElement("canvas").getContext("2d");
            pen.font = style.font;
            const widths = [...box.options].map(({ text }) => pen.measureText(text).width);
            const arrow = 20;
            const room = box.clientWidth - 2 * parseFloat(style.paddingLeft) - arrow;
            return [room, Math.max(...widths)];
        }"""
    )
    assert widest <= room


def test_changing_the_language_stays_on_a_missing_page(meet: Meet) -> None:
    ada = meet()
    ada.page.goto(ada.url + "/nowhere?a=1")
    ada.page.select_option("#language", "nl")
    ada.page.wait_for_selector("html[lang=nl]")
    assert ada.page.url == ada.url + "/nowhere?a=1"
    ada.expects("404")
