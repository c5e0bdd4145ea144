"""A game can be played with the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from .person import Person

Meet = Callable[..., Person]


@pytest.mark.slow
def test_a_whole_game_is_played_by_keyboard_alone(meet: Meet) -> None:
    ada = meet()
    page = ada.page
    page.goto(ada.url)
    _tab_to(ada, "#name")
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    page.wait_for_selector("#board.board")

    taken = missed = 0
    while (asked := ada.is_asked()) != "over":
        version = ada.board["version"]
        match asked:
            case "bid" if taken % 3:
                page.keyboard.press("p")
            case "bid":
                _bids(ada)
            case "give" | "take":
                page.keyboard.press("1")
                page.keyboard.press("Enter")
            case "limit":
                page.keyboard.press("s")
                if not ada.chosen:
                    page.keyboard.press("1")
                page.keyboard.press("Enter")
                if ada.asks_again("#do"):
                    page.keyboard.press("Enter")
            case "sale":
                page.keyboard.press("s")
                page.keyboard.press("Enter")
        if ada.has_sent(version):
            ada.sees_more_than(version)
            taken += 1
        else:  # another player's action cancelled a key
            missed += 1
            assert missed < 5
    assert taken > 20


def _bids(ada: Person) -> None:
    """Select cards by number until the main button is enabled; otherwise pass."""
    page = ada.page
    for number in range(1, page.locator("#act .hand input").count() + 1):
        page.keyboard.press(str(number))
        if page.locator("#act .hand input").nth(number - 1).get_attribute("data-kind") == "M":
            page.keyboard.press(str(number))
        elif page.locator("#do").is_enabled():
            page.keyboard.press("Enter")
            return
    page.keyboard.press("p")


def _tab_to(ada: Person, selector: str) -> None:
    for _ in range(40):
        if ada.page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
        ada.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {selector}")


def test_a_pass_by_key_needs_confirmation_and_a_held_key_does_not_confirm(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    with ada.menu():
        ada.page.check("#confirm")
    assert ada.is_asked() == "bid"
    version = ada.board["version"]
    ada.page.keyboard.down("p")
    assert ada.asks_again("#pass")
    ada.page.keyboard.down("p")  # repeats while it is held
    ada.page.keyboard.up("p")
    assert ada.asks_again("#pass")
    ada.page.keyboard.press("p")
    assert ada.has_sent(version)


def test_help_opens_with_a_question_mark_and_closes_with_escape(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.page.keyboard.press("?")
    assert ada.page.locator("#help").is_visible()
    ada.page.keyboard.press("Escape")
    assert not ada.page.locator("#help").is_visible()


def test_the_focus_stays_at_the_table_after_an_action(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.is_asked()
    version = ada.board["version"]
    ada.page.keyboard.press("p")
    ada.sees_more_than(version)
    ada.page.wait_for_function("() => document.activeElement.id === 'status'")


def test_the_game_log_is_announced(meet: Meet) -> None:
    ada = meet()
    ada.sits_down()
    ada.is_asked()
    version = ada.board["version"]
    ada.page.keyboard.press("p")
    ada.sees_more_than(version)
    ada.page.wait_for_function(
        "() => document.getElementById('announcer').textContent.includes('Ada passes.')"
    )
