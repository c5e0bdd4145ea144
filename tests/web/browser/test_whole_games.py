"""Whole games, played in the browser."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from byzanz.locale import load_translations
from byzanz.messages import explain_proof

from .ending import has_ended
from .person import Person

Meet = Callable[..., Person]


TOGETHER = ("it", "de")
"""The languages of the two people who play together; ``test_layout`` plays whole games in the
other languages."""


def test_two_people_and_a_bot_play_by_link(meet: Meet) -> None:
    people = ada, ben = [
        meet(name=name, locale=f"{code}-{code.upper()}", by_keyboard=True)
        for name, code in zip(("Ada", "Ben"), TOGETHER, strict=True)
    ]
    ada.page.goto(ada.url)
    ada.page.fill("#name", ada.name)
    ada.page.click(".place-card:nth-child(4) summary")
    ada.page.check("input[name=seat-4][value=none]")
    ada.page.click("form.new .main")
    ada.page.wait_for_selector("body.ready")
    link = ada.text("#link")
    assert link == ada.page.url

    ben.page.goto(link)
    ben.page.fill("[name=name]", ben.name)
    ben.page.click("form[action$='/join'] .main")
    ada.page.wait_for_selector(".ring li:nth-child(2) strong")
    ada.starts()
    for person in people:
        person.page.wait_for_selector("#board.board")
    taken = Counter[str]()
    while not all(person.board["asked"] == "over" for person in people):
        for person in people:
            if person.board["asked"] in ("bid", "give", "take", "limit", "sale"):
                taken[person.name] += person.decides()
        ada.page.wait_for_timeout(20)

    for person, language in zip(people, TOGETHER, strict=True):
        assert taken[person.name] > 20
        has_ended(person, language, players=3)
    profits = [person.page.locator(".standings .earned b").all_inner_texts() for person in people]
    assert profits[0] == profits[1]
    for person, language in zip(people, TOGETHER, strict=True):
        _deal_is_proven(person, language)
    ada.page.click(f"text={load_translations(TOGETHER[0]).gettext('Play again')}")
    ada.page.wait_for_selector("#board.waiting .invited")
    ben.page.wait_for_selector(".next .invited")
    ben.page.click(".next form[action$='/rematch'] .main")
    for person in people:
        person.page.wait_for_selector("#board.board")
    assert ben.page.url == ada.page.url


def _deal_is_proven(person: Person, language: str) -> None:
    """Check the deal on its page, and return to the table."""
    page, table = person.page, person.page.url
    page.click(".next a[href$='/verify']")
    page.wait_for_selector("#mine[data-state=right]")
    gettext = load_translations(language).gettext
    assert person.text("#verdict") == explain_proof(None, load_translations(language))
    known = "The hash is the one that this browser saw before the game."
    assert person.text("#known[data-state=right]") == gettext(known)
    page.goto(table)
    page.wait_for_selector("body.ready")


def test_a_finished_game_is_replayed_from_any_seat(meet: Meet) -> None:
    ada = meet()
    ada.sits_down(bot="random")
    decisions = ada.has_it_played_to_the_end()
    page = ada.page
    page.click(".next >> text=Replay")
    page.wait_for_selector("body.ready #player")
    assert page.locator(".own .hand .card").count() == 4, "it opens at the player's own seat"
    page.select_option("#eyes", "")
    page.wait_for_url("**seat=")
    assert page.locator(".own .card").count() == 0, "a spectator holds no cards"
    page.select_option("#eyes", "2")
    page.wait_for_url("**seat=2**")
    assert page.locator(".own .hand .card").count() == 4
    steps = int(page.locator("#step").get_attribute("max") or 0)
    assert steps > decisions
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**step=1**")
    desk = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    edges = """() => [document.querySelector(".market").getBoundingClientRect().bottom,
                      document.querySelector(".own .hand").getBoundingClientRect().top]"""
    market, hand = page.evaluate(edges)
    assert market <= hand, "on a phone, a hand that cannot be played covers nothing"
    page.set_viewport_size(desk)  # type: ignore[arg-type]
    page.click("#last")
    page.wait_for_url(f"**step={steps}**")
    now = page.locator("#log [aria-current=step]")
    page.wait_for_function(
        "(line) => line.getBoundingClientRect().bottom <= innerHeight", arg=now.element_handle()
    )
    assert page.locator(".ending").count() == 1
    assert page.locator("#act").count() == 0
