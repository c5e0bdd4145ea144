"""Taking back, preparing an answer and automatic actions, in a browser."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from .person import Person

Meet = Callable[..., Person]


def _reaches(ada: Person, question: str) -> None:
    while ada.is_asked() != question:
        ada.decides()


def _hand(ada: Person) -> list[str]:
    cards = ada.page.locator("#act .hand input")
    return [card.get_attribute("value") or "" for card in cards.all()]


def _founds_for_two(ada: Person) -> None:
    """Create a table with seats for Ada, another person and a bot."""
    sent = ada.page.request.post(
        f"{ada.url}/tables",
        data=urlencode([("name", ada.name), ("seat", "open"), ("seat", "novice")]),
        headers={"Origin": ada.url, "Content-Type": "application/x-www-form-urlencoded"},
        max_redirects=0,
    )
    ada.page.goto(ada.url + sent.headers["location"])
    ada.page.wait_for_selector("body.ready")


def test_a_move_against_bots_is_taken_back_by_button_and_by_key(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    _reaches(ada, "bid")
    before = _hand(ada)
    for press in (lambda: ada.page.click("#undo"), lambda: ada.page.keyboard.press("u")):
        version = ada.board["version"]
        ada.page.wait_for_timeout(400)
        ada.page.keyboard.press("p")
        ada.sees_more_than(version)
        ada.is_asked()
        version = ada.board["version"]
        press()
        ada.sees_more_than(version)
        assert ada.is_asked() == "bid"
        assert _hand(ada) == before
        assert "took back a move" in ada.page.locator("#announcer").inner_text()


def test_an_undo_shows_at_once_while_bots_are_still_shown_slowly(meet: Meet) -> None:
    ada = meet(pace="slow")
    ada.sits_down()
    ada.is_asked()
    version = ada.board["version"]
    ada.page.keyboard.press("p")
    ada.page.wait_for_selector("#undo")
    ada.page.wait_for_selector("body.catching-up")
    assert ada.board["version"] > version
    ada.page.keyboard.press("u")
    ada.page.wait_for_function(
        "() => document.getElementById('board').dataset.asked === 'bid'", timeout=2000
    )
    assert ada.page.locator("#undo").count() == 0


def test_a_bid_is_prepared_shown_cancelled_and_played(meet: Meet) -> None:
    ada, ben = meet(), meet(name="Ben")
    _founds_for_two(ada)
    ben.page.goto(ada.page.url)
    ben.page.fill("input[name=name]", "Ben")
    ben.page.click("form[action$=join] button")
    ben.page.wait_for_selector("body.ready")
    ada.page.click("form[action$=start] button")
    ben.page.wait_for_selector("body.ready #board.board")
    assert ada.is_asked() == "bid"
    assert ben.board["asked"] == "wait"
    main, passing = ben.page.locator("#do"), ben.page.locator("#pass")
    assert passing.inner_text() == "Prepare: pass"
    place = main.bounding_box(), passing.bounding_box()
    boxes = ben.page.locator("#act .hand input:not([data-kind=M])")
    worth = int(boxes.first.get_attribute("data-worth") or 0)
    boxes.first.check()
    assert main.inner_text() == f"Prepare: bid up to {worth}"
    version = ben.board["version"]
    ben.page.wait_for_timeout(400)
    main.click()
    ben.page.wait_for_selector("#board[data-prepared=bid]")
    assert main.inner_text().startswith(f"Prepared: bid up to {worth}")
    assert ben.board["version"] == version
    assert "Prepared" not in ada.page.content().replace("sayPrepared", "")
    assert (main.bounding_box(), passing.bounding_box()) == place
    ben.page.reload()
    ben.page.wait_for_selector("body.ready #board[data-prepared=bid]")
    ben.page.keyboard.press("Enter")  # it does not cancel
    ben.page.wait_for_timeout(400)
    main.click()
    ben.page.wait_for_selector("#board[data-prepared='']")
    ben.page.wait_for_timeout(400)
    passing.click()
    ben.page.wait_for_selector("#board[data-prepared=pass]")
    assert passing.inner_text().startswith("Prepared: pass")
    ada.page.keyboard.press("p")
    ben.page.wait_for_selector("#board[data-prepared='']")
    ben.page.wait_for_function(
        "() => document.querySelector('#log').textContent.includes('Ben passes')"
    )


def test_the_settings_of_automatic_actions_are_kept_for_the_next_table(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.is_asked()
    with ada.menu():
        assert ada.page.is_checked("[name=take_last]")
        assert not ada.page.is_checked("[name=pass_beaten]")
        with ada.page.expect_response("**/automatic"):
            ada.page.check("[name=pass_beaten]")
    with ada.page.expect_response("**/automatic"):
        ada.sits_down()
    ada.page.reload()
    ada.is_asked()
    with ada.menu():
        assert ada.page.is_checked("[name=pass_beaten]")
        assert ada.page.is_checked("[name=take_last]")
