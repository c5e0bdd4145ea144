"""The table fills the screen: nothing scrolls, overlaps, is cut or moves, through whole games.

``python -m tests.web.browser.test_layout`` plays at the other sizes too.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.web.browsers import launch
from tests.web.stage import Stage, meeting, stage

from .ending import has_ended
from .layout import faults, places
from .person import Person
from .process import ServerProcess

Meet = Callable[..., Person]

SIZES = {
    (360, 640): 6,
    (390, 844): 4,
    (844, 390): 5,
    (820, 1180): 3,
    (1280, 720): 4,
    (1366, 650): 6,
    (1920, 1080): 3,
    (2560, 1440): 5,
}
"""The screen sizes, and the number of players in the game on each."""
USUAL = {(360, 640): "hu", (844, 390): "nl", (1280, 720): "en"}
"""The three sizes of every test run, and the language of the game; the long tests use all sizes.
``test_whole_games`` plays in the other two languages."""


@pytest.fixture(scope="module")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("scenes")) as running:
        yield running


@pytest.fixture(scope="module")
def meetings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with meeting(tmp_path_factory.mktemp("meetings"), 300, 86_000) as running:
        yield running


@pytest.mark.parametrize("size", USUAL, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_moves_or_is_cut_in_a_whole_game(meet: Meet, size: tuple[int, int]) -> None:
    language = USUAL[size]
    by_keyboard = language != "en"  # one game by mouse
    ada = meet(size=size, locale=language, name="Ida <i>", by_keyboard=by_keyboard, **_hands(size))
    assert _plays_and_measures(ada, SIZES[size]) > 20
    has_ended(ada, language, SIZES[size])


@pytest.mark.parametrize(
    ("size", "language"),
    [
        ((360, 640), "de"),
        pytest.param((844, 390), "hu", marks=pytest.mark.slow),
        pytest.param((1280, 720), "de", marks=pytest.mark.slow),
    ],
)
def test_nothing_is_cut_in_crowded_positions(
    browser: Browser, scenes: Stage, size: tuple[int, int], language: str
) -> None:
    wrong = _crowded(browser, scenes, size, language)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("size", [(360, 640), (844, 390)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("language", ["de", "hu"])
def test_the_bar_has_room_for_the_clock_and_five_buttons(
    browser: Browser, meetings: Stage, size: tuple[int, int], language: str
) -> None:
    wrong = _crowded(browser, meetings, size, language)
    assert not wrong, "\n".join(wrong)


def _hands(size: tuple[int, int]) -> dict[str, Any]:
    """Return the browser's options for a screen of this size; small screens have touch."""
    small = min(size) < 900 and size[0] < 900
    return {"has_touch": small, "is_mobile": small}


def _plays_and_measures(ada: Person, players: int) -> int:
    """Play a whole game, measure before each decision, and return the number of decisions."""
    ada.context.add_init_script("localStorage.setItem('hints', 'off')")
    ada.founds(*["novice"] * (players - 1))
    touch = ada.page.evaluate("matchMedia('(pointer: coarse)').matches")
    known: dict[str, object] = {}
    taken = 0
    while (asked := ada.is_asked()) != "over":
        wrong = faults(ada.page, touch=touch)
        assert not wrong, f"asked to {asked}: {wrong}"
        for name, place in places(ada.page).items():
            assert known.setdefault(name, place) == place, f"{name} moved when asked to {asked}"
        taken += ada.decides()
    return taken


def _crowded(browser: Browser, scenes: Stage, size: tuple[int, int], language: str) -> list[str]:
    """Return the layout faults in all scenes, before and after some cards are selected."""
    width, height = size
    hands = _hands(size)
    context = browser.new_context(
        viewport={"width": width, "height": height}, reduced_motion="reduce", **hands
    )
    context.add_cookies(scenes.cookies)  # type: ignore[arg-type]
    context.add_init_script("localStorage.setItem('hints', 'off')")
    page = context.new_page()
    page.request.post(
        f"{scenes.url}/language",
        form={"language": language, "back": "/"},
        headers={"Origin": scenes.url},
    )
    wrong = []
    for scene in scenes.tables:
        if scene.startswith("over"):
            continue
        page.goto(scenes.address(scene))
        page.wait_for_selector("body.ready")
        found = faults(page, touch=hands["has_touch"])
        page.evaluate(_CHOOSE)
        page.wait_for_timeout(200)
        found += faults(page, touch=hands["has_touch"])
        wrong += [f"{scene}: {fault}" for fault in dict.fromkeys(found)]
    context.close()
    return wrong


_CHOOSE = """() => {
  const boxes = document.querySelectorAll("#act .hand input");
  for (const place of [0, 2, 4]) boxes[place]?.click();
}"""


def main() -> None:
    """Play a game at every size, and check every language."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = launch(playwright)
        if browser is None:
            sys.exit("No browser starts. Install Chromium, Chrome or Edge.")
        (Path(folder) / "scenes").mkdir()
        with ServerProcess(Path(folder)) as server, stage(Path(folder) / "scenes") as scenes:
            for size, players in SIZES.items():
                for language in ("en", "de", "it", "nl", "hu"):
                    found = _crowded(browser, scenes, size, language)
                    wrong += [f"{size} {language} {fault}" for fault in found]
                ada = Person(
                    browser, server.url, size=size, by_keyboard=True, pictures=True, **_hands(size)
                )
                _plays_and_measures(ada, players)
                ada.leave()
                print(size, "played", flush=True)  # noqa: T201
        browser.close()
    sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
