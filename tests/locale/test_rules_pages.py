"""The rules and the quick reference in every language, with the facts of the rules."""

from __future__ import annotations

import re

import pytest

from byzanz.locale import LANGUAGES, load_translations
from byzanz.messages import RULE_TEXTS, card_name
from byzanz.rules import COPIES, HAND_LIMIT, SETUPS, Card
from byzanz.web.rendering import get_renderer
from tests.docs.test_docs import RULES

READINGS = [f"I{number}" for number in range(1, 10)]


def page(name: str, code: str) -> str:
    return get_renderer(code).page(name)


def rows(table: str, written: str) -> list[list[str]]:
    """Return the cells of the table of this class, without its headings."""
    found = re.search(rf'<table class="{table}">(.*?)</table>', written, re.DOTALL)
    assert found
    cells = [re.findall(r"<td>(.*?)</td>", row) for row in found[1].split("</tr>")]
    return [row for row in cells if row]


def test_every_rule_and_reading_has_a_text() -> None:
    assert sorted(RULE_TEXTS) == sorted([*(f"R{rule}" for rule in RULES), *READINGS])


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rules_page_has_every_rule_and_reading_once(code: str) -> None:
    written = page("rules_text.html", code)
    for number in RULE_TEXTS:
        assert written.count(f' id="{number}">') == 1
        assert f">{number}</span>" in written
    sections = re.findall(r'<section id="(\w+)">', written)
    assert sections == ["goal", *(f"r{n}" for n in range(1, 8)), "readings"]
    assert written.count("<p>") + len(re.findall(r"<p [^>]*>", written)) == written.count("</p>")
    assert f'alt="{card_name(Card.C4, load_translations(code))}"' in written


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rules_page_explains_its_numbers_and_lists_the_readings(code: str) -> None:
    written = page("rules_text.html", code)
    assert "R3.5" in written[: written.index('id="r1"')]
    listed = written[written.index('id="readings"') :]
    for number in READINGS:
        assert re.search(rf">{number}</(a|span)>", listed)


def test_the_english_rules_mention_the_words_of_the_english_edition_once() -> None:
    written = page("rules_text.html", "en")
    assert written.count("Bidder card") == written.count("bundle") == 1
    for code in set(LANGUAGES) - {"en"}:
        assert "Bidder" not in page("rules_text.html", code)


@pytest.mark.parametrize("name", ["rules_text.html", "quick_reference.html"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_tables_have_the_facts_of_the_rules(name: str, code: str) -> None:
    written = page(name, code)
    assert rows("setup", written) == [
        [
            str(players),
            " ".join(map(str, setup.offer_cards)),
            str(setup.removed),
            str(setup.deck),
            str(setup.rounds),
        ]
        for players, setup in SETUPS.items()
    ]
    values, counts = rows("counts", written)
    faces = [Card.C1, Card.C2, Card.C3, Card.C4]
    assert values == [str(face.worth) for face in faces]
    assert counts == [str(COPIES[face]) for face in faces]
    assert HAND_LIMIT == 7  # the pages spell it out


def test_the_rules_page_differs_in_each_language() -> None:
    assert len({page("rules_text.html", code) for code in LANGUAGES}) == len(LANGUAGES)
