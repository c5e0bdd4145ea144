"""Nothing is lost by a reload, a lost connection or a killed server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Route

from .person import Person
from .process import ServerProcess

Meet = Callable[..., Person]


@pytest.fixture
def bidding(meet: Meet) -> Person:
    """Return a person who has selected two cards and not bid yet."""
    ada = meet()
    ada.sits_down()
    _selects_two(ada)
    return ada


def _selects_two(ada: Person) -> list[str]:
    while ada.is_asked() != "bid" or len(ada.page.locator("#act .hand input").all()) < 2:
        ada.decides()
    for box in ada.page.locator("#act .hand input").all()[:2]:
        box.check()
    assert len(ada.chosen) == 2
    return ada.chosen


def test_a_reload_in_mid_bid_keeps_the_selection(bidding: Person) -> None:
    chosen = bidding.chosen
    bidding.page.reload()
    bidding.is_asked()
    assert bidding.chosen == chosen


def test_a_reconnection_in_mid_bid_keeps_the_selection(bidding: Person) -> None:
    chosen = bidding.chosen
    bidding.context.set_offline(True)
    bidding.page.evaluate("window.dispatchEvent(new Event('offline'))")
    bidding.page.wait_for_timeout(300)
    bidding.context.set_offline(False)
    bidding.page.wait_for_timeout(300)
    bidding.is_asked()
    assert bidding.chosen == chosen


def test_a_page_that_is_drawn_anew_keeps_the_selection(bidding: Person) -> None:
    chosen = bidding.chosen
    bidding.page.evaluate(_DRAWN_ANEW)
    assert bidding.chosen == chosen
    assert bidding.page.inner_text("#do") != "Choose cards"


def test_an_accepted_answer_clears_only_its_own_selection(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    while ada.is_asked() != "bid" or ada.page.locator("#act .hand input").count() < 2:
        ada.decides()
    boxes = ada.page.locator("#act .hand input")

    def late(route: Route) -> None:
        boxes.nth(0).click()  # selected before the answer: for the next decision
        route.continue_()

    ada.page.route("**/act", late)
    version = ada.board["version"]
    ada.page.keyboard.press("p")
    ada.sees_more_than(version)
    ada.page.wait_for_selector("body:not(.sending)")
    kept = ada.page.evaluate("(table) => sessionStorage[`selection ${table}`]", ada.board["table"])
    assert len(json.loads(kept)["cards"]) == 1


_DRAWN_ANEW = """async () => {
  const page = new DOMParser().parseFromString(await (await fetch(location)).text(), "text/html");
  document.getElementById("board").replaceWith(page.getElementById("board"));
  const push = { message: { data: JSON.stringify({ number: 0, moments: [] }) } };
  document.getElementById("felt").dispatchEvent(
    new CustomEvent("htmx:ws:after:message:incoming", { detail: push }));
}"""
"""The worst case of a push: every element of the board is replaced."""


def test_switching_the_language_in_mid_game_keeps_the_selection(bidding: Person) -> None:
    chosen, page = bidding.chosen, bidding.page
    version = bidding.board["version"]
    page.click("#open-menu")
    page.select_option("#language", "hu")
    page.wait_for_selector("html[lang=hu]")
    bidding.is_asked()
    assert bidding.chosen == chosen
    assert bidding.board["version"] == version
    assert "licit" in bidding.text("#status").lower()
    assert "ajánlat" in bidding.text("#log").lower()
    page.click("#open-menu")
    page.select_option("#language", "it")
    page.wait_for_selector("html[lang=it]")
    assert "asta" in bidding.text("#offer-title").lower()


def test_a_slow_script_does_not_prevent_the_socket(meet: Meet) -> None:
    ada = meet()

    def slowly(route: Route) -> None:
        time.sleep(0.5)
        route.continue_()

    ada.page.route("**/hx-ws.min.js*", slowly)
    ada.sits_down()
    assert ada.decides()


def test_a_question_is_not_asked_again_while_its_answer_is_being_sent(meet: Meet) -> None:
    ada = meet()
    page, sent = ada.page, list[str]()
    page.on("request", lambda request: sent.append(request.url) if request.post_data else None)
    page.add_init_script(_DELAYED_PUSH)
    ada.sits_down()
    while ada.is_asked() != "bid":
        ada.decides()
    sent.clear()
    version = ada.board["version"]

    page.evaluate("window.hold()")
    with page.expect_response("**/act"):
        page.keyboard.press("p")
    page.keyboard.press("p")
    page.wait_for_timeout(200)
    assert ada.board["version"] == version
    assert page.locator("body.sending").count() == 1
    assert len(sent) == 1

    page.evaluate("window.release()")
    ada.is_asked()
    assert int(ada.board["version"]) > int(version)
    assert ada.decides()


_DELAYED_PUSH = """{
  let held = null;
  window.hold = () => { held = new Promise((resolve) => { window.release = resolve; }); };
  const wait = (event) => { if (held) event.detail.waitUntil(held); };
  document.addEventListener("htmx:ws:before:message:incoming", wait, true);
}"""
"""Delays pushed frames until they are released."""


def test_an_open_page_survives_a_killed_server(meet: Meet, own_server: ServerProcess) -> None:
    ada = meet(url=own_server.url)
    ada.sits_down()
    for _ in range(4):
        ada.decides()
    ada.is_asked()
    log = ada.text("#log")

    own_server.kill()
    ada.page.wait_for_selector("#connection:not([hidden])")
    own_server.start()
    ada.page.wait_for_function(
        "() => document.getElementById('connection').hidden"
        " || /Reconnected/.test(document.getElementById('connection').textContent)",
    )
    ada.is_asked()
    assert ada.text("#log").startswith(log)
    for _ in range(4):
        ada.decides()
    ada.expects("WebSocket", "ws:error", "ERR_")


def test_an_action_sent_to_a_dead_server_is_played_once_after_its_restart(
    meet: Meet, own_server: ServerProcess
) -> None:
    ada = meet(url=own_server.url)
    ada.sits_down()
    while ada.is_asked() != "bid":
        ada.decides()
    own_server.kill()
    version = ada.board["version"]
    ada.page.keyboard.press("p")
    ada.page.wait_for_selector("#connection:not([hidden])")
    own_server.start()
    ada.sees_more_than(version)
    ada.is_asked()
    passes = ada.text("#log").count("Ada passes.")
    assert passes == 1
    ada.expects("WebSocket", "ws:error", "ERR_")
