"""The review in a real browser: keys, phones and desks, two languages, and nothing for axe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.web.reviewed import made_up_review, store_review
from tests.web.stage import Stage, scene, stage

from .person import UNPAINTED

SCENE = "over-4"
DESK, PHONE = (1280, 800), (390, 844)
OWN = made_up_review(SCENE).seat(scene(SCENE).extra["seat"])
NOTED = [one.number for one in OWN.decisions if one.mark or one.star]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("scenes")
    with stage(folder, SCENE, "over-6") as running:
        store_review(folder, running.tables[SCENE], made_up_review(SCENE))
        yield running


@pytest.fixture
def visit(browser: Browser, scenes: Stage) -> Iterator[Any]:
    """Return a function that opens a page of a finished game as the person who played it."""
    reported: list[str] = []
    contexts = []

    def opened(path: str, size: tuple[int, int] = DESK, table: str = SCENE, **given: Any) -> Page:
        small = size[0] < 500
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
            has_touch=small,
            is_mobile=small,
            **given,
        )
        contexts.append(context)
        context.add_cookies(scenes.cookies)  # type: ignore[arg-type]
        if "bypass_csp" not in given:  # axe needs the pictures behind the texts
            context.add_init_script(UNPAINTED)
        page = context.new_page()
        page.on("console", lambda message: reported.append(message.text))
        page.on("pageerror", lambda error: reported.append(str(error)))
        page.goto(scenes.address(table) + path)
        scripted = given.get("java_script_enabled", True)
        page.wait_for_selector("body.ready, .ending" if scripted else "#moment")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert reported == []


def test_keys_lead_from_mistake_to_mistake_without_loading_the_page(visit: Any) -> None:
    page = visit(f"/review?seat={OWN.seat}&step={NOTED[0]}")
    page.evaluate("window.samepage = true")
    every = [one.number for one in OWN.decisions]
    after = every[every.index(NOTED[2]) + 1]
    for key, number in (
        ("ArrowRight", NOTED[1]),
        ("ArrowRight", NOTED[2]),
        (".", after),
        (",", NOTED[2]),
        ("ArrowLeft", NOTED[1]),
    ):
        page.keyboard.press(key)
        page.wait_for_url(f"**step={number}")
        assert f"move {number}" in page.locator("#moment-title").inner_text()
        assert page.locator(".now").count() == 1
    page.locator("#following").click()
    page.wait_for_url(f"**step={NOTED[2]}")
    page.go_back()
    page.locator("#moment small", has_text=f"move {NOTED[1]}").wait_for()
    assert page.evaluate("window.samepage"), "no page was loaded"


def test_the_review_works_without_scripts(visit: Any) -> None:
    page = visit(f"/review?seat={OWN.seat}&step={NOTED[0]}", java_script_enabled=False)
    page.locator("#following").click()
    assert f"move {NOTED[1]}" in page.locator("#moment-title").inner_text()


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_and_nothing_overflows(
    visit: Any, size: tuple[int, int], scheme: str
) -> None:
    for path, table in (("/review?seat=0", SCENE), ("/review", "over-6")):
        page = visit(path, size, table, color_scheme=scheme, bypass_csp=True)
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:200]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_the_end_shows_the_dearest_mistake_and_what_if_starts_a_table(visit: Any) -> None:
    page = visit("")
    page.wait_for_selector("#dearest a")
    page.locator("#dearest a").click()
    page.wait_for_selector("body.review")
    page.locator("#what-if button").first.click()
    page.wait_for_selector("a.origin")
    assert "What if?" in page.locator("a.origin").inner_text()
