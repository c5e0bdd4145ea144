"""The replay player and the end of a game: by mouse and by keyboard, on desktops and phones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.web.stage import Stage, scene, stage

from .layout import faults
from .person import UNPAINTED

SCENE = "over-6"
STEPS = len(scene(SCENE).plays)
DESK, PHONE, SIDE, SMALL = (1280, 720), (390, 844), (844, 390), (360, 640)

Visit = Callable[..., Page]


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("scenes"), SCENE) as running:
        yield running


@pytest.fixture
def visit(browser: Browser, scenes: Stage) -> Iterator[Visit]:
    """Return a function that opens a page of the finished game as the person who played it.

    The test fails if the browser reports anything except refused requests of the test.
    """
    reported: list[str] = []
    contexts = []

    def opened(
        path: str, size: tuple[int, int] = DESK, *, pictures: bool = False, **given: Any
    ) -> Page:
        small = min(size) < 500
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            reduced_motion="reduce",
            has_touch=small,
            is_mobile=small,
            **given,
        )
        contexts.append(context)
        context.add_cookies(scenes.cookies)  # type: ignore[arg-type]
        if not pictures:
            context.add_init_script(UNPAINTED)
        page = context.new_page()
        page.on("console", lambda message: reported.append(message.text))
        page.on("pageerror", lambda error: reported.append(str(error)))
        page.goto(scenes.address(SCENE) + path)
        page.wait_for_selector("body.ready, body.result")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [text for text in reported if "503" not in text] == []


def at(page: Page, step: int) -> None:
    """Wait until the page and its address show this step."""
    page.wait_for_url(f"**step={step}&**")
    assert page.locator("#at").inner_text() == f"{step} / {STEPS}"
    assert page.locator("#log [aria-current=step]").get_attribute("data-step") == str(step)


def test_keys_step_jump_and_play_without_loading_the_page(visit: Visit) -> None:
    page = visit("/replay")
    page.evaluate("window.samepage = true")
    starts = page.evaluate("JSON.parse(document.getElementById('player').dataset.starts)")
    for key, step in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("PageDown", starts[1]),
        ("PageDown", starts[2]),
        ("PageUp", starts[1]),
        ("End", STEPS),
        ("ArrowRight", STEPS),
        ("Home", 0),
        ("ArrowLeft", 0),
    ):
        page.keyboard.press(key)
        at(page, step)
    page.select_option("#pace", "4")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(" ")
    page.wait_for_function("() => Number(document.getElementById('step').value) > 2")
    assert page.locator("#play").inner_text() == "Pause"
    page.keyboard.press(" ")
    assert page.locator("#play").inner_text() == "Play"
    page.wait_for_timeout(400)
    stopped = page.input_value("#step")
    page.wait_for_timeout(600)
    assert page.input_value("#step") == stopped
    assert page.evaluate("window.samepage"), "no page was loaded"


def test_slider_and_announcements_tell_where_the_game_is(visit: Visit) -> None:
    page = visit("/replay?step=5&seat=")
    slider = page.locator("#step")
    assert "Step 5 of" in (slider.get_attribute("aria-valuetext") or "")
    page.click("#next")
    at(page, 6)
    sentence = page.locator("#status").inner_text()
    assert page.locator("#announcer p").last.inner_text() == sentence
    slider.focus()
    page.keyboard.press("ArrowRight")
    at(page, 7)
    told = slider.get_attribute("aria-valuetext") or ""
    assert told == f"Step 7 of {STEPS}, round 1. {page.locator('#status').inner_text()}"
    assert page.locator("#announcer p").count() == 1, "the slider's own value is read instead"


def test_a_line_of_the_log_leads_to_its_step(visit: Visit) -> None:
    page = visit("/replay")
    line = page.locator("#log .go[data-step='120']").first
    line.click()
    at(page, 120)
    line = page.locator("#log .go[data-step='40']").first
    line.focus()
    page.keyboard.press("Enter")
    at(page, 40)
    page.reload()
    at(page, 40)


def test_another_seat_and_open_hands_keep_the_step(visit: Visit) -> None:
    page = visit("/replay?step=3")
    page.select_option("#eyes", "3")
    page.wait_for_url("**seat=3")
    at(page, 3)
    assert page.locator("#board .own#seat-3, #board .own #seat-3").count() == 1
    assert page.locator(".k-back").count() > 0
    page.check("#open")
    page.wait_for_url("**open=1")
    assert page.locator(".opponents .k-back").count() == 0
    at(page, 3)


def test_a_step_that_does_not_load_is_reported_and_can_be_tried_again(visit: Visit) -> None:
    page = visit("/replay?step=10&seat=0")
    page.wait_for_load_state("networkidle")
    page.route("**/replay/steps**", lambda route: route.fulfill(status=503))
    page.keyboard.press("End")
    page.wait_for_selector("#connection:not([hidden])")
    assert page.locator("#at").inner_text() == f"10 / {STEPS}"
    page.unroute("**/replay/steps**")
    page.keyboard.press("End")
    at(page, STEPS)
    assert page.locator("#connection").is_hidden()


@pytest.mark.parametrize(
    "size", [SMALL, PHONE, SIDE, DESK], ids=lambda size: f"{size[0]}x{size[1]}"
)
def test_the_board_fills_the_screen_and_nothing_is_cut(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("/replay?open=1", size)
    wrong = []
    for step in (0, 51, 119, 170, 205, 239):
        page.evaluate(
            "(step) => document.querySelector(`#log .go[data-step='${step}']`).click()", step
        )
        at(page, step)
        wrong += [f"step {step}: {fault}" for fault in faults(page, touch=size != DESK)]
    assert wrong == []
    for target in page.locator("#player :is(.press, select, #step)").all():
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 43.5
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size[0]
        assert box["y"] + box["height"] <= size[1]


@pytest.mark.parametrize("size", [PHONE, DESK], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_end_shows_the_podium_and_what_to_do_next(visit: Visit, size: tuple[int, int]) -> None:
    page = visit("", size)
    assert page.locator("#ending-title").inner_text().startswith(("Your place", "You win"))
    for selector in (".podium", ".next .main", ".next a[data-share]"):
        box = page.locator(selector).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= size[1], f"{selector} is below the fold"
    assert page.locator(".standings ol > li").count() == 6
    assert page.locator(".sold .card").count() % 3 == 0
    wide = page.evaluate("document.querySelector('.ending').scrollWidth")
    assert wide <= page.evaluate("document.querySelector('.ending').clientWidth")
    page.click(".curve summary")
    assert page.locator(".curve tbody tr").count() == 6


def test_sharing_copies_the_link(visit: Visit) -> None:
    page = visit("", permissions=["clipboard-read", "clipboard-write"])
    page.click(".next a[data-share]")
    page.wait_for_selector(".copied:text('Link copied')")
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url + "/result"
    page.goto(link)
    assert page.locator(".podium").count() == 1


def test_a_tap_shows_the_rule_of_a_line(visit: Visit) -> None:
    page = visit("/replay?step=60", PHONE)
    page.tap("#open-log")
    line = page.locator("#log li.line:has([aria-current])")
    mark = line.locator("a.rule")
    assert mark.evaluate("(mark) => getComputedStyle(mark).opacity") == "0"
    line.locator(".go").tap()
    assert mark.evaluate("(mark) => getComputedStyle(mark).opacity") == "1"


@pytest.mark.parametrize(
    ("scheme", "path", "size"),
    [
        ("light", "/replay?step=30&open=1", DESK),
        ("dark", f"/replay?step={STEPS}", PHONE),
        ("dark", "/result", PHONE),
    ],
)
def test_axe_finds_nothing(visit: Visit, scheme: str, path: str, size: tuple[int, int]) -> None:
    page = visit(path, size, color_scheme=scheme, bypass_csp=True, pictures=True)
    found = Axe().run(page).response["violations"]
    assert [f"{rule['id']}: {node['html'][:140]}" for rule in found for node in rule["nodes"]] == []
