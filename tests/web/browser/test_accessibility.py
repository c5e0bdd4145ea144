"""axe finds no accessibility violations on any page, in light and dark themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe

from .person import Person

Meet = Callable[..., Person]


def violations(ada: Person) -> list[str]:
    """Return what axe finds; for this the tests bypass the page's content security policy."""
    found = Axe().run(ada.page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]} ({node['failureSummary'][:300]})"
        for rule in found
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("path", ["/", "/rules", "/about", "/api", "/nowhere"])
def test_axe_finds_nothing_on_a_page(meet: Meet, path: str, scheme: str) -> None:
    ada = meet(color_scheme=scheme, bypass_csp=True, pictures=True)
    ada.page.goto(ada.url + path)
    assert violations(ada) == []
    ada.expects("404")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_a_table(meet: Meet, scheme: str) -> None:
    ada = meet(color_scheme=scheme, bypass_csp=True, pictures=True, by_keyboard=True)
    ada.page.goto(ada.url)
    ada.page.fill("#name", "Ada")
    ada.page.click("form.new .main")
    ada.page.wait_for_selector("#board.waiting")
    assert violations(ada) == []

    ada.sits_down()
    seen = set()
    while (asked := ada.is_asked()) not in seen or len(seen) < 3:
        if asked not in seen:
            seen.add(asked)
            assert violations(ada) == []
        ada.decides()


def test_axe_finds_nothing_at_the_end(meet: Meet) -> None:
    ada = meet(bypass_csp=True, pictures=True)
    ada.sits_down()
    ada.has_it_played_to_the_end()
    assert violations(ada) == []
    table = ada.page.url
    for path in ("/story", "/replay", "/replay?seat=1&step=30&open=1", "/result"):
        ada.page.goto(table + path)
        assert violations(ada) == []
