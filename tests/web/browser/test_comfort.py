"""Usability of the table: phones, pace, accidental clicks, motion, tips."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from byzanz.locale import LANGUAGES

from .person import Person

Meet = Callable[..., Person]

PHONE = {"size": (360, 740), "has_touch": True, "is_mobile": True}
PAGES = ("/", "/rules", "/about", "/nowhere", "/api")


def _fits(ada: Person) -> None:
    width, room = ada.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert width <= room == 360, f"{ada.page.url} is {width} wide"


@pytest.mark.parametrize("language", ["en", "de", "hu"])
def test_no_page_scrolls_sideways_on_a_phone(meet: Meet, language: str) -> None:
    ada = meet(locale=language, **PHONE)
    for path in PAGES:
        ada.page.goto(ada.url + path)
        _fits(ada)
    ada.expects("404")  # the browser reports a missing page


def test_bots_are_shown_one_step_at_a_time_and_can_be_skipped(meet: Meet) -> None:
    ada = meet(pace="slow")
    ada.sits_down()
    ada.is_asked()
    version = ada.board["version"]
    ada.page.keyboard.press("p")
    ada.page.wait_for_selector("body.catching-up")
    assert ada.board["asked"] == "wait"
    ada.page.click("#skip")
    ada.sees_more_than(version)
    while ada.page.locator("body.catching-up").count():
        ada.page.keyboard.press("Space")
        ada.page.wait_for_timeout(50)
    ada.is_asked()


def test_selling_outside_the_final_sale_asks_to_confirm(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    while ada.is_asked() != "over" and not (
        ada.board["asked"] == "bid" and ada.page.locator("[data-set]").count()
    ):
        ada.decides()
    version = ada.board["version"]
    ada.page.click("[data-set] >> nth=0")
    ada.page.keyboard.press("s")
    assert ada.board["version"] == version
    assert ada.asks_again("#sell") or ada.asks_again("#do")
    ada.page.keyboard.press("s")
    ada.sees_more_than(version)
    assert "Ada sells" in ada.text("#log")


def test_a_button_that_a_push_has_just_changed_ignores_clicks_and_says_so(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    while ada.is_asked() != "bid":
        ada.decides()
    version = ada.board["version"]
    ada.page.evaluate(
        """() => {
            document.getElementById("board").dataset.highest = 99;
            const push = { message: { data: "{}" } };
            document.getElementById("felt").dispatchEvent(
                new CustomEvent("htmx:ws:after:message:incoming", { detail: push }));
            document.getElementById("board").dataset.asked = "sale";
            document.getElementById("felt").dispatchEvent(
                new CustomEvent("htmx:ws:after:message:incoming", { detail: push }));
        }"""
    )
    ada.page.locator("#do").click(delay=0)
    assert "just changed" in ada.text("#why")
    ada.page.wait_for_timeout(200)
    assert ada.board["version"] == version


def test_a_button_that_my_own_choice_changed_can_be_pressed_at_once(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    while ada.is_asked() != "bid" or not ada.page.evaluate(_A_BID):
        ada.decides()
    ada.page.wait_for_timeout(400)
    version = ada.board["version"]
    ada.selects_a_bid(99)
    ada.page.locator("#do").click()
    assert ada.has_sent(version)


_A_BID = """() => {
  const { own, highest } = document.getElementById("board").dataset;
  const worth = [...document.querySelectorAll("#act .hand input")].map((b) => +b.dataset.worth);
  return +own + worth.reduce((sum, one) => sum + one, 0) > +highest;
}"""
"""Whether the hand can beat the highest bid."""


def test_enter_alone_never_passes(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    while ada.is_asked() != "bid":
        ada.decides()
    version = ada.board["version"]
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_timeout(300)
    assert ada.board["version"] == version
    assert ada.page.locator("#do").is_disabled()


def test_reduced_motion_moves_nothing(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.is_asked()
    version = ada.board["version"]
    ada.page.keyboard.press("p")
    ada.sees_more_than(version)
    assert ada.page.evaluate("document.getAnimations().length") == 0


def test_cards_are_animated(meet: Meet) -> None:
    ada = meet(moving=True, pictures=True)
    ada.page.add_init_script(
        """const play = Element.prototype.animate;
        window.travelled = 0;
        Element.prototype.animate = function (...given) {
            window.travelled += 1;
            return play.apply(this, given);
        };"""
    )
    ada.sits_down()
    for _ in range(3):
        ada.decides()
    assert ada.page.evaluate("window.travelled") > 3


def test_tips_are_shown_once_and_can_be_stopped(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.is_asked()
    tip = ada.page.locator(".tip")
    assert tip.is_visible()
    ada.page.click("[data-tip-seen]")
    assert not tip.is_visible()
    ada.page.reload()
    ada.is_asked()
    assert not tip.is_visible()
    with ada.menu():
        ada.page.uncheck("#tips")
    while ada.decides() and ada.page.locator(".ending").count() == 0:
        assert not tip.is_visible()
        break


def test_a_tip_that_was_visible_long_enough_does_not_come_back(meet: Meet) -> None:
    ada = meet(by_keyboard=True)
    ada.page.add_init_script("performance.now = () => window.clock || 0")
    ada.sits_down()
    ada.is_asked()
    tip = ada.page.locator(".tip")
    key = tip.get_attribute("data-tip")
    ada.page.reload()
    ada.is_asked()
    assert tip.is_visible(), "a glance is too short"
    ada.page.evaluate("window.clock = 4000")
    ada.decides()
    ada.is_asked()
    assert ada.page.evaluate("localStorage.getItem('hints-seen')").split() == [key]


def test_bots_wait_until_a_new_tip_can_have_been_read(meet: Meet) -> None:
    ada = meet(pace="fast", by_keyboard=True)
    ada.sits_down()
    ada.is_asked()
    ada.page.keyboard.press("p")
    if ada.asks_again("#pass"):
        ada.page.keyboard.press("p")
    ada.page.wait_for_selector("body.catching-up")
    tip, first = ada.page.locator(".tip"), ada.board["version"]
    assert tip.is_visible()
    text = tip.inner_text()
    ada.page.wait_for_timeout(1500)  # more than three of these bots' actions take
    assert (ada.board["version"], tip.inner_text()) == (first, text)
    ada.page.keyboard.press("Space")
    ada.sees_more_than(first)


def test_being_done_with_unsold_sets_asks_to_confirm(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.is_asked()
    ada.page.evaluate(
        """document.getElementById("board").dataset.asked = "sale";
        const set = document.createElement("button");
        set.dataset.set = "S1 S2 S3";
        document.getElementById("act").append(set);
        document.querySelector("#act .hand input").dispatchEvent(
            new Event("change", { bubbles: true }));"""
    )
    done = ada.page.locator("#do")
    assert done.inner_text() == "Done"
    ada.page.wait_for_timeout(400)
    done.click()
    assert done.inner_text() == "You can still sell a set. Finish anyway?"
    assert "sending" not in (ada.page.get_attribute("body", "class") or "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_of_five_opponents_are_not_cut_off(meet: Meet, language: str) -> None:
    ada = meet(locale=language)
    ada.founds("novice", "greedy", "trader", "strategist", "emperor")
    assert ada.page.get_attribute("html", "lang") == language
    for width in (768, 1280, 1440):
        ada.page.set_viewport_size({"width": width, "height": 800})
        cut = ada.page.evaluate(
            """[...document.querySelectorAll(".panel :is(.name, .mark)")]
                .filter((text) => text.scrollWidth > text.clientWidth)
                .map((text) => text.textContent)"""
        )
        assert cut == []


def test_the_title_shows_whose_turn_it_is(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.is_asked()
    assert ada.page.title().startswith("● Your turn")


def test_a_click_on_a_card_or_a_kind_selects_it_and_the_button_confirms(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    clicked = set[str]()
    while clicked != {"give", "take"} and ada.is_asked() != "over":
        asked, version = ada.board["asked"], ada.board["version"]
        if asked in {"give", "take"} - clicked:
            assert ada.page.is_disabled("#do")
            choices = ada.page.locator(f"#board input[name={asked}]")
            for choice in (choices.last, choices.first):
                choice.click()
                assert choice.is_checked()
            ada.page.wait_for_timeout(300)
            assert ada.board["version"] == version
            ada.presses("#do", choosing=True)
            clicked.add(asked)
        else:
            ada.decides()
    assert clicked == {"give", "take"}


def test_a_tip_covers_no_line_of_the_log(meet: Meet) -> None:
    ada = meet(size=(1366, 768))
    ada.sits_down()
    seen = 0
    while seen < 4 and ada.decides():
        ada.is_asked()
        if ada.page.is_visible(".tip") and ada.page.locator("#log li").count():
            seen += 1
            tip, log = (ada.page.locator(part).bounding_box() for part in (".tip", "#log"))
            assert tip is not None
            assert log is not None
            assert log["y"] + log["height"] <= tip["y"]
            assert log["height"] > 100
    assert seen == 4


@pytest.mark.parametrize(("locale", "width"), [("de-DE", 667), ("hu-HU", 640)])
def test_the_first_tip_leaves_the_sentence_free_on_a_small_phone_on_its_side(
    meet: Meet, locale: str, width: int
) -> None:
    ada = meet(size=(width, 360), has_touch=True, is_mobile=True, locale=locale)
    ada.sits_down("random")
    assert ada.page.locator(".tip[data-tip=goal]").is_visible()
    tip, status = (ada.page.locator(part).bounding_box() for part in (".tip", "#status"))
    assert tip is not None
    assert status is not None
    assert tip["y"] + tip["height"] <= status["y"]


@pytest.mark.parametrize("size", [(360, 640), (844, 390)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_tip_on_a_phone_covers_nothing_to_choose_from(meet: Meet, size: tuple[int, int]) -> None:
    ada = meet(size=size, has_touch=True, is_mobile=True)
    ada.founds(*["novice"] * 5)
    seen = 0
    while seen < 4:
        ada.is_asked()
        if ada.page.is_visible(".tip"):
            seen += 1
            assert ada.page.evaluate(_COVERED) == []
        assert ada.decides()


_COVERED = """() => {
  const tip = document.querySelector(".tip").getBoundingClientRect();
  const covered = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return right > tip.left && left < tip.right && bottom > tip.top && top < tip.bottom;
  };
  return [...document.querySelectorAll(".lot .card, .hand .card, .group.choice, #act button, .say")]
    .filter((element) => element.checkVisibility() && covered(element))
    .map((element) => element.className || element.id);
}"""
