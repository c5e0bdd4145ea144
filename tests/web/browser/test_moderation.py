"""Passwords, watchers, votes and bans in the browser, on a phone and by keyboard."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe

from .person import Person
from .process import ServerProcess

Meet = Callable[..., Person]

PHONE = {"size": (360, 740), "has_touch": True, "is_mobile": True}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Start a server on which people count as absent after a short time."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ABANDONED_GAME", "POLLING_PRESENCE", "DISCONNECT_GRACE"):
            patch.setenv(f"BYZANZ_{name}_SECONDS", "1")
        with ServerProcess(tmp_path_factory.mktemp("server")) as running:
            yield running


def is_fine(person: Person) -> None:
    """Check the page with axe, that it is not too wide, and that buttons are large enough."""
    violations = Axe().run(person.page).response["violations"]
    assert [rule["id"] for rule in violations] == []
    wide, room = person.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= room


def opens_table(ada: Person, password: str = "") -> None:
    """Open a table with one free seat in the lobby."""
    ada.page.goto(ada.url)
    ada.page.fill("#name", ada.name)
    ada.page.click("details.options summary")
    ada.page.fill("#table-password", password)
    ada.page.press("#table-password", "Enter")
    ada.page.wait_for_selector("body.ready #board.waiting")


def test_a_link_with_the_password_lets_a_friend_in_and_a_plain_one_asks(meet: Meet) -> None:
    ada = meet(bypass_csp=True, pictures=True, permissions=["clipboard-read", "clipboard-write"])
    opens_table(ada, "blue card & more")
    ada.page.click("#copy-password")
    link: str = ada.page.evaluate("navigator.clipboard.readText()")
    assert link.startswith(ada.text("#link") + "#password=")

    ben = meet(name="Ben", bypass_csp=True, pictures=True, **PHONE)
    ben.page.goto(ada.text("#link"))
    is_fine(ben)
    ben.page.keyboard.type("red card")  # the field has the focus
    ben.page.keyboard.press("Enter")
    ben.page.wait_for_selector("[role=alert] >> text=This is not the password of this table.")
    is_fine(ben)
    ben.page.fill("#password", "blue card & more")
    ben.page.keyboard.press("Enter")
    ben.page.wait_for_selector("body.ready #sit")
    ada.page.wait_for_selector(".watchers >> text=One person is watching")
    is_fine(ada)

    carl = meet(name="Carl")
    carl.page.goto(link)
    carl.page.wait_for_selector("body.ready #sit")
    assert carl.page.url == ada.text("#link")
    for person in (ben, carl):
        person.expects("403")


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_game_is_ended_by_vote_on_a_phone_and_by_keyboard(meet: Meet, scheme: str) -> None:
    ada = meet(bypass_csp=True, color_scheme=scheme, pictures=True, **PHONE)
    ben = meet(name="Ben")
    opens_table(ada)
    ben.page.goto(ada.text("#link"))
    ben.page.fill("#sit-name", "Ben")
    ben.page.click("#sit .main")
    ada.page.wait_for_selector("#seat-1 >> text=Ben")
    ada.starts()
    ada.page.wait_for_selector("#board.board")
    ben.leave()
    button = ada.page.wait_for_selector("form[action$='/vote'] button", state="attached")
    assert button is not None
    if not button.is_visible():
        ada.page.click("#open-log")
    ada.page.wait_for_selector("form[action$='/vote'] >> text=Away for a long time: Ben.")
    size = ada.page.evaluate(
        "document.querySelector(\"form[action$='/vote'] button\").getBoundingClientRect().height"
    )
    assert size >= 44
    is_fine(ada)
    ada.page.focus("form[action$='/vote'] button")
    ada.page.keyboard.press("Enter")
    ada.page.wait_for_selector("h1 >> text=The game was ended by vote")
    is_fine(ada)
    ada.page.click(".start a >> text=Game log")
    ada.page.wait_for_selector("text=It has no result and does not count.")


def test_a_banned_person_reads_so_at_once(meet: Meet, server: ServerProcess) -> None:
    eve = meet(name="Eve the first", locale="nl-NL", bypass_csp=True, pictures=True)
    opens_table(eve)
    command = [sys.executable, "-m", "byzanz", "data"]
    database = ["--database", server.database]
    found = subprocess.run(
        [*command, "guests", "--name", "eve the", "--json", *database],
        capture_output=True, check=True,
    )  # fmt: skip
    (row,) = json.loads(found.stdout)
    ban = [*command, "ban", row["guest"], "--reason", "spam", "--days", "1", *database]
    subprocess.run(ban, check=True, capture_output=True)
    eve.page.wait_for_selector("#status >> text=Je bent van deze server verbannen tot")
    is_fine(eve)
    eve.page.goto(eve.url)
    eve.page.wait_for_selector("text=Reden van de beheerder: spam")
    eve.expects("403")
