"""The browser checks a deal as the library does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route

from byzanz.rules import Chance
from byzanz.web.static_files import static
from tests.notation.proofs import fault, flipped, header

from .person import Person
from .test_accessibility import violations
from .test_moderation import opens_table

Meet = Callable[..., Person]

VECTORS = json.loads((Path(__file__).parents[2] / "data" / "proven_deals.json").read_text())
_CHECK = """async ([module, headers]) => {
  const { fault } = await import(module);
  return Promise.all(headers.map((header) => fault(header)));
}"""


def _faults(person: Person, headers: list[dict[str, Any]]) -> list[str]:
    found: list[str] = person.page.evaluate(_CHECK, [static("proof.js"), headers])
    return found


def test_vectors_verify_and_flipped_bits_are_refused(meet: Meet) -> None:
    ada = meet()
    ada.page.goto(ada.url)
    keys = ("commitment", "secret", "nonces")
    vectors = [vector | {"proof": {key: vector[key] for key in keys}} for vector in VECTORS]
    whole = [*vectors, *map(header, range(20))]
    assert _faults(ada, whole) == [""] * len(whole)
    changed = [flipped(header(number), Chance(number)) for number in range(60)]
    found = _faults(ada, changed)
    for code, header_ in zip(found, changed, strict=True):
        expected = fault(header_)
        if expected in ("Malformed", "IllegalDeal"):
            expected = "wrong-deal"  # the page does not read the cards, it only compares them
        assert code == expected


def test_each_fault_has_its_code(meet: Meet) -> None:
    ada = meet()
    ada.page.goto(ada.url)
    good = header(0)
    proof = good["proof"]
    changes = [None, {}, proof | {"nonces": []}, proof | {"secret": "0" * 64}]
    found = _faults(ada, [good | {"proof": change} for change in changes])
    assert found == ["no-proof", "malformed-proof", "wrong-seats", "wrong-secret"]
    options = """async ([module, header]) => {
      const { fault } = await import(module);
      const published = "0".repeat(64);
      return [await fault(header, { published }), await fault(header, { nonce: "0" })];
    }"""
    found = ada.page.evaluate(options, [static("proof.js"), good])
    assert found == ["other-commitment", "missing-nonce"]


@pytest.fixture
def finished(meet: Meet) -> tuple[Person, str]:
    """Return somebody on a phone, and the path of a game that they finished with a friend."""
    ada = meet(size=(390, 844), bypass_csp=True)
    ben = meet(name="Ben")
    opens_table(ada)
    path = "/table/" + ada.board["table"]
    ben.page.goto(ben.url + path)
    ben.page.fill("#sit-name", "Ben")
    ben.page.click("#sit .main")
    ada.page.wait_for_selector("#seat-1 >> text=Ben")
    ada.starts()
    ada.page.wait_for_selector("body.ready #board.board")
    ada.page.goto(f"{ada.url}{path}/verify")
    assert ada.page.locator(".verdict[data-state]").count() == 0  # the secret is still closed
    assert violations(ada) == []
    left = ben.page.request.post(f"{ben.url}{path}/leave", headers={"Origin": ben.url})
    assert left.ok  # a bot plays on
    ada.page.goto(ada.url + path)
    ada.page.wait_for_selector("body.ready #board.board")
    ada.has_it_played_to_the_end()
    return ada, path


def test_the_page_checks_a_finished_game(meet: Meet, finished: tuple[Person, str]) -> None:
    ada, path = finished
    states = "[...document.querySelectorAll('#verify [data-state]')].map((it) => it.dataset.state)"
    ada.page.goto(ada.url + path)
    ada.page.click("a[href$='/verify']")
    ada.page.wait_for_selector("#mine:not([hidden])")
    assert ada.page.evaluate(states) == ["right", "right", "right"]
    assert violations(ada) == []
    assert ada.page.evaluate("document.documentElement.scrollWidth") <= 390

    eve = meet(name="Eve")  # has not seen the hash before the game
    eve.page.goto(f"{eve.url}{path}/verify")
    eve.page.wait_for_selector("#mine:not([hidden])")
    assert eve.page.evaluate(states) == ["right", "unknown", "unknown"]

    def exchange(route: Route) -> None:
        """Exchange two cards of the deck in the record."""
        record = route.fetch().text()
        first, rest = record.split("\n", 1)
        header = json.loads(first)
        deck = header["deck"]
        other = next(at for at, card in enumerate(deck) if card != deck[0])
        deck[0], deck[other] = deck[other], deck[0]
        route.fulfill(body=f"{json.dumps(header)}\n{rest}")

    ada.page.route("**/record", exchange)
    ada.page.reload()
    ada.page.wait_for_selector("#verdict[data-state=wrong]")
    assert ada.page.is_hidden("#mine")
