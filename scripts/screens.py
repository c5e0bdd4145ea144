"""Take screenshots of the table at many sizes and measure it: ``python -m scripts.screens FOLDER``.

The tables show the stored positions of ``tests/data/scenes``. The script saves the screenshots in
the folder and prints the measurements.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from tests.web.browser.layout import faults, places
from tests.web.browsers import launch
from tests.web.stage import Stage, stage

Size = tuple[int, int]

SIZES: list[Size] = [
    (360, 640),
    (390, 844),
    (844, 390),
    (820, 1180),
    (1280, 720),
    (1366, 650),
    (1920, 1080),
    (2560, 1440),
]
THREE: list[Size] = [(390, 844), (844, 390), (1280, 720)]
MOMENTS = ["give-4", "take-6", "limit-6", "sale-4", "sale-6", "over-4", "over-6", "raise-4"]
AFTERWARDS = {
    "replay-4": ("over-4", "/replay?step=40"),
    "replay-6": ("over-6", "/replay?step=51&open=1"),
    "result-4": ("over-4", "/result"),
}
"""Pages of finished games: for each, the name of the picture, the scene and the path."""
MEASURED = "auction-4"
"""The measured scene: four players, five cards in the offer, seven cards in hand."""

_SHARES = """() => {
  const size = innerWidth * innerHeight;
  const area = (element) => {
    const { width, height } = element.getBoundingClientRect();
    return width * height;
  };
  // Cards that overlap are counted once, with the visible area of their group.
  const cards = [...document.querySelectorAll(
    "#board .row > .card, #board .kin, #board .group, #deck .card")];
  return {
    board: area(document.getElementById("board")) / size,
    cards: cards.reduce((sum, card) => sum + area(card), 0) / size,
  };
}"""
_HAND = """() => {
  const { width, height } = document.querySelector(".hand .card").getBoundingClientRect();
  return [Math.round(width), Math.round(height)];
}"""
_KNOWN = """() => [...document.querySelectorAll(".kin:not(.k-back) .card")].map((card) => {
  const value = card.querySelector("b"), { width, height } = card.getBoundingClientRect();
  return value.offsetWidth ? `chip ${getComputedStyle(value).fontSize}`
    : `card ${Math.round(width)}x${Math.round(height)}`;
})"""


@contextmanager
def table(
    browser: Browser, running: Stage, size: Size, scheme: str = "dark", language: str = "en"
) -> Iterator[Page]:
    """Open a page as the guest who owns the tables, and close it afterwards."""
    small = min(size) < 900 and size[0] < 900
    context = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
        has_touch=small,
        is_mobile=small,
    )
    context.add_cookies(running.cookies)  # type: ignore[arg-type]
    context.add_init_script("localStorage.setItem('hints', 'off')")
    page = context.new_page()
    page.request.post(
        f"{running.url}/language",
        form={"language": language, "back": "/"},
        headers={"Origin": running.url},
    )
    yield page
    context.close()


def show(page: Page, running: Stage, scene: str, path: str = "") -> None:
    """Open the scene's page and wait until it is loaded."""
    page.goto(running.address(scene) + path)
    page.wait_for_selector("body.ready, body.result")
    page.wait_for_function("() => [...document.images].every((image) => image.complete)")


def pictures(browser: Browser, running: Stage, folder: Path) -> None:
    """Save all screenshots in the folder."""
    for size in SIZES:
        name = f"{size[0]}x{size[1]}"
        for scheme in ("light", "dark"):
            for language in ("en", "hu"):
                with table(browser, running, size, scheme, language) as page:
                    for scene in ("auction-3", "auction-6"):
                        show(page, running, scene)
                        page.screenshot(path=folder / f"{name}-{scene}-{scheme}-{language}.png")
        if size in THREE:
            for scheme in ("light", "dark"):
                with table(browser, running, size, scheme) as page:
                    for scene in MOMENTS:
                        show(page, running, scene)
                        page.screenshot(path=folder / f"{name}-{scene}-{scheme}.png")
                    for after, (scene, path) in AFTERWARDS.items():
                        show(page, running, scene, path)
                        page.screenshot(path=folder / f"{name}-{after}-{scheme}.png")


def measured(browser: Browser, running: Stage) -> Iterator[tuple[str, Any]]:
    """Yield all measurements with their names."""
    for size in ((360, 640), (1280, 800), (1920, 1080), (2560, 1440)):
        with table(browser, running, size) as page:
            show(page, running, MEASURED)
            yield f"hand card at {size[0]}x{size[1]}", "x".join(map(str, page.evaluate(_HAND)))
            if size == (1920, 1080):
                shares = page.evaluate(_SHARES)
                yield "share of 1920x1080: board", f"{shares['board']:.0%}"
                yield "share of 1920x1080: cards", f"{shares['cards']:.1%}"
            yield f"known cards at {size[0]}x{size[1]}", sorted(set(page.evaluate(_KNOWN)))
    with table(browser, running, (1366, 650)) as page:
        show(page, running, MEASURED)
        bid_and_pass = {name: places(page)[name] for name in ("#do0", "#pass0")}
        yield "Bid and Pass at 1366x650", bid_and_pass
    for size in SIZES:
        tops = set()
        wrong = []
        small = min(size) < 900 and size[0] < 900
        with table(browser, running, size) as page:
            for scene in running.tables:
                if not scene.startswith("over"):
                    show(page, running, scene)
                    tops.add(tuple(places(page)["#do0"]))
                    wrong += faults(page, touch=small)
        yield f"main button at {size[0]}x{size[1]} in all scenes", sorted(tops)
        yield f"faults at {size[0]}x{size[1]}", wrong
    with table(browser, running, (1280, 720)) as page:
        show(page, running, "only-4")
        version = page.get_attribute("#board", "data-version")
        page.wait_for_timeout(2000)  # right after a change a click does not count
        page.click("#board input[name=take]")
        clicks = 1
        page.wait_for_timeout(3000)
        if page.get_attribute("#board", "data-version") == version:  # chosen, not yet taken
            page.click("#do")
            clicks = 2
            page.wait_for_function(
                "(v) => document.getElementById('board').dataset.version !== v", arg=version
            )
        yield "clicks to take the only market kind, without the automatic setting", clicks


def main() -> None:
    """Take all screenshots, then print the measurements."""
    parser = argparse.ArgumentParser(
        prog="python -m scripts.screens",
        description="Take screenshots of the table at eight sizes, then measure it.",
    )
    parser.add_argument("folder", type=Path, help="where the screenshots are saved")
    parser.add_argument("--measure", action="store_true", help="measure only")
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as base, sync_playwright() as playwright:
        browser = launch(playwright)
        if browser is None:
            sys.exit("No browser starts. Install Chromium, Chrome or Edge.")
        with stage(Path(base)) as running:
            if not given.measure:
                pictures(browser, running, given.folder)
            for name, value in measured(browser, running):
                print(f"{name}: {value}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
