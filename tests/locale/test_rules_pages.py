"""The rules and the quick reference in every language, with the facts of the rules."""

from __future__ import annotations

import re

import pytest
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from scripts.catalogues import SOURCE

from byzanz.locale import LANGUAGES, translations
from byzanz.messages import card_name
from byzanz.notation import parse_card
from byzanz.rules import COPIES, HAND_LIMIT, SETUPS, Card
from tests.docs.test_docs import RULES


def page(name: str, code: str) -> str:
    words = translations(code)
    environment = Environment(
        loader=FileSystemLoader(SOURCE / "web" / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
    )
    environment.install_gettext_translations(words, newstyle=True)  # type: ignore[attr-defined]
    environment.globals["art"] = lambda code: f"/art/{parse_card(code)}.svg"
    environment.globals["card"] = lambda code: card_name(parse_card(code), words)
    return environment.get_template(name).render()


def rows(table: str, written: str) -> list[list[str]]:
    """The cells of the table of this class, without its headings."""
    found = re.search(rf'<table class="{table}">(.*?)</table>', written, re.DOTALL)
    assert found
    cells = [re.findall(r"<td>(.*?)</td>", row) for row in found[1].split("</tr>")]
    return [row for row in cells if row]


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_rules_page_tells_every_rule(code: str) -> None:
    written = page("rules_text.html", code)
    for rule in RULES:
        assert written.count(f'<span class="rule" id="R{rule}">R{rule}</span>') == 1
    assert re.findall(r'<section id="(\w+)">', written) == ["goal", *(f"r{n}" for n in range(1, 8))]
    assert written.count("<p>") == written.count("</p>")
    assert f'alt="{card_name(Card.C4, translations(code))}"' in written


@pytest.mark.parametrize("name", ["rules_text.html", "quick_reference.html"])
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_tables_hold_the_facts_of_the_rules(name: str, code: str) -> None:
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


def test_the_rules_page_reads_differently_in_each_language() -> None:
    assert len({page("rules_text.html", code) for code in LANGUAGES}) == len(LANGUAGES)
