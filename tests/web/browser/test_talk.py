"""Talk at a table in two browsers: reactions, phrases in each language, and muting."""

from __future__ import annotations

from collections.abc import Callable

from .person import Person
from .test_accessibility import violations
from .test_moderation import opens_table

Meet = Callable[..., Person]

PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}
BUBBLES = """() => [...document.querySelectorAll(".bubble")].map((bubble) => {
  const seat = document.querySelector(`#seat-${bubble.dataset.seat}`).getBoundingClientRect();
  const { top, bottom } = bubble.getBoundingClientRect();
  return { seat: bubble.dataset.seat, near: bottom > seat.top - 20 && top < seat.bottom + 20 };
})"""
HEARD = "document.querySelectorAll('#said [data-said]:not([hidden])').length"


def says(person: Person, phrase: str) -> None:
    """Say something with the keyboard alone."""
    person.page.focus("#open-menu")
    person.page.keyboard.press("t")
    person.page.wait_for_selector("#talk:popover-open")
    assert person.page.evaluate("document.activeElement.matches('#talk button')")
    person.page.focus(f"#talk [value={phrase}]")
    person.page.keyboard.press("Enter")
    person.page.wait_for_selector("#talk:popover-open", state="hidden")


def hears(person: Person, count: int) -> None:
    """Wait until the page lists so many things that were said."""
    person.page.wait_for_function(f"() => {HEARD} === {count}")


def sits_down(person: Person, link: str) -> None:
    person.page.goto(link)
    person.page.fill("#sit-name", person.name)
    person.page.click("#sit .main")
    person.page.wait_for_selector("body.ready .chair.mine")


def mutes(person: Person, on: bool) -> None:
    """Mute or hear the only other person, with the keyboard."""
    person.page.focus("#open-menu")
    person.page.keyboard.press("t")
    box = person.page.wait_for_selector("#talk .muting input")
    assert box is not None
    assert box.is_checked() is not on
    box.focus()
    person.page.keyboard.press("Space")
    person.page.keyboard.press("Escape")
    person.page.wait_for_selector("#talk:popover-open", state="hidden")


def test_people_talk_and_mute_each_other(meet: Meet) -> None:
    ada = meet(bypass_csp=True, pictures=True, **PHONE)
    bela = meet(name="Bela", locale="hu-HU", bypass_csp=True, pictures=True, color_scheme="dark")
    opens_table(ada)
    sits_down(bela, ada.text("#link"))
    ada.page.wait_for_selector("#seat-1 >> text=Bela")

    says(ada, "good-luck")  # before the game
    bubble = bela.page.wait_for_selector(".bubble")
    assert bubble is not None
    assert bubble.inner_text() == "Sok szerencsét!"
    says(bela, "smile")
    assert ada.page.wait_for_selector(".bubble[data-seat='1'] .r-smile")
    ada.starts()
    for each in (ada, bela):
        each.page.wait_for_selector("body.ready #board.board")
        hears(each, 2)
    for seat in ada.page.evaluate(BUBBLES):  # they follow the seats to the new board
        assert seat["near"], seat

    ada.page.click("#open-talk")
    ada.page.wait_for_selector("#talk:popover-open")
    assert violations(ada) == []
    for button in ada.page.locator("#talk button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert (box["width"] >= 44, box["height"] >= 44) == (True, True)
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
    ada.page.keyboard.press("Escape")

    mutes(ada, True)
    hears(ada, 1)
    says(bela, "well-played")
    says(bela, "laugh")
    hears(bela, 4)
    ada.page.reload()  # the browser remembers it
    ada.page.wait_for_selector("body.ready #board.board")
    hears(ada, 1)
    assert ada.page.locator(".bubble[data-seat='1']").count() == 0

    mutes(ada, False)
    hears(ada, 4)
    assert "Well played!" in (ada.page.text_content("#said") or "")
    assert "Szép játék!" in (bela.page.text_content("#said") or "")
    assert violations(bela) == []


def test_a_person_stays_muted_at_another_table_under_another_name(meet: Meet) -> None:
    ada, bela = meet(), meet(name="Bela")
    opens_table(ada)
    sits_down(bela, ada.text("#link"))
    ada.page.wait_for_selector("#seat-1 >> text=Bela")
    mutes(ada, True)

    bela.name = "Somebody else"
    carl = meet(name="Bela")
    opens_table(ada)
    link = ada.text("#link")
    sits_down(bela, link)
    ada.page.wait_for_selector("#seat-1 >> text=Somebody else")
    says(bela, "hello")
    hears(bela, 1)
    says(ada, "hello")
    hears(ada, 1)  # only herself

    opens_table(ada)  # somebody with the muted name is heard
    sits_down(carl, ada.text("#link"))
    ada.page.wait_for_selector("#seat-1 >> text=Bela")
    says(carl, "hello")
    hears(ada, 1)
    assert ada.page.wait_for_selector(".bubble[data-seat='1']")


def test_the_host_switches_talk_off_and_nobody_else_sees_the_button(meet: Meet) -> None:
    ada, bela = meet(), meet(name="Bela", **PHONE)
    opens_table(ada)
    sits_down(bela, ada.text("#link"))
    says(bela, "hello")
    ada.page.wait_for_selector(".bubble")
    ada.page.click("#open-talk")
    ada.page.click("#talk [value=off]")
    bela.page.wait_for_selector("#open-talk", state="hidden")
    assert bela.page.evaluate(HEARD) == 0
    ada.page.focus("#open-talk")
    ada.page.keyboard.press("Enter")
    assert (
        ada.page.evaluate("document.activeElement.value") == "on"
    )  # nothing else is left to press
    ada.page.keyboard.press("Enter")
    bela.page.wait_for_selector("#open-talk")
